import { defineDomain } from '../../domain.ts'
import { settingsPeriodicTasks } from './periodic-tasks.ts'
import * as routes from './routes.ts'
import { securitySettings } from './security.ts'
import { selfServiceSettings } from './self-service.ts'
import * as origins from './setting-origins.ts'

declare module '../../live/announcement.ts' {
  interface Announcements {
    /** The area that was changed. */
    settings: true
  }
}

/** What administrators configure for the whole installation. */
export const settings = defineDomain({
  name: 'settings',
  settings: [securitySettings, selfServiceSettings],
  headings: [
    {
      name: 'Administration',
      description: 'The team, API tokens, settings, mail and the audit trail.',
      paths: ['/api/settings'],
    },
  ],
  routes: [routes, origins],
  periodic: settingsPeriodicTasks,
})

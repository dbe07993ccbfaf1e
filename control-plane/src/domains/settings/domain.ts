import { defineDomain } from '../../domain.ts'
import { settingsPeriodicTasks } from './periodic-tasks.ts'
import * as routes from './routes.ts'

/** What administrators set for the whole installation. */
export const settings = defineDomain({
  name: 'settings',
  routes: [routes],
  periodic: settingsPeriodicTasks,
})

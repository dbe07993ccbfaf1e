import { defineDomain } from '../domain.ts'
import { auditListeners } from './listeners.ts'
import { auditPeriodicTasks } from './periodic-tasks.ts'
import { auditPrivileges } from './privileges.ts'
import * as routes from './routes.ts'

export const audit = defineDomain({
  name: 'audit',
  headings: [{ name: 'Administration', paths: ['/api/audit'] }],
  routes: [routes],
  periodic: auditPeriodicTasks,
  listeners: auditListeners,
  privileges: auditPrivileges,
})

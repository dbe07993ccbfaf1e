import { defineDomain } from '../../domain.ts'
import { signupPeriodicTasks } from './periodic-tasks.ts'
import * as routes from './routes.ts'

/** New accounts. */
export const signup = defineDomain({
  name: 'signup',
  routes: [routes],
  periodic: signupPeriodicTasks,
})

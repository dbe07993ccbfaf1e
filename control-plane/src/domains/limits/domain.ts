import { defineDomain } from '../../domain.ts'
import { limitNoticeTask } from './notices.ts'
import * as routes from './routes.ts'

/** How much each customer may use. */
export const limits = defineDomain({
  name: 'limits',
  routes: [routes],
  periodic: [limitNoticeTask],
})

import { defineDomain } from '../../domain.ts'
import { planListeners } from './listeners.ts'
import * as routes from './routes.ts'

/** Bundles of limits assigned to customers. */
export const plans = defineDomain({
  name: 'plans',
  headings: [{ name: 'Customers, plans and limits', paths: ['/api/plans'] }],
  routes: [routes],
  listeners: planListeners,
})

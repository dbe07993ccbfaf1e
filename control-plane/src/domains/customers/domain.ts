import { defineDomain } from '../../domain.ts'
import * as routes from './routes.ts'

/** Accounts of people: customers, and administrators as far as they are accounts. */
export const customers = defineDomain({
  name: 'customers',
  headings: [
    {
      name: 'Customers, plans and limits',
      description: 'Who rents, and how much they may use.',
      paths: ['/api/customers'],
    },
  ],
  routes: [routes],
})

import { defineDomain } from '../../domain.ts'
import * as articles from './articles/routes.ts'
import { supportBudgets } from './budgets.ts'

/** Help for customers. */
export const support = defineDomain({
  name: 'support',
  headings: [
    {
      name: 'Support',
      description: 'The help center.',
      paths: ['/api/support'],
    },
  ],
  routes: [articles],
  budgets: supportBudgets,
})

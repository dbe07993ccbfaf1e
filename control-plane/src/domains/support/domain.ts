import { defineDomain } from '../../domain.ts'
import * as articles from './articles/routes.ts'
import { supportBudgets } from './budgets.ts'
import * as diagnostics from './diagnostics/routes.ts'

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
  routes: [articles, diagnostics],
  budgets: supportBudgets,
})

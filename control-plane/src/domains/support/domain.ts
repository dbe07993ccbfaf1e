import { defineDomain } from '../../domain.ts'
import * as articles from './articles/routes.ts'
import { supportBudgets } from './budgets.ts'
import { deskSettings } from './desk/settings.ts'
import * as diagnostics from './diagnostics/routes.ts'
import { announceTickets } from './tickets/live.ts'
import * as tickets from './tickets/routes.ts'

/** Help for customers: the help center and the support desk. */
export const support = defineDomain({
  name: 'support',
  headings: [
    {
      name: 'Support',
      description: 'The help center and the support desk.',
      paths: ['/api/support'],
    },
  ],
  routes: [articles, diagnostics, tickets],
  settings: [deskSettings],
  budgets: supportBudgets,
  live: announceTickets,
})

import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    billing: 'Billing',
    subscribers: 'Subscribers',
    invoices: 'Invoices',
    revenue: 'Revenue',
    revenueKeywords: 'mrr churn report figures statistics income csv',
    imports: 'Imports',
    importsKeywords: 'whmcs paymenter migrate dry run',
  },
  { de: () => import('./names.de.ts') },
)

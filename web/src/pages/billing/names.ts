import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    billing: 'Billing',
    subscribers: 'Subscribers',
    invoices: 'Invoices',
    revenue: 'Revenue',
    revenueKeywords: 'mrr churn report figures statistics income csv',
  },
  { de: () => import('./names.de.ts') },
)

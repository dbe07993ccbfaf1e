import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    billing: 'Billing',
    subscribers: 'Subscribers',
    invoices: 'Invoices',
  },
  { de: () => import('./names.de.ts') },
)

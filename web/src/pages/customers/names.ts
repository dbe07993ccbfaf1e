import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    customers: 'Customers',
    newCustomer: 'New customer',
  },
  { de: () => import('./names.de.ts') },
)

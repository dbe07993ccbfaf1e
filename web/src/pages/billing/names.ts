import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue({
  billing: 'Billing',
  store: 'Plans to buy',
  subscribers: 'Subscribers',
  invoices: 'Invoices',
})

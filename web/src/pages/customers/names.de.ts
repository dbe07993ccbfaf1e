import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  customers: 'Kunden',
  newCustomer: 'Neuer Kunde',
})

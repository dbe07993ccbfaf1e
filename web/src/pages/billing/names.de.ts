import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  billing: 'Abrechnung',
  subscribers: 'Abonnenten',
  invoices: 'Rechnungen',
})

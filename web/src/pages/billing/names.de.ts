import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  billing: 'Abrechnung',
  subscribers: 'Abonnenten',
  invoices: 'Rechnungen',
  revenue: 'Umsatz',
  revenueKeywords: 'mrr kündigungen abwanderung bericht zahlen statistik einnahmen csv',
  imports: 'Importe',
  importsKeywords: 'whmcs paymenter migration umzug probelauf',
})

import { defineBudgets } from '../../http/budgets.ts'

export const billingBudgets = defineBudgets({
  checkout: { secondsEach: 5, burst: 20 },
  preview: { secondsEach: 1, burst: 30 },
  payInvoice: { secondsEach: 3, burst: 20 },
  paper: { secondsEach: 2, burst: 30 },
  paymentWebhook: { secondsEach: 0.1, burst: 600 },
})

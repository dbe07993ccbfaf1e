import { defineBudgets } from '../../http/budgets.ts'

export const statusBudgets = defineBudgets({
  /** Each may send a mail to an address that its owner has not confirmed. */
  statusSubscribe: { secondsEach: 120, burst: 5 },
  statusLinks: { secondsEach: 6, burst: 20 },
})

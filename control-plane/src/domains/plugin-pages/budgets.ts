import { defineBudgets } from '../../http/budgets.ts'

export const pageBudgets = defineBudgets({
  /** Questions of all pages that one person has open. */
  pageQuestion: { secondsEach: 0.5, burst: 60 },
})

import { defineBudgets } from '../../http/budgets.ts'

export const pageBudgets = defineBudgets({
  /** Questions from all plugin pages that one person has open. */
  pageQuestion: { secondsEach: 0.5, burst: 60 },
})

import { defineBudgets } from '../../http/budgets.ts'

export const supportBudgets = defineBudgets({
  /** Reading and searching the help center without an account. */
  publicHelp: { secondsEach: 1, burst: 60 },
})

import { defineBudgets } from '../../http/budgets.ts'

export const supportBudgets = defineBudgets({
  /** Reading and searching the help center without an account. */
  publicHelp: { secondsEach: 1, burst: 60 },
  ticketOpened: { secondsEach: 60, burst: 20 },
  /** Replies and notes. */
  ticketMessage: { secondsEach: 3, burst: 60 },
})

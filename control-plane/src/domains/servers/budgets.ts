import { defineBudgets } from '../../http/budgets.ts'

export const serverBudgets = defineBudgets({
  consoleTicket: { secondsEach: 2, burst: 30 },
})

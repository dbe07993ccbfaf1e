import { defineBudgets } from '../../http/budgets.ts'

export const emailBudgets = defineBudgets({
  testMail: { secondsEach: 12, burst: 5 },
})

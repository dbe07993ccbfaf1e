import { defineBudgets } from '../../http/budgets.ts'

export const nodeBudgets = defineBudgets({
  enroll: { secondsEach: 360, burst: 10 },
})

import { defineBudgets } from '../../http/budgets.ts'

export const signupBudgets = defineBudgets({
  register: { secondsEach: 720, burst: 5 },
})

import { defineBudgets } from '../../../control-plane/src/http/budgets.ts'

export const greetingBudgets = defineBudgets({ greet: { secondsEach: 60, burst: 20 } })

import { defineBudgets } from '../../http/budgets.ts'

export const pluginBudgets = defineBudgets({
  /** Requests of one plugin to the API, its reads included. */
  pluginApi: { secondsEach: 0.5, burst: 120 },
})

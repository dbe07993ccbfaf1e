import { defineBudgets } from '../../http/budgets.ts'

export const fileBudgets = defineBudgets({
  /** Uploading a folder announces each file in it. */
  upload: { secondsEach: 0.02, burst: 2_000 },
  download: { secondsEach: 1, burst: 120 },
  search: { secondsEach: 5, burst: 12 },
  /** One for each folder that somebody looks into, one after the other. */
  space: { secondsEach: 5, burst: 30 },
})

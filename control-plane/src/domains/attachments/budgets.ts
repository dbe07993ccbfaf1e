import { defineBudgets } from '../../http/budgets.ts'

export const attachmentBudgets = defineBudgets({
  attachmentUpload: { secondsEach: 6, burst: 60 },
})

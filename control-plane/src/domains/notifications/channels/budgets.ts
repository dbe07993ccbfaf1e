import { defineBudgets } from '../../../http/budgets.ts'

export const channelBudgets = defineBudgets({
  testChannel: { secondsEach: 12, burst: 5 },
  /** Each sends a mail to an address that its owner has not confirmed. */
  verifyChannel: { secondsEach: 300, burst: 5 },
  channelLinks: { secondsEach: 6, burst: 20 },
})

import type { SubscriptionRow } from './subscription-store.ts'

/** When the time ends that is paid, or free; of a trial that is overdue, too. */
export const boundaryOf = (row: SubscriptionRow): Date | null =>
  row.status === 'trialing' ? row.trialEndsAt : (row.periodEnd ?? row.trialEndsAt)

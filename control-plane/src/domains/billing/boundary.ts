import type { SubscriptionRow } from './subscription-store.ts'

/** When the paid or free time ends, which for an overdue trial is in the past. */
export const boundaryOf = (row: SubscriptionRow): Date | null =>
  row.status === 'trialing' ? row.trialEndsAt : (row.periodEnd ?? row.trialEndsAt)

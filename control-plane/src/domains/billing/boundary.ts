import type { SubscriptionRow } from './subscription-store.ts'

/** When the paid or free time ends, which for an overdue trial is in the past. */
export const boundaryOf = (row: SubscriptionRow): Date | null =>
  row.status === 'trialing' ? row.trialEndsAt : (row.periodEnd ?? row.trialEndsAt)

/** From when on the present period is free; null if all of it is paid. */
export const freeFromOf = ({ freeFrom, periodStart }: SubscriptionRow): Date | null =>
  freeFrom !== null && periodStart !== null && freeFrom >= periodStart ? freeFrom : null

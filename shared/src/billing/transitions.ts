import type { SubscriptionStatus } from '../plans.ts'

/** What happens to a subscription. */
export const SUBSCRIPTION_EVENTS = [
  'trial_granted',
  'first_paid',
  'checkout_over',
  'trial_paid',
  'trial_unpaid',
  'trial_over',
  'renewed',
  'renewal_unpaid',
  'overdue_paid',
  'place_given',
  'grace_over',
  'terminated',
  'cancel_scheduled',
  'resumed',
  'period_over',
  'canceled_overdue',
  'canceled_now',
  'paused',
  'unpaused',
  'changed',
  'extended',
] as const
export type SubscriptionEvent = (typeof SUBSCRIPTION_EVENTS)[number]

type Moves = { readonly [From in SubscriptionStatus]?: SubscriptionStatus }

/** Where each event leads from each status; everything else is refused and changes nothing. */
const TRANSITIONS: { readonly [Event in SubscriptionEvent]: Moves } = {
  trial_granted: { incomplete: 'trialing' },
  first_paid: { incomplete: 'active' },
  checkout_over: { incomplete: 'expired' },
  trial_paid: { trialing: 'active' },
  trial_unpaid: { trialing: 'past_due' },
  trial_over: { trialing: 'canceled' },
  renewed: { active: 'active' },
  renewal_unpaid: { active: 'past_due' },
  overdue_paid: { past_due: 'active', suspended: 'active' },
  place_given: { past_due: 'active' },
  grace_over: { past_due: 'suspended' },
  terminated: { suspended: 'canceled' },
  cancel_scheduled: { trialing: 'trialing', active: 'active' },
  resumed: { trialing: 'trialing', active: 'active' },
  period_over: { trialing: 'canceled', active: 'canceled', past_due: 'canceled' },
  canceled_overdue: { past_due: 'canceled', suspended: 'canceled' },
  canceled_now: {
    trialing: 'canceled',
    active: 'canceled',
    past_due: 'canceled',
    suspended: 'canceled',
  },
  paused: { trialing: 'suspended', active: 'suspended', past_due: 'suspended' },
  unpaused: { suspended: 'active' },
  changed: { trialing: 'trialing', active: 'active' },
  extended: { trialing: 'trialing', active: 'active' },
}

/** The status after an event; undefined if it may not happen in this one. */
export const statusAfter = (
  status: SubscriptionStatus,
  event: SubscriptionEvent,
): SubscriptionStatus | undefined => TRANSITIONS[event][status]

import { ManagedSubscription, Store } from '@lodge/shared/billing/billing.ts'
import {
  AssignPlan,
  ExtendSubscription,
  SuspendSubscription,
} from '@lodge/shared/billing/grants.ts'
import { get, post } from '../../../http/endpoint.ts'
import { subscription as anySubscription } from '../access.ts'
import { assignPlan as assign } from '../assign.ts'
import { extendSubscription as extend } from '../extend.ts'
import { liftByHost, suspendByHost } from '../pause.ts'
import { assignablePlans } from '../storefront.ts'
import { oneSubscription } from './for-host.ts'

const manage = { who: 'admin', may: 'billing.manage' } as const

export const listAssignablePlans = get('/api/billing/plans', {
  summary: 'The plans that can be given to customers, also hidden ones',
  access: manage,
  reply: Store,
  handle: async ({ ctx }) => ({ items: await assignablePlans(ctx) }),
})

export const assignPlan = post('/api/billing/subscriptions', {
  summary: 'Give a customer a plan, also a hidden one: as a gift, or for its price',
  access: manage,
  body: AssignPlan,
  reply: ManagedSubscription,
  status: 201,
  recorded: 'gave a customer a plan',
  handle: async ({ ctx, body }) => oneSubscription(ctx, await assign(ctx, ctx.now, body)),
})

export const grantTime = post('/api/billing/subscriptions/{id}/grant', {
  summary: 'Give free time: the paid period or the trial ends later',
  access: { ...manage, on: anySubscription },
  body: ExtendSubscription,
  reply: ManagedSubscription,
  recorded: 'gave free time to a subscription',
  handle: async ({ ctx, subscription, body }) => {
    await extend(ctx, ctx.now, subscription, body)
    return oneSubscription(ctx, subscription.id)
  },
})

export const suspendSubscription = post('/api/billing/subscriptions/{id}/suspend', {
  summary: 'Suspend a subscription: its server is off, and its time stands still',
  access: { ...manage, on: anySubscription },
  body: SuspendSubscription,
  reply: ManagedSubscription,
  recorded: 'suspended a subscription',
  handle: async ({ ctx, subscription, body }) => {
    await suspendByHost(ctx, subscription, body.reason)
    return oneSubscription(ctx, subscription.id)
  },
})

export const liftSubscription = post('/api/billing/subscriptions/{id}/unsuspend', {
  summary: 'Lift what the host suspended; other reasons stay',
  access: { ...manage, on: anySubscription },
  reply: ManagedSubscription,
  recorded: 'lifted the suspension of a subscription',
  handle: async ({ ctx, subscription }) => {
    await liftByHost(ctx, subscription)
    return oneSubscription(ctx, subscription.id)
  },
})

import { z } from 'zod'
import { personName } from './accounts.ts'
import { LimitLayer } from './limits/keys.ts'

/** How a subscription stands; what each means for servers and limits is the business of billing. */
export const SUBSCRIPTION_STATUSES = [
  'incomplete',
  'trialing',
  'active',
  'past_due',
  'suspended',
  'canceled',
  'expired',
] as const
export const SubscriptionStatus = z.enum(SUBSCRIPTION_STATUSES)

export const PLAN_KINDS = ['server', 'account'] as const

const Description = z.string().trim().max(4000)

/** What customers subscribe to. The limits of an account plan reach every live subscriber at once. */
export const Plan = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(PLAN_KINDS),
  description: z.string(),
  limits: LimitLayer,
  /** How many customers have it, by the status of their subscription. */
  subscribers: z.record(SubscriptionStatus, z.int()),
  /** Since when nobody new gets it; null while it can be had. */
  archivedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})
export type Plan = z.infer<typeof Plan>

export const CreatePlan = z.strictObject({
  name: personName.max(80),
  /** Plans of servers come with the store that sells them. */
  kind: z.literal('account'),
  description: Description.optional(),
  limits: LimitLayer.optional(),
})
export type CreatePlan = z.infer<typeof CreatePlan>

export const EditPlan = CreatePlan.omit({ kind: true })
export type EditPlan = z.infer<typeof EditPlan>

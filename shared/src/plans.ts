import { z } from 'zod'
import { personName } from './accounts.ts'
import { LimitLayer } from './limits/keys.ts'

/** States of a subscription; billing decides what each means for servers and limits. */
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

/** What customers subscribe to. Changing an account plan's limits affects every live subscriber at once. */
export const Plan = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(PLAN_KINDS),
  description: z.string(),
  limits: LimitLayer,
  /** The number of customers by subscription status. */
  subscribers: z.record(SubscriptionStatus, z.int()),
  /** When it was closed to new customers; null while it is available. */
  archivedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})
export type Plan = z.infer<typeof Plan>

export const CreatePlan = z.strictObject({
  name: personName.max(80),
  /** Server plans will come with the store that sells them. */
  kind: z.literal('account'),
  description: Description.optional(),
  limits: LimitLayer.optional(),
})
export type CreatePlan = z.infer<typeof CreatePlan>

export const EditPlan = CreatePlan.omit({ kind: true })
export type EditPlan = z.infer<typeof EditPlan>

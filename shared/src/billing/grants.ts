import { z } from 'zod'
import { StartCheckout } from './billing.ts'

/** What the customer is told; on one line, as it stands within sentences. */
const Reason = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]*$/u, { message: 'must be visible characters' })

export const SuspendSubscription = z.strictObject({
  reason: Reason.describe('the customer reads it'),
})
export type SuspendSubscription = z.infer<typeof SuspendSubscription>

export const ExtendSubscription = z.strictObject({
  days: z.int().min(1).max(366),
  reason: Reason.optional().describe('the customer reads it'),
})
export type ExtendSubscription = z.infer<typeof ExtendSubscription>

/** A plan that the host gives a customer, also one that nobody can buy. */
export const AssignPlan = z.strictObject({
  userId: z.uuid(),
  planId: z.uuid(),
  /** Null costs nothing and does not end by itself. */
  price: StartCheckout.pick({ cycle: true, currency: true })
    .extend({
      freeDays: z
        .int()
        .min(0)
        .max(366)
        .describe(
          'it begins at once, and is invoiced so many days later; 0 begins when it is paid',
        ),
    })
    .nullable(),
  server: StartCheckout.shape.server,
  serverId: z
    .uuid()
    .optional()
    .describe(
      'instead of a new server, one that this customer has: of a subscription that ended, whose deletion is cancelled, or of none',
    ),
})
export type AssignPlan = z.infer<typeof AssignPlan>

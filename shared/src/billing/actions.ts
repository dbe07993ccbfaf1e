import { z } from 'zod'

const Action = z.object({ allowed: z.boolean(), reason: z.string().nullable() })

/** What a customer may do with a subscription. */
export const SubscriptionActions = z.object({
  ...{ cancel: Action, resume: Action, change: Action, pay: Action },
  /** The page of a provider that knows the customer. */
  portal: Action,
  /** To charge an open invoice of it with the saved payment method. */
  retry: Action,
})

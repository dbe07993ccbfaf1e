import { z } from 'zod'
import { CYCLES } from './cycles.ts'
import { Amount, Currency } from './money.ts'

const MAX_TRIAL_DAYS = 365
const MAX_PRICES = 100

/** What a plan costs for each period of one length. */
export const PriceInput = z.strictObject({
  cycle: z.enum(CYCLES),
  amount: Amount,
  currency: Currency,
  /** Days that a customer's first subscription to the plan is free. */
  trialDays: z.int().min(0).max(MAX_TRIAL_DAYS).optional(),
  /** What the first invoice has besides. */
  setupFee: Amount.optional(),
})
export type PriceInput = z.infer<typeof PriceInput>

export const PriceList = z
  .array(PriceInput)
  .max(MAX_PRICES)
  .superRefine((prices, ctx) => {
    for (const [at, { cycle, currency }] of prices.entries())
      if (prices.findIndex((one) => one.cycle === cycle && one.currency === currency) < at)
        ctx.addIssue({
          code: 'custom',
          path: [at],
          message: `is a second price for ${cycle} in ${currency}`,
        })
  })

export const Price = z.object({
  id: z.uuid(),
  cycle: z.enum(CYCLES),
  amount: Amount,
  currency: z.string(),
  trialDays: z.int(),
  setupFee: Amount,
  createdAt: z.iso.datetime(),
})
export type Price = z.infer<typeof Price>

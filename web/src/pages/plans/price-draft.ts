import type { Cycle } from '@lodge/shared/billing/cycles.ts'
import type { PriceInput } from '@lodge/shared/billing/prices.ts'
import { z } from 'zod'
import { readAmount, typedAmount } from './typed-amount.ts'
import { t } from './words.ts'

/** One price in the form, with its amounts as text. */
export interface PriceDraft {
  readonly cycle: Cycle
  readonly currency: string
  readonly amount: string
  readonly setupFee: string
  readonly trialDays: string
}

export const draftOfPrice = ({
  cycle,
  currency,
  amount,
  setupFee = 0,
  trialDays = 0,
}: PriceInput): PriceDraft => ({
  cycle,
  currency,
  amount: typedAmount(amount, currency),
  setupFee: setupFee === 0 ? '' : typedAmount(setupFee, currency),
  trialDays: trialDays === 0 ? '' : String(trialDays),
})

const MAX_TRIAL_DAYS = 365

/** Reports each unreadable field, and a second price with the same currency and cycle. */
export const PriceDrafts = z
  .object({ prices: z.array(z.custom<PriceDraft>()) })
  .superRefine(({ prices }, ctx) => {
    const wrong = (at: number, field: keyof PriceDraft, message: string) =>
      ctx.addIssue({ code: 'custom', path: ['prices', at, field], message })
    for (const [at, { cycle, currency, amount, setupFee, trialDays }] of prices.entries()) {
      if (readAmount(amount, currency) === undefined) wrong(at, 'amount', t.notAnAmount)
      if (setupFee.trim() !== '' && readAmount(setupFee, currency) === undefined)
        wrong(at, 'setupFee', t.notAnAmount)
      if (!/^\d{0,3}$/.test(trialDays.trim()) || Number(trialDays) > MAX_TRIAL_DAYS)
        wrong(at, 'trialDays', t.trialTooLong)
      if (prices.findIndex((one) => one.cycle === cycle && one.currency === currency) < at)
        wrong(at, 'cycle', t.secondPrice)
    }
  })

export const priceOfDraft = ({ cycle, currency, ...typed }: PriceDraft): PriceInput => ({
  cycle,
  currency,
  amount: readAmount(typed.amount, currency) ?? 0,
  setupFee: readAmount(typed.setupFee, currency) ?? 0,
  trialDays: Number(typed.trialDays),
})

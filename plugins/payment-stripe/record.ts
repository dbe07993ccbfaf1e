import type { TaxRecord, TaxReversal } from '../../shared/src/plugins/tax.ts'
import type { Host } from '../sdk/index.ts'
import type { Fields, Stripe } from './api.ts'
import { toStripe } from './money.ts'
import { numberOf } from './read.ts'
import { calculate, quoteOf } from './tax.ts'

const SECOND_MS = 1000
/** A sale from before this counts as of now. */
const LATE_MS = 3_600_000
/** The calculation was made shortly before Lodge issued the invoice. */
const LATEST_CALCULATION_MS = 60_000

/**
 * Creates the tax transaction of an invoice from its calculation, so that it appears in the reports
 * of Stripe Tax.
 */
export async function recordTax(
  host: Host,
  stripe: Stripe,
  asked: TaxRecord,
): Promise<{ ref: string }> {
  const { quoteRef, reference, issuedAt, key } = asked
  const create = async (calculation: string, more: Fields = {}) => {
    const made = await stripe.post(
      '/tax/transactions/create_from_calculation',
      { calculation, reference, ...more },
      // Another calculation needs another idempotency key.
      `${key}:${calculation}`,
    )
    return { ref: String(made.id) }
  }
  const issued = Date.parse(issuedAt)
  const isLate = Date.now() - issued > LATE_MS
  const postedAt = { posted_at: Math.ceil((issued + LATEST_CALCULATION_MS) / SECOND_MS) }
  try {
    return await create(quoteRef, isLate ? postedAt : {})
  } catch (error) {
    if (!isRefusal(error) || !(await isExpired(stripe, quoteRef))) throw error
  }
  const again = await calculate(host, stripe, asked)
  if (quoteOf(again).total !== asked.total)
    throw host.refusal(
      'tax_changed',
      `Stripe calculates another tax by now than stands on ${reference}: record it at Stripe yourself`,
    )
  return create(String(again.id))
}

const isRefusal = (error: unknown): boolean => typeof Object(error).code === 'string'

/** Stripe keeps calculations for ninety days. */
async function isExpired(stripe: Stripe, calculation: string): Promise<boolean> {
  const found = await stripe.find(`/tax/calculations/${encodeURIComponent(calculation)}`)
  return found === null || numberOf(found.expires_at) * SECOND_MS <= Date.now()
}

/** Reverses a tax transaction, in whole or in part. */
export async function reverseTax(
  stripe: Stripe,
  { recordRef, reference, currency, amount, whole, key }: TaxReversal,
): Promise<{ ref: string }> {
  const made = await stripe.post(
    '/tax/transactions/create_reversal',
    {
      ...{ original_transaction: recordRef, reference },
      ...(whole
        ? { mode: 'full' }
        : { mode: 'partial', flat_amount: -toStripe(amount, currency, 'down') }),
    },
    key,
  )
  return { ref: String(made.id) }
}

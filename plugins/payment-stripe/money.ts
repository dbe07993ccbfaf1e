/**
 * Currencies without decimals that Stripe counts in hundredths all the same
 * (docs.stripe.com/currencies, special cases).
 */
const HUNDREDTHS = ['ISK', 'UGX']
/** Currencies with three decimals, of which Stripe takes only amounts that end with 0. */
const TENS = ['BHD', 'JOD', 'KWD', 'OMR', 'TND']

/** An amount in minor units of ISO 4217, as Stripe counts it. */
export function toStripe(amount: number, currency: string): number {
  if (HUNDREDTHS.includes(currency)) return amount * 100
  return TENS.includes(currency) ? Math.round(amount / 10) * 10 : amount
}

/** An amount of Stripe in minor units of ISO 4217. */
export const fromStripe = (amount: number, currency: string): number =>
  HUNDREDTHS.includes(currency) ? Math.round(amount / 100) : amount

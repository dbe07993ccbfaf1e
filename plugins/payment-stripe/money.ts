/**
 * Currencies without decimals that Stripe nevertheless counts in hundredths
 * (docs.stripe.com/currencies, special cases).
 */
const HUNDREDTHS = ['ISK', 'UGX']
/** Currencies with three decimals, for which Stripe accepts only amounts that end with 0. */
const TENS = ['BHD', 'JOD', 'KWD', 'OMR', 'TND']

/**
 * Converts an amount in minor units of ISO 4217 to Stripe's units.
 * @param rounded how, where Stripe is less exact: up what is collected, or an invoice would never be paid in
 * full (the rest is for the balance), and down what goes back, which is never more than was collected
 */
export function toStripe(
  amount: number,
  currency: string,
  rounded: 'up' | 'down' | 'nearest' = 'nearest',
): number {
  if (HUNDREDTHS.includes(currency)) return amount * 100
  return TENS.includes(currency) ? ROUND[rounded](amount / 10) * 10 : amount
}
const ROUND = { up: Math.ceil, down: Math.floor, nearest: Math.round }

/** Converts an amount in Stripe's units to minor units of ISO 4217. */
export const fromStripe = (amount: number, currency: string): number =>
  HUNDREDTHS.includes(currency) ? Math.round(amount / 100) : amount

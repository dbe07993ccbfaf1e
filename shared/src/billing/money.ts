import { z } from 'zod'
import { CURRENCY_DECIMALS } from './currencies.ts'

/** The biggest amount that anything may cost. */
export const MAX_AMOUNT = 9_999_999_999

/** An amount in a currency's smallest unit, such as cents. */
export const Amount = z.int().min(0).max(MAX_AMOUNT)

/** A code of ISO 4217 in capitals. */
export const Currency = z
  .string()
  .refine((code) => CURRENCY_DECIMALS.has(code), 'Give a currency’s code, such as EUR.')

/** What something costs. */
export const Money = z.strictObject({ amount: Amount, currency: Currency })
export type Money = z.infer<typeof Money>

const decimalsOf = (currency: string): number => {
  const decimals = CURRENCY_DECIMALS.get(currency)
  if (decimals === undefined) throw new RangeError(`${currency} is no currency of ISO 4217`)
  return decimals
}

/** The amount as a decimal number in the currency's main unit, such as 9.99 for 999 cents; never through a float. */
export function amountToDecimal(amount: number, currency: string): string {
  const decimals = decimalsOf(currency)
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0')
  const sign = amount < 0 ? '-' : ''
  if (decimals === 0) return sign + digits
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The amount that a person typed with a point or a comma; undefined if it has too many places or is no amount. */
export function amountFromDecimal(typed: string, currency: string): number | undefined {
  const parts = /^(\d{1,10})(?:[.,](\d{1,4}))?$/.exec(typed.trim())
  const decimals = decimalsOf(currency)
  const [, whole = '', places = ''] = parts ?? []
  if (!parts || places.length > decimals) return undefined
  const amount = Number(whole + places.padEnd(decimals, '0'))
  return amount <= MAX_AMOUNT ? amount : undefined
}

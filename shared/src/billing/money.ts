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

/** What people write between the whole and its parts; the other one may part thousands. */
export type DecimalMark = '.' | ','

/**
 * The amount that a person typed with a point or a comma, also with thousands parted by the other: `1.234,56` is
 * `1,234.56`. Undefined if it has too many places, is no amount, or could be two.
 * @param mark what the person writes; it decides what `1.234` is of a currency with three places
 */
export function amountFromDecimal(
  typed: string,
  currency: string,
  mark: DecimalMark = '.',
): number | undefined {
  const decimals = decimalsOf(currency)
  const [whole, places] = partsOf(typed.trim(), mark) ?? []
  if (whole === undefined || places === undefined || places.length > decimals) return undefined
  const amount = Number(whole + places.padEnd(decimals, '0'))
  return amount <= MAX_AMOUNT ? amount : undefined
}

const THOUSANDS = /^\d{1,3}(?:\.\d{3})+(?:,\d{1,4})?$|^\d{1,3}(?:,\d{3})+(?:\.\d{1,4})?$/

/** The digits before and after the decimal mark; undefined if it is not certain which it is. */
function partsOf(typed: string, mark: DecimalMark): readonly [string, string] | undefined {
  const marks = typed.replaceAll(/[^.,]/g, '')
  if (marks.length < 2) {
    const [, whole = '', places = ''] = /^(\d{1,10})(?:[.,](\d{1,4}))?$/.exec(typed) ?? []
    const isThousand = marks !== '' && marks !== mark && places.length === 3
    return whole === '' || isThousand ? undefined : [whole, places]
  }
  if (!THOUSANDS.test(typed)) return undefined
  // Of one mark alone there are several: it parts thousands.
  const isLast = marks.at(-1) !== marks.at(0)
  const at = isLast ? typed.lastIndexOf(marks.at(-1) ?? '') : typed.length
  return [typed.slice(0, at).replaceAll(/[.,]/g, ''), typed.slice(at + 1)]
}

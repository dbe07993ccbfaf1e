import { amountFromDecimal, amountToDecimal } from '@lodge/shared/billing/money.ts'
import { decimalMark, typedDecimal } from '../../ui/locale/decimals.ts'

/** An amount in a field, as the reader would type it: `9.99`, `9,99`. */
export const typedAmount = (amount: number, currency: string): string =>
  typedDecimal(amountToDecimal(amount, currency))

/** The amount that somebody typed; undefined if it is none, or could be two. */
export const readAmount = (typed: string, currency: string): number | undefined =>
  amountFromDecimal(typed, currency, decimalMark())

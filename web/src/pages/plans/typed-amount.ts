import { amountFromDecimal, amountToDecimal } from '@lodge/shared/billing/money.ts'
import { decimalMark, typedDecimal } from '../../ui/locale/decimals.ts'

/** An amount in a field, in the reader's format: `9.99`, `9,99`. */
export const typedAmount = (amount: number, currency: string): string =>
  typedDecimal(amountToDecimal(amount, currency))

/** Parses a typed amount; undefined if it is unreadable or ambiguous. */
export const readAmount = (typed: string, currency: string): number | undefined =>
  amountFromDecimal(typed, currency, decimalMark())

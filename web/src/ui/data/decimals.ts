import type { DecimalMark } from '@lodge/shared/billing/money.ts'
import { locale } from './timestamps.ts'

/** What the reader writes between the whole and its parts: `.`, or `,` in German. */
export const decimalMark = (): DecimalMark =>
  new Intl.NumberFormat(locale()).formatToParts(0.5).some(({ value }) => value === ',') ? ',' : '.'

/** A decimal number in a field, as the reader would type it: `0.5`, `0,5`. */
export const typedDecimal = (decimal: string | number): string =>
  String(decimal).replace('.', decimalMark())

/** The number that somebody typed with a point or a comma; NaN for anything else. */
export const readDecimal = (typed: string): number =>
  /^\s*\d+([.,]\d+)?\s*$/.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN

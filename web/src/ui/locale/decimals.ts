import type { DecimalMark } from '@lodge/shared/billing/money.ts'
import { locale } from './timestamps.ts'

/** The reader's decimal separator: `.`, or `,` in German. */
export const decimalMark = (): DecimalMark =>
  new Intl.NumberFormat(locale()).formatToParts(0.5).some(({ value }) => value === ',') ? ',' : '.'

/** A decimal number in a field, as the reader would type it: `0.5`, `0,5`. */
export const typedDecimal = (decimal: string | number): string =>
  String(decimal).replace('.', decimalMark())

/**
 * Groups of thousands with the same separator, optionally followed by decimals after another one:
 * `1.500`, `1,234.5`, `1’500`, `1 500`.
 */
const GROUPED = /^[1-9]\d{0,2}([.,\s'’])\d{3}(\1\d{3})*(?:(?!\1)[.,]\d+)?$/

/**
 * Parses a typed number, with a point or a comma as the decimal separator and optional thousands
 * separators. A single separator before three digits means what it means to the reader: `1.500` is
 * 1500 in German and 1.5 in English. NaN for anything else.
 */
export function readDecimal(typed: string): number {
  const text = typed.trim()
  const [, mark = '', further] = GROUPED.exec(text) ?? []
  const isGrouped =
    mark !== '' && (further !== undefined || mark !== decimalMark() || hasPart(text, mark))
  const plain = isGrouped ? text.replaceAll(mark, '') : text
  return /^\d+([.,]\d+)?$/.test(plain) ? Number(plain.replace(',', '.')) : Number.NaN
}

const hasPart = (text: string, mark: string): boolean => /[.,]/.test(text.replaceAll(mark, ''))

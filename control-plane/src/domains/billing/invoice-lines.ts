import type { InvoiceLine, LineTax } from '@lodge/shared/billing/billing.ts'
import { localeOf, type Reader } from '../../moment-text.ts'
import { wordsFor } from '../../said-in.ts'
import { t } from './words.ts'

export const sumOf = (lines: readonly Pick<InvoiceLine, 'amount'>[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0)

/** The total of an invoice with tax, before the balance is used or credited. */
export const costOf = (lines: readonly InvoiceLine[]): number =>
  sumOf(lines.filter(({ kind }) => kind !== 'adjustment'))

const extra = (kind: InvoiceLine['kind'], amount: number): InvoiceLine => ({
  ...{ kind, description: '', amount, periodStart: null, periodEnd: null },
})

export const taxLine = ({ name, jurisdiction, percent }: LineTax, amount: number): InvoiceLine => ({
  ...extra('tax', amount),
  tax: { name, jurisdiction, percent: percent === null ? null : String(Number(percent)) },
})

/**
 * Pays the sum from the balance as far as it goes, or credits a negative sum to it, so that an
 * invoice is never negative.
 * @returns the lines, whose sum is left to pay, and the change of the balance
 */
export function settled(
  lines: readonly InvoiceLine[],
  balance: number,
): { lines: InvoiceLine[]; total: number; change: number } {
  const sum = sumOf(lines)
  const change = sum < 0 ? -sum : -Math.min(Math.max(0, balance), sum)
  if (change === 0) return { lines: [...lines], total: sum, change: 0 }
  return { lines: [...lines, extra('adjustment', change)], total: sum + change, change }
}

/** The lines, with a text for those that are not named after a plan. */
export function worded(lines: readonly InvoiceLine[], reader: Reader): InvoiceLine[] {
  const words = wordsFor(t, reader)
  const said = {
    setup: () => words.setup,
    proration_credit: () => words.restOfPlan,
    tax: ({ tax }: InvoiceLine) => (tax ? taxText(tax, reader) : ''),
    adjustment: ({ amount }: InvoiceLine) => (amount > 0 ? words.toBalance : words.fromBalance),
  } as const satisfies Partial<Record<InvoiceLine['kind'], (line: InvoiceLine) => string>>
  return lines.map((line) =>
    line.kind in said ? { ...line, description: said[line.kind as keyof typeof said](line) } : line,
  )
}

const MOST_DIGITS = 4

/** A tax as an invoice shows it, such as `VAT 19% (DE)`. */
function taxText({ name, jurisdiction, percent }: LineTax, reader: Reader): string {
  const words = wordsFor(t, reader)
  const locale = reader.locale ?? localeOf(reader.language)
  const rate =
    percent === null
      ? name
      : words.tax({
          name,
          percent: new Intl.NumberFormat(locale, { maximumFractionDigits: MOST_DIGITS }).format(
            Number(percent),
          ),
        })
  return jurisdiction === null ? rate : words.taxOf({ tax: rate, jurisdiction })
}

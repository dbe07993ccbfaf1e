import type { BillingSettings, InvoiceLine } from '@lodge/shared/billing/billing.ts'
import { localeOf, type Reader } from '../../moment-text.ts'
import { wordsFor } from '../../said-in.ts'
import { t } from './words.ts'

const WHOLE = 10_000n

/** The tax on an amount, which may be negative, in whole units; halves are rounded away from zero. */
function taxOn(amount: number, basisPoints: number): number {
  const tax = (BigInt(Math.abs(amount)) * BigInt(basisPoints) * 2n + WHOLE) / (WHOLE * 2n)
  return amount < 0 ? -Number(tax) : Number(tax)
}

export const sumOf = (lines: readonly Pick<InvoiceLine, 'amount'>[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0)

const extra = (kind: InvoiceLine['kind'], amount: number): InvoiceLine => ({
  ...{ kind, description: '', amount, periodStart: null, periodEnd: null },
})

/** The lines with their tax. */
export function taxed(lines: readonly InvoiceLine[], tax: BillingSettings['tax']): InvoiceLine[] {
  const amount = tax === null ? 0 : taxOn(sumOf(lines), tax.basisPoints)
  if (tax === null || amount === 0) return [...lines]
  return [...lines, extra('tax', amount)]
}

/**
 * Takes what is owed from the balance, or puts there what is given back: an invoice never asks for
 * less than nothing.
 * @returns the lines, whose sum is what is left to pay, and the change of the balance
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

/** The lines with words for those that are not named after a plan. */
export function worded(
  lines: readonly InvoiceLine[],
  tax: BillingSettings['tax'],
  reader: Reader,
): InvoiceLine[] {
  const words = wordsFor(t, reader)
  const percent = new Intl.NumberFormat(reader.locale ?? localeOf(reader.language), {
    maximumFractionDigits: 2,
  }).format((tax?.basisPoints ?? 0) / 100)
  const said = {
    setup: () => words.setup,
    proration_credit: () => words.restOfPlan,
    tax: () => words.tax({ name: tax?.name ?? '', percent }),
    adjustment: (amount: number) => (amount > 0 ? words.toBalance : words.fromBalance),
  } as const satisfies Partial<Record<InvoiceLine['kind'], (amount: number) => string>>
  return lines.map((line) =>
    line.kind in said
      ? { ...line, description: said[line.kind as keyof typeof said](line.amount) }
      : line,
  )
}

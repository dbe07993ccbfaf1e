import type { InvoiceLine } from '@lodge/shared/billing/billing.ts'

/**
 * The tax that goes back of an invoice, by its taxes: each has its part of it, and they add up to it. The
 * report of revenue counts by the same parts.
 */
export function taxesIn(lines: readonly InvoiceLine[], tax: number): InvoiceLine[] {
  const own = lines.filter(({ kind, amount }) => kind === 'tax' && amount > 0)
  const whole = own.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  let sum = 0n
  const upTo = () => (sum * BigInt(tax)) / whole
  return own.flatMap((line) => {
    const before = upTo()
    sum += BigInt(line.amount)
    const amount = Number(upTo() - before)
    return amount === 0 ? [] : [{ ...line, amount }]
  })
}

import type { InvoiceLine } from '@lodge/shared/billing/billing.ts'

/**
 * Splits the refunded tax of an invoice among its taxes, in proportion; the parts add up to it. The
 * revenue report uses the same split.
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

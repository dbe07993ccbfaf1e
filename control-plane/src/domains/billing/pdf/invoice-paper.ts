import type { InvoiceLine } from '@lodge/shared/billing/billing.ts'
import { amountToDecimal } from '@lodge/shared/billing/money.ts'
import { sumOf } from '../invoice-lines.ts'
import type { InvoiceRow } from '../invoice-store.ts'
import type { Paper } from './paper.ts'

export const dayOf = (at: Date): string =>
  at.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** Name and address as lines; a mail address stands where there is no name. */
export const addressLines = (...texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '')

function noteOf({ periodStart, periodEnd }: InvoiceLine): string {
  if (periodStart === null || periodEnd === null) return ''
  return `${dayOf(new Date(periodStart))} to ${dayOf(new Date(periodEnd))}`
}

export const rowsOf = (lines: readonly InvoiceLine[], money: (amount: number) => string) =>
  lines
    .filter(({ kind }) => kind !== 'tax' && kind !== 'adjustment')
    .map((line) => ({
      ...{ text: line.description, note: noteOf(line), amount: money(line.amount) },
    }))

/** An invoice as it is printed: its lines, the tax, what came from the balance, and the total. */
export function paperOfInvoice(invoice: InvoiceRow, panelName: string): Paper {
  const { lines, currency, total, amountPaid, buyer, sender, status } = invoice
  const money = (amount: number) => `${amountToDecimal(amount, currency)} ${currency}`
  const extra = (kind: InvoiceLine['kind']) =>
    lines
      .filter((line) => line.kind === kind)
      .map(({ description, amount }) => ({ text: description, amount: money(amount) }))
  const net = sumOf(lines.filter(({ kind }) => kind !== 'tax' && kind !== 'adjustment'))
  const due = status === 'open' ? total - amountPaid : 0
  return {
    ...{ title: 'Invoice', number: invoice.number, issuedAt: invoice.issuedAt },
    from: addressLines(sender === '' ? panelName : sender),
    to: addressLines(buyer.name, buyer.address ?? '', buyer.email),
    facts: [
      ['Issued', dayOf(invoice.issuedAt)],
      ['Due', dayOf(invoice.dueAt)],
      ...(invoice.paidAt ? [['Paid', dayOf(invoice.paidAt)] as const] : []),
    ],
    rows: rowsOf(lines, money),
    sums: [
      { text: 'Net', amount: money(net) },
      ...extra('tax'),
      ...extra('adjustment'),
      { text: 'Total', amount: money(total), bold: true },
      ...(amountPaid > 0 ? [{ text: 'Paid', amount: money(amountPaid) }] : []),
      ...(due > 0 ? [{ text: 'Left to pay', amount: money(due), bold: true as const }] : []),
    ],
    remarks:
      status === 'void'
        ? ['This invoice is void: nothing is owed for it.']
        : status === 'paid'
          ? ['This invoice is paid. Thank you.']
          : [`Name ${invoice.number} as the reference of your payment.`],
  }
}

import type { InvoiceLine } from '@lodge/shared/billing/billing.ts'
import { localeOf, type Reader } from '../../../moment-text.ts'
import { wordsFor } from '../../../said-in.ts'
import { amountText } from '../amount-text.ts'
import { sumOf } from '../invoice-lines.ts'
import type { InvoiceRow } from '../invoice-store.ts'
import { paperReader } from '../paper-reader.ts'
import { t } from '../words.ts'
import type { Paper } from './paper.ts'

/** A date in the reader's format. */
export const dayOf = (at: Date, { language, locale }: Reader): string =>
  at.toLocaleDateString(locale ?? localeOf(language), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** Name and address as lines; without a name, the mail address takes its place. */
export const addressLines = (...texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '')

function noteOf({ periodStart, periodEnd }: InvoiceLine, reader: Reader): string {
  if (periodStart === null || periodEnd === null) return ''
  const [from, to] = [dayOf(new Date(periodStart), reader), dayOf(new Date(periodEnd), reader)]
  return wordsFor(t, reader).period({ from, to })
}

/** The tax number of a buyer as a line; empty without one. */
export const numberOf = ({ taxNumber }: InvoiceRow['buyer'], reader: Reader): string =>
  taxNumber === undefined ? '' : wordsFor(t, reader).taxNumber({ number: taxNumber })

/**
 * The printed form of an invoice: its lines, the tax, what came from the balance, and the total.
 * @param instructions how it is paid, printed while it is not
 */
export function paperOfInvoice(
  invoice: InvoiceRow,
  { panelName, instructions }: { panelName: string; instructions: string },
): Paper {
  const { number, lines, currency, total, amountPaid, buyer, sender, status } = invoice
  const reader = paperReader(invoice.locale)
  const words = wordsFor(t, reader)
  const money = (amount: number) => amountText({ amount, currency }, reader)
  const extra = (kind: InvoiceLine['kind']) =>
    lines
      .filter((line) => line.kind === kind)
      .map(({ description, amount }) => ({ text: description, amount: money(amount) }))
  const own = lines.filter(({ kind }) => kind !== 'tax' && kind !== 'adjustment')
  const due = status === 'open' ? total - amountPaid : 0
  return {
    ...{ title: words.invoice, number, issuedAt: invoice.issuedAt, language: reader.language },
    from: addressLines(sender === '' ? panelName : sender),
    to: addressLines(buyer.name, buyer.address ?? '', buyer.email, numberOf(buyer, reader)),
    facts: [
      [words.issued, dayOf(invoice.issuedAt, reader)],
      [words.due, dayOf(invoice.dueAt, reader)],
      ...(invoice.paidAt ? [[words.paid, dayOf(invoice.paidAt, reader)] as const] : []),
    ],
    heads: { text: words.description, amount: words.amount },
    rows: own.map((line) => ({
      ...{ text: line.description, note: noteOf(line, reader), amount: money(line.amount) },
    })),
    sums: [
      { text: words.net, amount: money(sumOf(own)) },
      ...extra('tax'),
      ...extra('adjustment'),
      { text: words.total, amount: money(total), bold: true },
      ...(amountPaid > 0 ? [{ text: words.amountPaid, amount: money(amountPaid) }] : []),
      ...(due > 0 ? [{ text: words.leftToPay, amount: money(due), bold: true as const }] : []),
    ],
    remarks:
      status === 'void'
        ? [words.isVoid]
        : status === 'paid'
          ? [words.isPaid]
          : [...addressLines(instructions), words.reference({ number })],
  }
}

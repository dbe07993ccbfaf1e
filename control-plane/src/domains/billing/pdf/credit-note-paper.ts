import { wordsFor } from '../../../said-in.ts'
import { amountText } from '../amount-text.ts'
import type { InvoiceRow } from '../invoice-store.ts'
import { paperReader } from '../paper-reader.ts'
import type { RefundRow } from '../refunds/refund-store.ts'
import { taxesIn } from '../tax/shares.ts'
import { t } from '../words.ts'
import { addressLines, dayOf, numberOf } from './invoice-paper.ts'
import type { Paper } from './paper.ts'

/** The printed form of a credit note: what was refunded of an invoice, with its tax. */
export function paperOfCreditNote(
  refund: RefundRow,
  { number, lines, currency, buyer, sender, planName, issuedAt, locale }: InvoiceRow,
  panelName: string,
): Paper {
  const reader = paperReader(locale)
  const words = wordsFor(t, reader)
  const money = (amount: number) => amountText({ amount, currency }, reader)
  const at = refund.settledAt ?? refund.createdAt
  const taxes = taxesIn(lines, refund.tax)
  const net = money(refund.tax - refund.amount)
  return {
    ...{ title: words.creditNote, number: refund.number ?? '', issuedAt: at },
    language: reader.language,
    from: addressLines(sender === '' ? panelName : sender),
    to: addressLines(buyer.name, buyer.address ?? '', buyer.email, numberOf(buyer, reader)),
    facts: [
      [words.issued, dayOf(at, reader)],
      [words.forInvoice, number],
      [words.ofDay, dayOf(issuedAt, reader)],
    ],
    heads: { text: words.description, amount: words.amount },
    rows: [{ text: words.refundOf({ plan: planName }), note: refund.reason, amount: net }],
    sums: [
      { text: words.net, amount: net },
      ...taxes.map((tax) => ({ text: tax.description, amount: money(-tax.amount) })),
      { text: words.total, amount: money(-refund.amount), bold: true },
    ],
    remarks: [refund.state === 'reversed' ? words.reversed : words.wentBack({ way: refund.way })],
  }
}

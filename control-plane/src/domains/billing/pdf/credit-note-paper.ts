import { wordsFor } from '../../../said-in.ts'
import { amountText } from '../amount-text.ts'
import type { InvoiceRow } from '../invoice-store.ts'
import { paperReader } from '../paper-reader.ts'
import type { RefundRow } from '../refunds/refund-store.ts'
import { t } from '../words.ts'
import { addressLines, dayOf } from './invoice-paper.ts'
import type { Paper } from './paper.ts'

/** A credit note as it is printed: what went back of an invoice, with the tax in it. */
export function paperOfCreditNote(
  refund: RefundRow,
  { number, lines, currency, buyer, sender, planName, issuedAt, locale }: InvoiceRow,
  panelName: string,
): Paper {
  const reader = paperReader(locale)
  const words = wordsFor(t, reader)
  const money = (amount: number) => amountText({ amount, currency }, reader)
  const at = refund.settledAt ?? refund.createdAt
  const taxName = lines.find(({ kind }) => kind === 'tax')?.description ?? ''
  const net = money(refund.tax - refund.amount)
  return {
    ...{ title: words.creditNote, number: refund.number ?? '', issuedAt: at },
    language: reader.language,
    from: addressLines(sender === '' ? panelName : sender),
    to: addressLines(buyer.name, buyer.address ?? '', buyer.email),
    facts: [
      [words.issued, dayOf(at, reader)],
      [words.forInvoice, number],
      [words.ofDay, dayOf(issuedAt, reader)],
    ],
    heads: { text: words.description, amount: words.amount },
    rows: [{ text: words.refundOf({ plan: planName }), note: refund.reason, amount: net }],
    sums: [
      { text: words.net, amount: net },
      ...(refund.tax > 0 ? [{ text: taxName, amount: money(-refund.tax) }] : []),
      { text: words.total, amount: money(-refund.amount), bold: true },
    ],
    remarks: [refund.state === 'reversed' ? words.reversed : words.wentBack({ way: refund.way })],
  }
}

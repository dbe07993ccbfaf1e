import { amountToDecimal } from '@lodge/shared/billing/money.ts'
import type { InvoiceRow } from '../invoice-store.ts'
import type { RefundRow } from '../refunds/refund-store.ts'
import { addressLines, dayOf } from './invoice-paper.ts'
import type { Paper } from './paper.ts'

const WAYS = {
  provider: 'The amount goes back the way it was paid.',
  host: 'The amount was returned to you.',
  dispute: 'The amount went back through your bank, after a dispute.',
  balance: 'The amount is on your balance and is used for your next invoices.',
} as const satisfies Record<RefundRow['way'], string>

const REVERSED = 'This credit note no longer counts: the amount could not be returned.'

/** A credit note as it is printed: what went back of an invoice, with the tax in it. */
export function paperOfCreditNote(
  refund: RefundRow,
  { number, lines, currency, buyer, sender, planName, issuedAt }: InvoiceRow,
  panelName: string,
): Paper {
  const money = (amount: number) => `${amountToDecimal(amount, currency)} ${currency}`
  const at = refund.settledAt ?? refund.createdAt
  const taxName = lines.find(({ kind }) => kind === 'tax')?.description ?? ''
  const net = money(refund.tax - refund.amount)
  return {
    ...{ title: 'Credit note', number: refund.number ?? '', issuedAt: at },
    from: addressLines(sender === '' ? panelName : sender),
    to: addressLines(buyer.name, buyer.address ?? '', buyer.email),
    facts: [
      ['Issued', dayOf(at)],
      ['For invoice', number],
      ['Of', dayOf(issuedAt)],
    ],
    rows: [{ text: `Refund: ${planName}`, note: refund.reason, amount: net }],
    sums: [
      { text: 'Net', amount: net },
      ...(refund.tax > 0 ? [{ text: taxName, amount: money(-refund.tax) }] : []),
      { text: 'Total', amount: money(-refund.amount), bold: true },
    ],
    remarks: [refund.state === 'reversed' ? REVERSED : WAYS[refund.way]],
  }
}

import type { Invoice } from '@lodge/shared/billing/billing.ts'
import { Facts } from '../../ui/page/card.tsx'
import { moneyText } from './money-words.ts'
import { t } from './words.ts'

type InvoiceLinesProps = Pick<Invoice, 'lines' | 'currency' | 'total'> & { totalName?: string }

/** The lines of an invoice with its total. */
export function InvoiceLines({ lines, currency, total, totalName }: InvoiceLinesProps) {
  return (
    <Facts
      rows={[
        ...lines.map(
          ({ description, amount }) => [description, moneyText(amount, currency)] as const,
        ),
        [totalName ?? t.total, <b key="total">{moneyText(total, currency)}</b>],
      ]}
    />
  )
}

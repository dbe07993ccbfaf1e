import type { Invoice } from '@lodge/shared/billing/billing.ts'
import type { Refund } from '@lodge/shared/billing/refunds.ts'
import { urlOf } from '../../api.ts'
import { Column, Text } from '../../ui/page/layout.tsx'
import { dayText, moneyText } from './money-words.ts'
import { t } from './words.ts'

function stateOf({ way, state, failure }: Refund): string {
  if (way === 'dispute') return state === 'pending' ? t.disputeOpen : t.disputeOver
  if (state === 'pending') return t.refundPending
  return failure === null ? t.refundFailed : t.refundFailedWhy({ why: failure })
}

const fromBalance = ({ payments }: Pick<Invoice, 'payments'>): number =>
  payments.reduce((sum, one) => sum + one.fromBalance, 0)

/** Whether anything of it or of its payments was refunded or may be. */
export const anythingBack = (invoice: Pick<Invoice, 'refunds' | 'payments'>): boolean =>
  invoice.refunds.length > 0 || fromBalance(invoice) > 0

/**
 * The refunds of an invoice, with their credit notes, and what left the balance because it was
 * returned to the payer.
 */
export const RefundList = ({
  refunds,
  payments,
  currency,
}: Pick<Invoice, 'refunds' | 'payments' | 'currency'>) => (
  <Column gap={8}>
    <Text strong>{t.refunds}</Text>
    {refunds.map((one) => (
      <div key={one.id}>
        {t.refundedOn({ amount: moneyText(one.amount, currency), when: dayText(one.createdAt) })}{' '}
        {one.state === 'reversed' ? <Text muted>{t.refundReversed}</Text> : null}{' '}
        {one.number === null ? (
          <Text muted>{stateOf(one)}</Text>
        ) : (
          <a
            href={urlOf('/api/billing/credit-notes/{id}/pdf', { params: { id: one.id } })}
            download={`${one.number}.pdf`}
          >
            {one.number}
          </a>
        )}
      </div>
    ))}
    {fromBalance({ payments }) > 0 ? (
      <div>{t.leftBalance({ amount: moneyText(fromBalance({ payments }), currency) })}</div>
    ) : null}
  </Column>
)

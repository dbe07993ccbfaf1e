import type { RevenueOfCurrency } from '@lodge/shared/billing/revenue.ts'
import { Figure } from '../../../ui/page/card.tsx'
import { Grid } from '../../../ui/page/layout.tsx'
import { moneyText } from '../money-words.ts'
import { rateText, signedText } from './figure-texts.ts'
import { t } from './words.ts'

/** The figures of the whole range. */
export function Totals({ report: { currency, total } }: { report: RevenueOfCurrency }) {
  const { recurring, customers, invoiced, overdue, averagePerCustomer } = total
  const money = (amount: number) => moneyText(amount, currency)
  return (
    <Grid least={170}>
      <Figure
        name={t.recurring}
        value={money(recurring.end)}
        note={t.change({ change: signedText(recurring.end - recurring.start, currency) })}
      />
      <Figure
        name={t.customers}
        value={customers.end}
        note={t.customersMoved({
          gained: String(customers.new + customers.reactivated),
          lost: String(customers.churned),
        })}
      />
      <Figure
        name={t.average}
        value={averagePerCustomer === null ? t.none : money(averagePerCustomer)}
      />
      <Figure
        name={t.customerChurn}
        value={rateText(total.customerChurnBasisPoints)}
        note={t.customerChurnNote}
      />
      <Figure
        name={t.revenueChurn}
        value={rateText(total.revenueChurnBasisPoints)}
        note={t.revenueChurnNote}
      />
      <Figure
        name={t.paid}
        value={money(total.paid)}
        note={t.paidNote({ net: money(invoiced.net) })}
      />
      <Figure
        name={t.refunded}
        value={money(total.refunded)}
        note={t.creditedNote({ amount: money(total.credited) })}
      />
      <Figure
        name={t.overdue}
        value={money(overdue.amount)}
        note={t.overdueNote({ count: overdue.count })}
      />
    </Grid>
  )
}

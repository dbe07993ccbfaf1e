import type {
  RevenueOfCurrency,
  RevenuePeriod,
  RevenuePrice,
  RevenueReport,
  RevenueTax,
} from '@lodge/shared/billing/revenue.ts'
import { Link } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'
import { ChartFoot } from '../../../ui/charts/chart-foot.tsx'
import type { Column } from '../../../ui/data/column.ts'
import { ExportLink } from '../../../ui/data/list-tools.tsx'
import { numberText } from '../../../ui/data/numbers.ts'
import { Table } from '../../../ui/data/table.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { amountText, priceText } from '../money-words.ts'
import { periodText, rateText } from './figure-texts.ts'
import { MovementBars } from './movement-bars.tsx'
import { t } from './words.ts'

const FILE = 'revenue.csv'

interface TablesProps {
  report: RevenueOfCurrency
  by: RevenueReport['by']
  timeZone: string
  href: string
}

/** Columns of numbers in the currency that the page names. */
const number = <T,>(header: string, cell: Column<T>['cell'], more: object = {}): Column<T> => ({
  ...{ header, cell, right: true, tight: true },
  ...more,
})

/** The movements of each period, the newest first. */
export function PeriodTables({ report, by, timeZone, href }: TablesProps) {
  const { currency, periods } = report
  const money = (amount: number) => amountText(amount, currency)
  const figure = number<RevenuePeriod>
  const newest = periods.toReversed()
  const period: Column<RevenuePeriod> = {
    header: by === 'month' ? t.month : t.week,
    role: 'title',
    cell: (one) => periodText(one, by),
  }
  return (
    <>
      <Card title={t.movements} flush actions={<ExportLink href={href} file={FILE} />}>
        <MovementBars periods={periods} />
        <Table
          label={t.movements}
          rows={newest}
          keyOf={({ from }) => from}
          empty={null}
          columns={[
            period,
            figure(t.start, ({ recurring }) => money(recurring.start), {
              secondary: true,
              card: 'none',
            }),
            figure(t.new, ({ recurring }) => money(recurring.new)),
            figure(t.reactivated, ({ recurring }) => money(recurring.reactivated)),
            figure(t.expansion, ({ recurring }) => money(recurring.expansion)),
            figure(t.contraction, ({ recurring }) => money(recurring.contraction)),
            figure(t.churned, ({ recurring }) => money(recurring.churned)),
            figure(t.end, ({ recurring }) => money(recurring.end)),
            figure(t.customers, ({ customers }) => customers.end),
            figure(t.churn, (one) => rateText(one.customerChurnBasisPoints), {
              secondary: true,
              card: 'none',
            }),
          ]}
        />
        <ChartFoot>{t.zone({ zone: timeZone })}</ChartFoot>
      </Card>
      <Card title={t.money} flush>
        <Table
          label={t.money}
          rows={newest}
          keyOf={({ from }) => from}
          empty={null}
          columns={[
            period,
            figure(t.invoices, ({ invoiced }) => invoiced.count),
            figure(t.net, ({ invoiced }) => money(invoiced.net)),
            figure(t.tax, ({ invoiced }) => money(invoiced.tax)),
            figure(t.creditNotesNet, ({ creditNotes }) => money(creditNotes.net)),
            figure(t.creditNotesTax, ({ creditNotes }) => money(creditNotes.tax)),
            figure(t.paid, ({ paid }) => money(paid)),
            figure(t.refunded, ({ refunded }) => money(refunded)),
            figure(t.credited, ({ credited }) => money(credited), {
              secondary: true,
              card: 'none',
            }),
            figure(t.fell, ({ overdue }) => overdue.fell, { secondary: true, card: 'none' }),
            figure(t.overdueAtEnd, ({ overdue }) => money(overdue.amount)),
          ]}
        />
      </Card>
    </>
  )
}

/** The totals of each tax; renders nothing without any. */
export function TaxTable({ report: { currency, taxes }, href }: PriceTableProps) {
  const figure = number<RevenueTax>
  if (taxes.length === 0) return null
  return (
    <Card title={t.taxes} flush actions={<ExportLink href={href} file={FILE} />}>
      <Table
        label={t.taxes}
        rows={taxes}
        keyOf={({ name, jurisdiction, percent }) => `${jurisdiction} ${name} ${percent}`}
        empty={null}
        columns={[
          { header: t.tax, role: 'title', cell: ({ name }: RevenueTax) => name },
          { header: t.jurisdiction, cell: ({ jurisdiction }) => jurisdiction ?? t.none },
          figure(t.taxPercent, ({ percent }) =>
            percent === null
              ? t.none
              : `${numberText(Number(percent), { maximumFractionDigits: 4 })}%`,
          ),
          figure(t.invoices, ({ invoiced }) => amountText(invoiced, currency)),
          figure(t.creditNotes, ({ credited }) => amountText(credited, currency)),
        ]}
      />
    </Card>
  )
}

interface PriceTableProps {
  report: RevenueOfCurrency
  href: string
}

/** The revenue of each price, from the start to the end. */
export function PriceTable({ report: { currency, prices }, href }: PriceTableProps) {
  const figure = number<RevenuePrice>
  const textOf = ({ amount, cycle }: RevenuePrice) =>
    amount === null || cycle === null ? t.none : priceText({ amount, currency, cycle })
  const money = (amount: number) => amountText(amount, currency)
  return (
    <Card title={t.prices} flush actions={<ExportLink href={href} file={FILE} />}>
      <Table
        label={t.prices}
        rows={prices}
        keyOf={({ priceId }) => priceId}
        empty={<Empty title={t.noPrices} />}
        columns={[
          {
            header: t.plan,
            role: 'title',
            cell: ({ planId, planName }: RevenuePrice) =>
              planName === null ? (
                t.gone
              ) : (
                <Link to={paths.plan} params={{ id: planId }}>
                  {planName}
                </Link>
              ),
          },
          { header: t.price, cell: textOf },
          figure(t.start, ({ recurring }) => money(recurring.start)),
          figure(t.end, ({ recurring }) => money(recurring.end)),
          figure(t.came, ({ subscriptions }) => subscriptions.came, {
            secondary: true,
            card: 'none',
          }),
          figure(t.left, ({ subscriptions }) => subscriptions.left, {
            secondary: true,
            card: 'none',
          }),
          figure(t.subscriptions, ({ subscriptions }) => subscriptions.end),
        ]}
      />
    </Card>
  )
}

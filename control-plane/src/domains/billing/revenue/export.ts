import { amountToDecimal } from '@lodge/shared/billing/money.ts'
import type {
  RevenueCsvQuery,
  RevenueOfCurrency,
  RevenuePeriod,
  RevenuePrice,
  RevenueTax,
} from '@lodge/shared/billing/revenue.ts'
import { type CsvColumns, csvHead, csvRow } from '@lodge/shared/csv.ts'
import type { Ctx } from '../../../context.ts'
import { revenueOf } from './report.ts'

type Line<T> = T & Pick<RevenueOfCurrency, 'currency'>
type Period = Line<RevenuePeriod>
type Price = Line<RevenuePrice>
type Tax = Line<RevenueTax>

const MOVEMENTS = [
  'start',
  'new',
  'reactivated',
  'expansion',
  'contraction',
  'churned',
  'end',
] as const
const COUNTS = ['start', 'new', 'reactivated', 'churned', 'end'] as const

/** An amount in the main unit, such as 9.99. */
const money =
  <T>(of: (line: Line<T>) => number | null) =>
  (line: Line<T>) => {
    const amount = of(line)
    return amount === null ? null : amountToDecimal(amount, line.currency)
  }
const percent = (basisPoints: number | null) => (basisPoints === null ? null : basisPoints / 100)

const PERIODS: CsvColumns<Period> = [
  ['currency', ({ currency }) => currency],
  ['from', ({ from }) => from],
  ['to', ({ to }) => to],
  ...MOVEMENTS.map(
    (name) => [`mrr_${name}`, money<RevenuePeriod>((one) => one.recurring[name])] as const,
  ),
  ...COUNTS.map(
    (name) => [`customers_${name}`, ({ customers }: Period) => customers[name]] as const,
  ),
  ['customer_churn_percent', (one) => percent(one.customerChurnBasisPoints)],
  ['revenue_churn_percent', (one) => percent(one.revenueChurnBasisPoints)],
  ['mrr_per_customer', money<RevenuePeriod>((one) => one.averagePerCustomer)],
  ['invoices', ({ invoiced }) => invoiced.count],
  ['invoiced_net', money<RevenuePeriod>(({ invoiced }) => invoiced.net)],
  ['invoiced_tax', money<RevenuePeriod>(({ invoiced }) => invoiced.tax)],
  ['credit_notes', ({ creditNotes }) => creditNotes.count],
  ['credit_notes_net', money<RevenuePeriod>(({ creditNotes }) => creditNotes.net)],
  ['credit_notes_tax', money<RevenuePeriod>(({ creditNotes }) => creditNotes.tax)],
  ['paid', money<RevenuePeriod>(({ paid }) => paid)],
  ['refunded', money<RevenuePeriod>(({ refunded }) => refunded)],
  ['credited', money<RevenuePeriod>(({ credited }) => credited)],
  ['fell_overdue', ({ overdue }) => overdue.fell],
  ['overdue_at_end', ({ overdue }) => overdue.count],
  ['overdue_amount_at_end', money<RevenuePeriod>(({ overdue }) => overdue.amount)],
]

const PRICES: CsvColumns<Price> = [
  ['currency', ({ currency }) => currency],
  ['plan_id', ({ planId }) => planId],
  ['plan', ({ planName }) => planName],
  ['price_id', ({ priceId }) => priceId],
  ['cycle', ({ cycle }) => cycle],
  ['price', money<RevenuePrice>(({ amount }) => amount)],
  ['mrr_start', money<RevenuePrice>(({ recurring }) => recurring.start)],
  ['mrr_end', money<RevenuePrice>(({ recurring }) => recurring.end)],
  ['subscriptions_start', ({ subscriptions }) => subscriptions.start],
  ['subscriptions_came', ({ subscriptions }) => subscriptions.came],
  ['subscriptions_left', ({ subscriptions }) => subscriptions.left],
  ['subscriptions_end', ({ subscriptions }) => subscriptions.end],
]

const TAXES: CsvColumns<Tax> = [
  ['currency', ({ currency }) => currency],
  ['jurisdiction', ({ jurisdiction }) => jurisdiction],
  ['tax', ({ name }) => name],
  ['percent', ({ percent }) => percent],
  ['invoiced', money<RevenueTax>(({ invoiced }) => invoiced)],
  ['credited', money<RevenueTax>(({ credited }) => credited)],
]

/**
 * The report as CSV: a row for each currency and period, for each price, or for each tax. Amounts are
 * in the main unit.
 * @throws {Problem} as the report, before anything is sent
 */
export async function revenueAsCsv(
  ctx: Ctx,
  { rows, ...query }: RevenueCsvQuery,
): Promise<AsyncGenerator<string>> {
  const { currencies } = await revenueOf(ctx, query)
  const lines = <T>(of: (one: RevenueOfCurrency) => readonly T[]): Line<T>[] =>
    currencies.flatMap((one) => of(one).map((row) => ({ ...row, currency: one.currency })))
  if (rows === 'time')
    return write(
      PERIODS,
      lines(({ periods }) => periods),
    )
  if (rows === 'price')
    return write(
      PRICES,
      lines(({ prices }) => prices),
    )
  return write(
    TAXES,
    lines(({ taxes }) => taxes),
  )
}

async function* write<T>(columns: CsvColumns<T>, lines: readonly T[]): AsyncGenerator<string> {
  yield csvHead(columns)
  for (const line of lines) yield csvRow(columns, line)
}

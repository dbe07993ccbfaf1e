import type { RevenueReport } from '@lodge/shared/billing/revenue.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { Segments } from '../../../ui/choices/segments.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Column, Row } from '../../../ui/page/layout.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { REVENUE_RANGES, type RevenueRange, type RevenueSearch } from '../billing-search.ts'
import { PeriodTables, PriceTable, TaxTable } from './tables.tsx'
import { Totals } from './totals.tsx'
import { t } from './words.ts'

interface Range {
  readonly by: RevenueReport['by']
  readonly periods: number
}
const RANGES: Record<RevenueRange, Range> = {
  '12w': { by: 'week', periods: 12 },
  '12m': { by: 'month', periods: 12 },
  '24m': { by: 'month', periods: 24 },
  '60m': { by: 'month', periods: 60 },
}
/** Monthly recurring revenue and how it changed: the URL stores the time and the currency. */
export default function RevenuePage() {
  const { range = '12m', currency }: RevenueSearch = useSearch({ from: '/in/admin/revenue' })
  const navigate = useNavigate()
  const report = useQuery({
    ...q('GET /api/billing/revenue', { query: RANGES[range] }),
    placeholderData: keepPreviousData,
  })
  const show = (search: RevenueSearch): void =>
    void navigate({ to: paths.revenue, search: { range, currency, ...search }, replace: true })
  return (
    <Page title={t.title} lead={t.lead}>
      <Loaded query={report} lines={12}>
        {({ currencies, timeZone }) => {
          const shown = currencies.find((one) => one.currency === currency) ?? currencies[0]
          return (
            <Column>
              <Row>
                <Segments
                  label={t.time}
                  value={range}
                  choices={REVENUE_RANGES.map((value) => ({ value, label: rangeText(value) }))}
                  onChange={(next) => show({ range: next })}
                />
                {shown && currencies.length > 1 ? (
                  <Segments
                    label={t.currency}
                    value={shown.currency}
                    choices={currencies.map((one) => ({
                      value: one.currency,
                      label: one.currency,
                    }))}
                    onChange={(next) => show({ currency: next })}
                  />
                ) : null}
              </Row>
              {shown ? (
                <Tables report={shown} timeZone={timeZone} query={RANGES[range]} />
              ) : (
                <Nothing />
              )}
            </Column>
          )
        }}
      </Loaded>
    </Page>
  )
}

const rangeText = (range: RevenueRange): string => {
  const { by, periods: count } = RANGES[range]
  return by === 'week' ? t.lastWeeks({ count }) : t.lastMonths({ count })
}

const Nothing = () => (
  <Empty title={t.nothing} art="plans">
    {t.nothingText}
  </Empty>
)

interface ShownProps {
  report: RevenueReport['currencies'][number]
  timeZone: string
  query: Range
}

function Tables({ query: { by, periods }, report, timeZone }: ShownProps) {
  const href = (rows: string) =>
    `/api/billing/revenue.csv?${new URLSearchParams({
      ...{ by, periods: String(periods), currency: report.currency, rows },
    })}`
  return (
    <>
      <Totals report={report} />
      <PeriodTables {...{ report, by, timeZone }} href={href('time')} />
      <PriceTable report={report} href={href('price')} />
      <TaxTable report={report} href={href('tax')} />
    </>
  )
}

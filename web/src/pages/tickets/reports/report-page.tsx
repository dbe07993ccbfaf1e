import {
  REPORT_KINDS,
  type Report,
  type ReportEntry,
  type ReportKind,
  type ReportTime,
} from '@lodge/shared/support/reports.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { ChartFoot } from '../../../ui/charts/chart-foot.tsx'
import { Segments } from '../../../ui/choices/segments.tsx'
import { ExportLink } from '../../../ui/data/list-tools.tsx'
import { Table } from '../../../ui/data/table.tsx'
import { dateText } from '../../../ui/locale/timestamps.ts'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column, Row } from '../../../ui/page/layout.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { useNarrow } from '../../../ui/page/use-narrow.ts'
import { names } from '../names.ts'
import { t as parts } from '../parts/words.ts'
import { REPORTED_DAYS, type ReportSearch } from '../tickets-search.ts'
import { Bars } from './bars.tsx'
import { Busiest } from './busiest.tsx'
import { figureColumns } from './figure-columns.tsx'
import { MissedSearches, ReadArticles } from './help-cards.tsx'
import { OpenNow } from './open-now.tsx'
import { Totals } from './totals.tsx'
import { t } from './words.ts'

const href = (days: number, every: Report['every'], rows: string): string =>
  `/api/support/reports.csv?${new URLSearchParams({ days: String(days), every, rows })}`

/** The desk's figures: the URL stores the range and the grouping. */
export default function ReportPage() {
  const { days = 30, by = 'agent' }: ReportSearch = useSearch({ from: '/in/admin/desk/reports' })
  const navigate = useNavigate()
  const every = days > 30 ? 'week' : 'day'
  const report = useQuery({
    ...q('GET /api/support/reports', { query: { days, every } }),
    placeholderData: keepPreviousData,
  })
  const show = (search: { days?: (typeof REPORTED_DAYS)[number]; by?: ReportKind }): void =>
    void navigate({ to: paths.deskReports, search: { days, by, ...search }, replace: true })
  return (
    <Page title={t.title} lead={t.lead} crumbs={<Link to={paths.desk}>{names.desk}</Link>}>
      <Row>
        <Segments
          label={t.days}
          value={String(days)}
          choices={REPORTED_DAYS.map((count) => ({
            value: String(count),
            label: t.lastDays({ count }),
          }))}
          onChange={(value) =>
            show({ days: REPORTED_DAYS.find((count) => String(count) === value) ?? 30 })
          }
        />
      </Row>
      <Loaded query={report} lines={10}>
        {(found) => (
          <Column>
            <Totals report={found} />
            <OpenNow open={found.open} />
            <Times report={found} href={href(days, every, 'time')} />
            <Busiest busiest={found.busiest} />
            <Entries
              entries={found.by[by]}
              by={by}
              href={href(days, every, by)}
              onChoose={(kind) => show({ by: kind })}
            />
            <ReadArticles help={found.help} href={href(days, every, 'article')} />
            <MissedSearches help={found.help} href={href(days, every, 'search')} />
          </Column>
        )}
      </Loaded>
    </Page>
  )
}

/** How many days or weeks a phone shows at first. */
const FEW = 7

/** A date of the desk: without a time, so without a zone. */
const day = (date: string): string =>
  dateText(date, { timeZone: 'UTC', day: 'numeric', month: 'short' })

function Times({
  report: { times, every, timeZone },
  href: file,
}: {
  report: Report
  href: string
}) {
  const title = every === 'day' ? t.byTime : t.byWeek
  // On a phone each row is a card.
  const isNarrow = useNarrow()
  const [showsAll, setShowsAll] = useState(false)
  const newest = times.toReversed()
  const isCut = isNarrow && !showsAll && newest.length > FEW
  return (
    <Card title={title} flush actions={<ExportLink href={file} file="support-report.csv" />}>
      <Bars times={times} />
      <Table
        label={title}
        rows={isCut ? newest.slice(0, FEW) : newest}
        columns={[
          {
            header: t.days,
            role: 'title',
            cell: ({ from, to }: ReportTime) =>
              from === to ? day(from) : t.span({ from: day(from), to: day(to) }),
          },
          ...figureColumns(),
        ]}
        keyOf={({ from }) => from}
        empty={null}
      />
      {isCut ? (
        <ChartFoot>
          <Button size="small" onClick={() => setShowsAll(true)}>
            {t.showAll({ count: newest.length })}
          </Button>
        </ChartFoot>
      ) : null}
      <ChartFoot>{t.zone({ zone: timeZone })}</ChartFoot>
    </Card>
  )
}

function nameOf({ id, name }: ReportEntry, kind: ReportKind): string {
  if (name !== null) return name
  if (id === null) return t.without({ kind })
  if (kind === 'priority') return parts.priority({ priority: id })
  return kind === 'source' ? t.source({ source: id }) : t.gone
}

interface EntriesProps {
  entries: readonly ReportEntry[]
  by: ReportKind
  href: string
  onChoose: (kind: ReportKind) => void
}

/** The same figures for each agent, group, category and so on. */
function Entries({ entries, by, href: file, onChoose }: EntriesProps) {
  return (
    <Card
      title={t.tickets}
      flush
      actions={
        <Row>
          <Segments
            label={t.by}
            value={by}
            choices={REPORT_KINDS.map((kind) => ({ value: kind, label: t.kind({ kind }) }))}
            onChange={onChoose}
          />
          <ExportLink href={file} file="support-report.csv" />
        </Row>
      }
    >
      <Table
        label={t.kind({ kind: by })}
        rows={entries}
        columns={[
          { header: t.name, role: 'title', cell: (entry: ReportEntry) => nameOf(entry, by) },
          ...figureColumns(),
        ]}
        keyOf={({ id }) => id ?? ''}
        empty={<Empty title={t.nothing}>{t.nothingText}</Empty>}
      />
    </Card>
  )
}

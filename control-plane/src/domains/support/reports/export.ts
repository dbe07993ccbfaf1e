import { type CsvColumns, csvHead, csvRow } from '@lodge/shared/csv.ts'
import type { Durations, ReportCsvQuery, ReportFigures } from '@lodge/shared/support/reports.ts'
import type { Ctx } from '../../../context.ts'
import { reportOf } from './report.ts'

type Line = ReportFigures & { readonly id: string | null; readonly name: string | null }

const durations = (name: 'firstResponse' | 'resolution', head: string): CsvColumns<Line> => {
  const column = (end: string, of: (taken: Durations) => number | null) =>
    [`${head}_${end}`, (line: Line) => of(line[name])] as const
  return [
    column('count', ({ count }) => count),
    column('business_median_minutes', ({ business }) => business.medianMinutes),
    column('business_p90_minutes', ({ business }) => business.p90Minutes),
    column('median_minutes', ({ wall }) => wall.medianMinutes),
    column('p90_minutes', ({ wall }) => wall.p90Minutes),
  ]
}
const goal = (name: keyof ReportFigures['goals']): CsvColumns<Line> => [
  [`${name}_goals_met`, ({ goals }) => goals[name].met],
  [`${name}_goals_missed`, ({ goals }) => goals[name].missed],
]

const FIGURES: CsvColumns<Line> = [
  ['created', ({ created }) => created],
  ['solved', ({ solved }) => solved],
  ['reopened', ({ reopened }) => reopened],
  ['backlog', ({ backlog }) => backlog],
  ...durations('firstResponse', 'first_response'),
  ...durations('resolution', 'resolution'),
  ...goal('first'),
  ...goal('next'),
  ...goal('resolution'),
  ['one_touch_percent', ({ oneTouchPercent }) => oneTouchPercent],
  ['replies_per_ticket', ({ repliesPerTicket }) => repliesPerTicket],
  ['ratings', ({ ratings }) => ratings.count],
  ['rating_average', ({ ratings }) => ratings.average],
  ['rating_asked', ({ ratings }) => ratings.asked],
  ['rating_answered_percent', ({ ratings }) => ratings.answeredPercent],
]

/**
 * The figures of a report as CSV: a row for each day or week, or for each agent, group and so on.
 * @throws {Problem} what the report throws, before anything is sent
 */
export async function reportAsCsv(
  ctx: Ctx,
  { rows, ...query }: ReportCsvQuery,
): Promise<AsyncGenerator<string>> {
  const { times, by } = await reportOf(ctx, query)
  if (rows !== 'time') return write(['id', 'name'], by[rows])
  const lines = times.map((time) => ({ ...time, id: time.from, name: time.to }))
  return write(['from', 'to'], lines)
}

async function* write(
  [id, name]: readonly [string, string],
  lines: readonly Line[],
): AsyncGenerator<string> {
  const columns: CsvColumns<Line> = [
    [id, (line) => line.id],
    [name, (line) => line.name],
    ...FIGURES,
  ]
  yield csvHead(columns)
  for (const line of lines) yield csvRow(columns, line)
}

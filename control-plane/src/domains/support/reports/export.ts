import { type CsvColumns, csvHead, csvRow } from '@lodge/shared/csv.ts'
import type {
  Durations,
  HelpUse,
  ReportCsvQuery,
  ReportFigures,
  ReportQuery,
} from '@lodge/shared/support/reports.ts'
import type { Ctx } from '../../../context.ts'
import { readSettings } from '../../settings/index.ts'
import { mostMissed, mostRead } from '../help-use/store.ts'
import { hoursSettings } from '../hours/settings.ts'
import { rangeOf } from './days.ts'
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

const ARTICLES: CsvColumns<HelpUse['articles'][number]> = [
  ['slug', ({ slug }) => slug],
  ['title', ({ title }) => title],
  ['reads', ({ reads }) => reads],
  ['helpful', ({ helpful }) => helpful],
  ['unhelpful', ({ unhelpful }) => unhelpful],
]
const SEARCHES: CsvColumns<HelpUse['missed'][number]> = [
  ['words', ({ words }) => words],
  ['searches', ({ searches }) => searches],
  ['days', ({ days }) => days],
]
/** Limit for the help center; the rest are the least read or searched. */
const MOST_ROWS = 10_000

/**
 * The figures of a report as CSV: a row for each day or week, each agent, group and so on, or each
 * article or search of the help center.
 * @throws {Problem} as the report does, before anything is sent
 */
export async function reportAsCsv(
  ctx: Ctx,
  { rows, ...query }: ReportCsvQuery,
): Promise<AsyncGenerator<string>> {
  if (rows === 'article' || rows === 'search') return helpAsCsv(ctx, query, rows)
  const { times, by } = await reportOf(ctx, query)
  if (rows !== 'time') return write(['id', 'name'], by[rows])
  const lines = times.map((time) => ({ ...time, id: time.from, name: time.to }))
  return write(['from', 'to'], lines)
}

/** The help center has only its own columns. */
async function helpAsCsv(
  { db, now }: Ctx,
  query: ReportQuery,
  rows: 'article' | 'search',
): Promise<AsyncGenerator<string>> {
  const { timeZone } = await readSettings(db, hoursSettings)
  const { from, to } = rangeOf(query, query.timeZone ?? timeZone, now)
  const asked = { from, to, most: MOST_ROWS }
  return rows === 'article'
    ? linesOf(ARTICLES, await mostRead(db, asked))
    : linesOf(SEARCHES, await mostMissed(db, asked))
}

async function* linesOf<T>(columns: CsvColumns<T>, rows: readonly T[]): AsyncGenerator<string> {
  yield csvHead(columns)
  for (const row of rows) yield csvRow(columns, row)
}

function write(
  [id, name]: readonly [string, string],
  lines: readonly Line[],
): AsyncGenerator<string> {
  const columns: CsvColumns<Line> = [
    [id, (line) => line.id],
    [name, (line) => line.name],
    ...FIGURES,
  ]
  return linesOf(columns, lines)
}

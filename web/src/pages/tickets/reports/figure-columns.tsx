import type { Durations, ReportFigures } from '@lodge/shared/support/reports.ts'
import { numberText } from '../../../ui/data/numbers.ts'
import type { Column } from '../../../ui/data/table.tsx'
import { duration } from '../../../ui/data/time-words.ts'
import { t } from './words.ts'

const MINUTE_MS = 60_000

/** A duration in business hours, in words; a dash for none. */
export const minutesText = (minutes: number | null): string =>
  minutes === null ? t.none : duration(minutes * MINUTE_MS)

/** The goals of all kinds combined. */
export function goalsOf({ goals }: ReportFigures): { readonly met: number; readonly all: number } {
  const kinds = Object.values(goals)
  const met = kinds.reduce((sum, kind) => sum + kind.met, 0)
  return { met, all: kinds.reduce((sum, kind) => sum + kind.missed, met) }
}

export const goalsText = (figures: ReportFigures): string => {
  const { met, all } = goalsOf(figures)
  return all === 0 ? t.none : t.ratio({ met: String(met), all: String(all) })
}

export const ratingText = ({ ratings: { average } }: ReportFigures): string =>
  average === null ? t.none : numberText(average, { maximumFractionDigits: 1 })

const taken = (header: string, of: (figures: ReportFigures) => Durations) => ({
  header,
  right: true,
  cell: (figures: ReportFigures) => minutesText(of(figures).business.medianMinutes),
})
const count = (header: string, of: (figures: ReportFigures) => number) => ({
  header,
  right: true,
  cell: (figures: ReportFigures) => of(figures),
})

/** The columns of figures in each table of the report. */
export const figureColumns = (): Column<ReportFigures>[] => [
  count(t.created, ({ created }) => created),
  count(t.solved, ({ solved }) => solved),
  { ...count(t.reopened, ({ reopened }) => reopened), secondary: true },
  count(t.backlog, ({ backlog }) => backlog),
  taken(t.firstResponse, ({ firstResponse }) => firstResponse),
  { ...taken(t.resolution, ({ resolution }) => resolution), secondary: true },
  { header: t.goals, right: true, cell: goalsText },
  { header: t.rating, right: true, secondary: true, cell: ratingText },
]

import type { Tone } from '@lodge/shared/theme/tokens.ts'
import type { ChartMark, ChartWindow } from './chart-data.ts'
import { momentText } from './chart-time.ts'
import { t } from './words.ts'

/** Marks so close together that they share one position on the screen. */
export interface MarkGroup {
  /** Share of the window, 0 to 1. */
  readonly place: number
  readonly tone: Tone
  readonly marks: readonly ChartMark[]
}

/** The most severe mark of a group gives it its colour. */
const GRAVEST: readonly Tone[] = ['err', 'warn', 'pend', 'info', 'ok', 'idle']

/** Groups the marks inside a window that are less than `leastPx` apart. */
export function groupMarks(
  marks: readonly ChartMark[],
  { from, to }: ChartWindow,
  widthPx: number,
  leastPx: number,
): readonly MarkGroup[] {
  const apart = ((to - from) / Math.max(1, widthPx)) * leastPx
  const groups: ChartMark[][] = []
  const shown = marks.filter(({ at }) => at >= from && at <= to).toSorted((a, b) => a.at - b.at)
  for (const mark of shown) {
    const group = groups.at(-1)
    if (group?.[0] && mark.at - group[0].at < apart) group.push(mark)
    else groups.push([mark])
  }
  return groups.map((group) => ({
    marks: group,
    place: ((group[0]?.at ?? from) - from) / (to - from),
    tone: GRAVEST.find((tone) => group.some((mark) => mark.tone === tone)) ?? 'idle',
  }))
}

/** The name of a group's button: `Crashed, 22 Nov, 11:20:15`, or `3 events from …`. */
export function groupName({ marks }: MarkGroup): string {
  const [first] = marks
  if (!first) return ''
  const when = momentText(first.at, 1)
  return marks.length === 1
    ? t.event({ event: first.word, when })
    : t.eventsFrom({ count: marks.length, when })
}

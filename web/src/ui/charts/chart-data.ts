import type { Tone } from '@lodge/shared/theme/tokens.ts'
import type { ChartUnit } from './chart-units.ts'

/** A part of the time axis, in seconds since 1970. */
export interface ChartWindow {
  readonly from: number
  readonly to: number
}

/** A time without data, and the reason, e.g. `Node offline`. */
export interface ChartGap extends ChartWindow {
  readonly words: string
}

/** Something that happened; `at` in seconds since 1970. */
export interface ChartMark {
  readonly id: string
  readonly at: number
  readonly tone: Tone
  /** One or two words: `Crashed`. */
  readonly word: string
  /** Why, as a sentence; may be empty. */
  readonly detail: string
}

export interface ChartSeries {
  readonly name: string
  /** Number of the chart colour, 1 to 8. */
  readonly colour: number
  /** One average for each time; null where there is none. */
  readonly values: readonly (number | null)[]
  /** The highest value of each step, if it is known. */
  readonly peaks?: readonly (number | null)[]
}

/** One panel of a board: lines of one unit with their limit. */
export interface ChartPanelData {
  readonly title: string
  readonly unit: ChartUnit
  readonly series: readonly ChartSeries[]
  readonly limit?: number
  /** What the limit is if it restricts nothing: the total of the machine. */
  readonly limitKind?: 'total'
  /** How it was measured, if that needs an explanation. */
  readonly note?: string
}

/** Everything that a board shows, on one time axis. */
export interface ChartData {
  /** Starts of the steps, in seconds since 1970, ascending; a gap has one without values. */
  readonly times: readonly number[]
  readonly stepSeconds: number
  readonly panels: readonly ChartPanelData[]
  readonly gaps: readonly ChartGap[]
  readonly marks: readonly ChartMark[]
}

/** A point of a line: a moment in seconds since 1970, and its row; undefined breaks the line. */
interface Place<P> {
  readonly at: number
  readonly point: P | undefined
}

/** Inserts a break where more than two steps are missing, so that no line is drawn across. */
export function withBreaks<P extends { readonly at: string }>(
  points: readonly P[],
  stepSeconds: number,
): readonly Place<P>[] {
  let last: number | undefined
  return points.flatMap((point): Place<P>[] => {
    const at = Date.parse(point.at) / 1000
    const breaks =
      last !== undefined && at - last > 2.5 * stepSeconds
        ? [{ at: last + stepSeconds, point: undefined }]
        : []
    last = at
    return [...breaks, { at, point }]
  })
}

/** Indexes of the times inside a window: of the first, and after the last. */
export function indexesIn(
  times: readonly number[],
  { from, to }: ChartWindow,
): readonly [start: number, end: number] {
  const start = times.findIndex((at) => at >= from)
  if (start < 0) return [times.length, times.length]
  const behind = times.findIndex((at) => at > to)
  return [start, behind < 0 ? times.length : behind]
}

/** The times inside a window at which any line has a value. */
export function filledTimes({ times, panels }: ChartData, window: ChartWindow): readonly number[] {
  const lines = panels.flatMap(({ series }) => series.map(({ values }) => values))
  const [start, end] = indexesIn(times, window)
  return times
    .slice(start, end)
    .filter((_, index) => lines.some((values) => (values[start + index] ?? null) !== null))
}

/** Index of the step at a moment; undefined where no data is near. */
export function indexAt({ times, stepSeconds, panels }: ChartData, at: number): number | undefined {
  const lines = panels.flatMap(({ series }) => series.map(({ values }) => values))
  let best: number | undefined
  let distance = 1.5 * stepSeconds
  for (const [index, time] of times.entries()) {
    const away = Math.abs(time - at)
    if (away > distance || lines.every((values) => (values[index] ?? null) === null)) continue
    best = index
    distance = away
  }
  return best
}

/** The index of the newest time with a value; undefined if there is none. */
export const newestIndex = ({ times, panels }: ChartData): number | undefined => {
  const index = times.findLastIndex((_, at) =>
    panels.some(({ series }) => series.some(({ values }) => (values[at] ?? null) !== null)),
  )
  return index < 0 ? undefined : index
}

/** Indexes of the values between two breaks, which a line would not show. */
export const loneIndexes = (values: readonly (number | null)[]): number[] =>
  [...values.keys()].filter((index) =>
    [-1, 0, 1].every((step) => ((values[index + step] ?? null) !== null) === (step === 0)),
  )

interface Summary {
  /** Null without any value. */
  readonly average: number | null
  readonly peak: number | null
}

const known = (values: readonly (number | null)[]): number[] =>
  values.filter((value) => value !== null)

/** Average and peak of a line inside a window; breaks are skipped rather than counted as zero. */
export function summarize(
  times: readonly number[],
  { values, peaks }: ChartSeries,
  window: ChartWindow,
): Summary {
  const [start, end] = indexesIn(times, window)
  const shown = known(values.slice(start, end))
  if (shown.length === 0) return { average: null, peak: null }
  const highest = known(peaks?.slice(start, end) ?? shown)
  return {
    average: shown.reduce((sum, value) => sum + value, 0) / shown.length,
    peak: Math.max(...shown, ...highest),
  }
}

/** The highest value of a panel inside a window; 0 without any. */
export const peakOf = (
  times: readonly number[],
  { series }: ChartPanelData,
  window: ChartWindow,
): number => Math.max(0, ...series.map((one) => summarize(times, one, window).peak ?? 0))

import { type ChartData, type ChartWindow, indexesIn } from './chart-data.ts'

/** One row of the table: the figures of one step or several. */
export interface ChartRow {
  /** Start, in seconds since 1970. */
  readonly at: number
  /** For each line of each panel, in their order; null where there is none. */
  readonly cells: readonly { readonly average: number | null; readonly peak: number | null }[]
}

const known = (values: readonly (number | null | undefined)[]): number[] =>
  values.filter((value) => value !== null && value !== undefined)

/** The figures inside a window, newest first, in at most `most` rows; merged steps are averaged. */
export function chartRows(
  { times, panels }: ChartData,
  window: ChartWindow,
  most: number,
): readonly ChartRow[] {
  const series = panels.flatMap((panel) => panel.series)
  const [start, end] = indexesIn(times, window)
  const filled = times
    .slice(start, end)
    .map((_, index) => start + index)
    .filter((index) => series.some(({ values }) => (values[index] ?? null) !== null))
  const each = Math.max(1, Math.ceil(filled.length / most))
  const rows: ChartRow[] = []
  for (let first = 0; first < filled.length; first += each) {
    const steps = filled.slice(first, first + each)
    rows.push({
      at: times[steps[0] ?? 0] ?? 0,
      cells: series.map(({ values, peaks = values }) => {
        const averages = known(steps.map((index) => values[index]))
        const highest = known(steps.map((index) => peaks[index]))
        if (averages.length === 0) return { average: null, peak: null }
        return {
          average: averages.reduce((sum, value) => sum + value, 0) / averages.length,
          peak: Math.max(...averages, ...highest),
        }
      }),
    })
  }
  return rows.toReversed()
}

import { type Cell, csvLine } from '@lodge/shared/csv.ts'
import { type ChartData, type ChartWindow, indexesIn } from './chart-data.ts'
import { unitName } from './chart-units.ts'
import { t } from './words.ts'

const figure = (value: number | null | undefined): Cell =>
  value === null || value === undefined ? null : Math.round(value * 100) / 100

/** The figures inside a window as CSV: times in ISO 8601, units in the header. */
export function chartCsv(data: ChartData, window: ChartWindow): string {
  const columns = data.panels.flatMap(({ unit, series }) =>
    series.flatMap(({ name, values, peaks }) => [
      { head: t.columnHead({ name, unit: unitName(unit) }), values },
      ...(peaks ? [{ head: t.peakHead({ name, unit: unitName(unit) }), values: peaks }] : []),
    ]),
  )
  const [start, end] = indexesIn(data.times, window)
  const rows = data.times.slice(start, end).flatMap((at, index) => {
    const cells = columns.map(({ values }) => figure(values[start + index]))
    const empty = cells.every((cell) => cell === null)
    return empty ? [] : [[new Date(at * 1000).toISOString(), ...cells]]
  })
  const head = [t.time, ...columns.map((column) => column.head)]
  return [head, ...rows].map(csvLine).join('')
}

/** Name of the file, from the title and the time: `lobby-2026-11-22T1020-2026-11-22T1120.csv`. */
export function csvName(title: string, { from, to }: ChartWindow): string {
  const moment = (at: number) => new Date(at * 1000).toISOString().slice(0, 16).replace(':', '')
  const name = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `${[name, moment(from), moment(to)].filter(Boolean).join('-')}.csv`
}

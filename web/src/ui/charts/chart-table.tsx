import { type Column, Table } from '../data/table.tsx'
import type { ChartData, ChartWindow } from './chart-data.ts'
import { type ChartRow, chartRows } from './chart-rows.ts'
import { momentText } from './chart-time.ts'
import { figureText } from './chart-units.ts'
import { t } from './words.ts'

const ROWS = 60

/** The figures of a board as a table, newest first, in a readable number of rows. */
export function ChartTable({ data, window }: { data: ChartData; window: ChartWindow }) {
  const lines = data.panels.flatMap(({ unit, series }) =>
    series.map(({ name, peaks }) => ({ unit, name, hasPeaks: peaks !== undefined })),
  )
  const columns: readonly Column<ChartRow>[] = [
    { header: t.time, role: 'title', cell: ({ at }) => momentText(at, data.stepSeconds) },
    ...lines.map(
      ({ unit, name, hasPeaks }, index): Column<ChartRow> => ({
        header: name,
        right: true,
        cell: ({ cells }) => {
          const { average, peak } = cells[index] ?? { average: null, peak: null }
          if (average === null) return '–'
          const text = figureText(unit, average)
          const highest = figureText(unit, peak ?? average)
          return hasPeaks && highest !== text
            ? t.averageAndPeak({ average: text, peak: highest })
            : text
        },
      }),
    ),
  ]
  return (
    <Table
      label={t.tableName}
      rows={chartRows(data, window, ROWS)}
      columns={columns}
      keyOf={({ at }) => String(at)}
      empty={null}
    />
  )
}

import type { MetricsPoint, ServerMetrics } from '@lodge/shared/servers.ts'
import { formatBytes } from '@lodge/shared/units.ts'
import { type Column, Table } from '../../../../ui/data/table.tsx'
import { timestampText } from '../../../../ui/data/timestamps.ts'

const ROWS = 60

const columns = (memory: string): readonly Column<MetricsPoint>[] => [
  { header: 'Time', role: 'title', cell: (point) => timestampText(point.at) },
  { header: 'CPU', right: true, cell: (point) => `${Math.round(point.cpuPercent)} %` },
  { header: memory, right: true, cell: (point) => formatBytes(point.memoryBytes) },
  {
    header: 'Received',
    right: true,
    cell: (point) => `${formatBytes(point.networkRxBytesPerSecond)}/s`,
  },
  {
    header: 'Sent',
    right: true,
    cell: (point) => `${formatBytes(point.networkTxBytesPerSecond)}/s`,
  },
  {
    header: 'Disk',
    right: true,
    cell: (point) => (point.diskBytes === null ? '–' : formatBytes(point.diskBytes)),
  },
]

/** The charts' figures as a table, newest first, thinned out to a readable number of rows. */
export function MetricsTable({ metrics, memory }: { metrics: ServerMetrics; memory: string }) {
  const every = Math.max(1, Math.ceil(metrics.points.length / ROWS))
  const rows = metrics.points.toReversed().filter((_, index) => index % every === 0)
  return (
    <Table
      label="Figures"
      rows={rows}
      columns={columns(memory)}
      keyOf={(point) => point.at}
      empty={null}
    />
  )
}

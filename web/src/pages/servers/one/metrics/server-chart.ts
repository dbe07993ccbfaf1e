import type { MetricsPoint, ServerMetrics } from '@lodge/shared/servers.ts'
import { MIB } from '@lodge/shared/units.ts'
import { type ChartData, type ChartMark, withBreaks } from '../../../../ui/data/chart-data.ts'
import { gapsOf } from '../../../../ui/data/chart-time-query.ts'
import type { Use } from '../../usage.ts'

const WHY = {
  not_created: 'Not created yet',
  stopped: 'Server stopped',
  node_offline: 'Node offline',
  unknown: 'No data',
} as const

/** CPU, memory, network and disk of a server with their limits, ready to be drawn. */
export function serverChart(
  metrics: ServerMetrics,
  points: readonly MetricsPoint[],
  memory: Pick<Use, 'label' | 'note'>,
  marks: readonly ChartMark[],
): ChartData {
  const places = withBreaks(points, metrics.stepSeconds)
  const of = (pick: (point: MetricsPoint) => number | null | undefined) =>
    places.map(({ point }) => (point ? (pick(point) ?? null) : null))
  const newest = points.at(-1)?.at ?? ''
  return {
    times: places.map(({ at }) => at),
    stepSeconds: metrics.stepSeconds,
    marks,
    // What has arrived since ends the last gap.
    gaps: gapsOf(
      metrics.gaps.map((gap) =>
        gap.to === metrics.to && gap.from < newest ? { ...gap, to: newest } : gap,
      ),
      WHY,
    ),
    panels: [
      {
        title: 'CPU',
        unit: 'percent',
        limit: metrics.cpuLimitPercent,
        series: [
          {
            name: 'CPU',
            colour: 1,
            values: of((point) => point.cpuPercent),
            peaks: of((point) => point.cpuPercentMax),
          },
        ],
      },
      {
        title: memory.label,
        unit: 'bytes',
        limit: metrics.memoryLimitMb * MIB,
        ...(memory.note === undefined ? {} : { note: `${memory.note}.` }),
        series: [
          {
            name: memory.label,
            colour: 2,
            values: of((point) => point.memoryBytes),
            peaks: of((point) => point.memoryBytesMax),
          },
        ],
      },
      {
        title: 'Network',
        unit: 'bytesPerSecond',
        series: [
          {
            name: 'Received',
            colour: 5,
            values: of((point) => point.networkRxBytesPerSecond),
            peaks: of((point) => point.networkRxBytesPerSecondMax),
          },
          {
            name: 'Sent',
            colour: 4,
            values: of((point) => point.networkTxBytesPerSecond),
            peaks: of((point) => point.networkTxBytesPerSecondMax),
          },
        ],
      },
      {
        title: 'Disk',
        unit: 'bytes',
        limit: metrics.diskLimitMb * MIB,
        series: [{ name: 'Disk', colour: 3, values: of((point) => point.diskBytes) }],
      },
    ],
  }
}

import type { MetricsPoint, ServerMetrics } from '@lodge/shared/servers.ts'
import { MIB } from '@lodge/shared/units.ts'
import { type ChartData, type ChartMark, withBreaks } from '../../../../ui/charts/chart-data.ts'
import { gapsOf } from '../../../../ui/charts/chart-time-query.ts'
import type { Use } from '../../usage.ts'
import { t } from './words.ts'

const whys = () =>
  ({
    not_created: t.notCreated,
    stopped: t.stopped,
    node_offline: t.nodeOffline,
    unknown: t.unknown,
  }) as const

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
    // Samples that have arrived since end the last gap.
    gaps: gapsOf(
      metrics.gaps.map((gap) =>
        gap.to === metrics.to && gap.from < newest ? { ...gap, to: newest } : gap,
      ),
      whys(),
    ),
    panels: [
      {
        title: t.cpu,
        unit: 'percent',
        limit: metrics.cpuLimitPercent,
        series: [
          {
            name: t.cpu,
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
        ...(memory.note === undefined ? {} : { note: t.noteSentence({ note: memory.note }) }),
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
        title: t.network,
        unit: 'bytesPerSecond',
        series: [
          {
            name: t.received,
            colour: 5,
            values: of((point) => point.networkRxBytesPerSecond),
            peaks: of((point) => point.networkRxBytesPerSecondMax),
          },
          {
            name: t.sent,
            colour: 4,
            values: of((point) => point.networkTxBytesPerSecond),
            peaks: of((point) => point.networkTxBytesPerSecondMax),
          },
        ],
      },
      {
        title: t.disk,
        unit: 'bytes',
        limit: metrics.diskLimitMb * MIB,
        series: [{ name: t.disk, colour: 3, values: of((point) => point.diskBytes) }],
      },
    ],
  }
}

import type { Node } from '@lodge/shared/nodes.ts'
import type { Reply } from '../../../api.ts'
import { type ChartData, withBreaks } from '../../../ui/charts/chart-data.ts'
import { gapsOf } from '../../../ui/charts/chart-time-query.ts'
import { t } from './words.ts'

const whyNoData = () => ({
  not_created: t.notAdded,
  stopped: t.noData,
  node_offline: t.offline,
  unknown: t.noData,
})

/** CPU, memory and disk of a node against what its machine has, ready to be drawn. */
export function nodeChart(
  metrics: Reply<'GET /api/nodes/{id}/metrics'>,
  machine: Node['usage'],
): ChartData {
  const { stepSeconds } = metrics
  const places = withBreaks(metrics.points, stepSeconds)
  type Point = (typeof metrics.points)[number]
  const of = (pick: (point: Point) => number | null) =>
    places.map(({ point }) => (point ? pick(point) : null))
  const total = (limit: number | undefined) =>
    limit === undefined || limit === 0 ? {} : { limit, limitKind: 'total' as const }
  return {
    times: places.map(({ at }) => at),
    stepSeconds,
    marks: [],
    gaps: gapsOf(metrics.gaps, whyNoData()),
    panels: [
      {
        title: t.cpu,
        unit: 'percent',
        ...total(machine === null ? undefined : machine.cpuCores * 100),
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
        title: t.memory,
        unit: 'bytes',
        ...total(machine?.memoryTotalBytes),
        series: [
          {
            name: t.memory,
            colour: 2,
            values: of((point) => point.memoryBytes),
            peaks: of((point) => point.memoryBytesMax),
          },
        ],
      },
      {
        title: t.disk,
        unit: 'bytes',
        ...total(machine?.diskTotalBytes),
        series: [{ name: t.disk, colour: 3, values: of((point) => point.diskBytes) }],
      },
    ],
  }
}

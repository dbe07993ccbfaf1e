import type { MetricsPoint, ServerMetrics } from '@lodge/shared/servers.ts'
import { formatBytes, MIB } from '@lodge/shared/units.ts'
import { useMemo } from 'react'
import { Chart } from '../../../../ui/data/chart.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import type { Use } from '../../usage.ts'
import { withGaps } from './with-gaps.ts'

const percent = (value: number): string => `${Math.round(value)} %`
const rate = (value: number): string => `${formatBytes(value)}/s`

interface MetricsChartsProps {
  metrics: ServerMetrics
  memory: Pick<Use, 'label' | 'note'>
}

/** Processor, memory, network and disk with their limits; all share one crosshair. */
export function MetricsCharts({ metrics, memory }: MetricsChartsProps) {
  const made = useMemo(() => {
    const points = withGaps(metrics.points, metrics.stepSeconds)
    const of = (pick: (point: MetricsPoint) => number | null) =>
      points.map(({ point }) => (point ? pick(point) : null))
    return {
      times: points.map(({ at }) => at),
      cpu: [{ name: 'CPU', colour: 1, values: of((point) => point.cpuPercent) }],
      memory: [{ name: memory.label, colour: 2, values: of((point) => point.memoryBytes) }],
      network: [
        { name: 'Received', colour: 5, values: of((point) => point.networkRxBytesPerSecond) },
        { name: 'Sent', colour: 4, values: of((point) => point.networkTxBytesPerSecond) },
      ],
      disk: [{ name: 'Disk', colour: 3, values: of((point) => point.diskBytes) }],
    }
  }, [metrics, memory.label])
  const shared = { times: made.times, syncKey: 'server' }
  return (
    <>
      <Card title="CPU">
        <Chart
          {...shared}
          label="CPU over time"
          series={made.cpu}
          limit={metrics.cpuLimitPercent}
          write={percent}
        />
      </Card>
      <Card title={memory.label}>
        <Chart
          {...shared}
          label={`${memory.label} over time`}
          series={made.memory}
          limit={metrics.memoryLimitMb * MIB}
          write={formatBytes}
          bytes
        />
        {memory.note === undefined ? null : (
          <Text small muted>
            {memory.note}.
          </Text>
        )}
      </Card>
      <Card title="Network">
        <Chart {...shared} label="Network over time" series={made.network} write={rate} bytes />
      </Card>
      <Card title="Disk">
        <Chart
          {...shared}
          label="Disk over time"
          series={made.disk}
          limit={metrics.diskLimitMb * MIB}
          write={formatBytes}
          bytes
        />
      </Card>
    </>
  )
}

import type { Node } from '@lodge/shared/nodes.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { q } from '../../../query.ts'
import { ChartBoard } from '../../../ui/charts/chart-board.tsx'
import { useChartTime } from '../../../ui/charts/chart-time-query.ts'
import { useChartAddress } from '../../../ui/charts/use-chart-address.ts'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { nodeChart } from './node-chart.ts'
import { t } from './words.ts'

/** The metrics of a node's machine over time. Range and zoom are in the page's address. */
export function NodeMetrics({ node }: { node: Node }) {
  const address = useChartAddress()
  const { window, bounds, query, refetchInterval } = useChartTime(address)
  const metrics = useQuery({
    ...q('GET /api/nodes/{id}/metrics', { params: { id: node.id }, query }),
    refetchInterval,
    placeholderData: keepPreviousData,
  })
  const found = metrics.data
  const { cpuCores, memoryTotalBytes, diskTotalBytes } = node.usage ?? {}
  const data = useMemo(
    () => (found ? nodeChart(found, node.usage) : undefined),
    [found, cpuCores, memoryTotalBytes, diskTotalBytes],
  )
  return (
    <Loaded query={metrics} lines={8}>
      {() =>
        data === undefined ? null : (
          <ChartBoard
            name={node.name}
            data={data}
            window={window}
            bounds={bounds}
            address={address}
            empty={
              <Card>
                <Empty title={t.none} art="calm">
                  {t.noneText}
                </Empty>
              </Card>
            }
          />
        )
      }
    </Loaded>
  )
}

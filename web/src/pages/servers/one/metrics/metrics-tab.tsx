import type { MetricsGap } from '@lodge/shared/servers.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSamples } from '../../../../live/samples.ts'
import { paths } from '../../../../paths.ts'
import { q } from '../../../../query.ts'
import { LinkButton } from '../../../../ui/buttons/link.tsx'
import { ChartBoard } from '../../../../ui/charts/chart-board.tsx'
import { useChartTime } from '../../../../ui/charts/chart-time-query.ts'
import { useChartAddress } from '../../../../ui/charts/use-chart-address.ts'
import { entryOf } from '../../../../ui/data/known.ts'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Empty } from '../../../../ui/notices/states.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { memoryUse } from '../../usage.ts'
import { useRights } from '../use-rights.ts'
import { useServer } from '../use-server.ts'
import { withLive } from './live-points.ts'
import { serverChart } from './server-chart.ts'
import { useServerMarks } from './use-server-marks.ts'
import { t } from './words.ts'

/** Live samples of an hour, at one in five seconds. */
const KEPT_SAMPLES = 720

const EMPTY: Readonly<Record<MetricsGap['reason'], () => string>> = {
  not_created: () => t.notCreatedText,
  stopped: () => t.stoppedText,
  node_offline: () => t.nodeOfflineText,
  unknown: () => t.unknownText,
}

/** The metrics of a server over time. */
export default function MetricsTab() {
  const server = useServer()
  const address = useChartAddress()
  const { window, bounds, query, refetchInterval } = useChartTime(address)
  const metrics = useQuery({
    ...q('GET /api/servers/{id}/metrics', { params: { id: server.id }, query }),
    refetchInterval,
    placeholderData: keepPreviousData,
  })
  const samples = useSamples(server.id, KEPT_SAMPLES)
  const mayViewEvents = useRights(server.id)?.permissions.includes('events.view') ?? false
  const marks = useServerMarks(server, window, mayViewEvents)
  const { label, note } = memoryUse(server)
  const found = metrics.data
  const isLive = found?.range === 'hour'
  const data = useMemo(() => {
    if (!found) return undefined
    const points = isLive ? withLive(found.points, samples, found.stepSeconds) : found.points
    return serverChart(found, points, { label, ...(note === undefined ? {} : { note }) }, marks)
  }, [found, isLive, samples, label, note, marks])
  return (
    <Loaded query={metrics} lines={8}>
      {() =>
        data === undefined ? null : (
          <ChartBoard
            name={server.name}
            data={data}
            window={window}
            bounds={bounds}
            address={address}
            {...(mayViewEvents
              ? {
                  history: (
                    <LinkButton to={paths.serverCrashes} params={{ id: server.id }} size="small">
                      {t.openHistory}
                    </LinkButton>
                  ),
                }
              : {})}
            empty={
              <Card>
                <Empty title={t.noMetrics} art="calm">
                  {entryOf(EMPTY, found?.gaps.at(-1)?.reason ?? 'unknown', () => EMPTY.unknown)()}
                </Empty>
              </Card>
            }
          />
        )
      }
    </Loaded>
  )
}

import type { Server, ServerEvent } from '@lodge/shared/servers.ts'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../../../api.ts'
import { q } from '../../../../query.ts'
import type { ChartMark, ChartWindow } from '../../../../ui/charts/chart-data.ts'
import { serverMarks } from './server-marks.ts'

const PAGE = 100
/** The server keeps no more. */
const MOST = 1000
const REFRESH_MS = 30_000
/** The start of a sliding window is rounded, so that it is not refetched every second. */
const ROUNDED_SECONDS = 300
const NONE: readonly never[] = []

const eventsSince = (id: string, from: string) =>
  queryOptions({
    queryKey: ['GET /api/servers/{id}/events', { params: { id }, query: { from } }, 'all'] as const,
    queryFn: async () => {
      const found: ServerEvent[] = []
      let after: string | undefined
      do {
        const page = await api('GET /api/servers/{id}/events', {
          params: { id },
          query: { from, limit: PAGE, ...(after === undefined ? {} : { after }) },
        })
        found.push(...page.items)
        after = page.nextCursor ?? undefined
      } while (after !== undefined && found.length < MOST)
      return found
    },
  })

/** Events of a server since the start of a window. */
export function useServerMarks(
  server: Server,
  { from }: ChartWindow,
  mayView: boolean,
): readonly ChartMark[] {
  const since = new Date(Math.floor(from / ROUNDED_SECONDS) * ROUNDED_SECONDS * 1000).toISOString()
  const events = useQuery({
    ...eventsSince(server.id, since),
    enabled: mayView,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  })
  const machine = useQuery({
    ...q('GET /api/servers/{id}/vm', { params: { id: server.id } }),
    enabled: mayView && server.kind === 'vm',
  })
  const snapshots = machine.data?.snapshots
  return useMemo(
    () =>
      serverMarks({
        events: events.data ?? NONE,
        snapshots: snapshots ?? NONE,
        createdAt: server.createdAt,
        from: since,
      }),
    [events.data, snapshots, server.createdAt, since],
  )
}

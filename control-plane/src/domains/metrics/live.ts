import type { Server } from '@lodge/shared/servers.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import type { LiveSources, Loaded } from '../../live/live-events.ts'
import type { Services } from '../../services.ts'
import { textArray } from './series.ts'

declare module '../../live/announcement.ts' {
  interface Announcements {
    /** A node with new figures. */
    usage: true
  }
}

type ServerFigures = NonNullable<Server['usage']>
interface NodeFigures {
  readonly at: string
  readonly [figure: string]: unknown
}

/** Live figures for open panels: `sample` per running server, `nodeUsage` per node. */
export const announceUsage = ({ live }: Pick<Services, 'live'>): LiveSources => ({
  usage: {
    bulkLimit: Number.POSITIVE_INFINITY,
    load: (db, nodeIds) => (live.viewers === 0 ? Promise.resolve([]) : loadUsage(db, nodeIds)),
  },
})

type Row = Omit<ServerFigures, 'at'> & {
  id: string
  viewers: string[]
  at: Date
  /** When the server last reported its players; a viewer fetches the list when this changes. */
  playersAt: string | null
}

async function loadUsage(db: Db, nodeIds: readonly string[]): Promise<Loaded[]> {
  const ids = sql`any(${textArray(nodeIds)}::uuid[])`
  // From the samples, because figures in lists may be some seconds older.
  const servers = await db.execute<Row & Record<string, unknown>>(sql`
    select s.id, array[s.owner_id] || array(
        select user_id from server_collaborators where server_id = s.id and 'metrics.view' = any(permissions)
      ) as viewers, newest.at, newest.cpu as "cpuPercent",
      newest.memory as "memoryBytes", coalesce(shown.memory_of_node, false) as "memoryOfNode",
      shown.players ->> 'at' as "playersAt",
      newest.disk as "diskBytes",
      newest.rx as "networkRxBytesPerSecond", newest.tx as "networkTxBytesPerSecond"
    from servers s cross join lateral (
      select at, cpu, memory, disk, rx, tx from server_samples
      where key = s.metric_key and at > now() - interval '2 minutes' and at < now() + interval '1 minute'
      order by at desc limit 1) newest
    left join server_usage shown on shown.key = s.metric_key
    where s.node_id = ${ids} and s.observed_state in ('running', 'starting')`)
  const nodes = await db.execute<{ id: string; usage: NodeFigures }>(
    sql`select id, usage from nodes where id = ${ids} and usage is not null`,
  )
  return [
    ...servers.rows.map(
      ({ id, viewers, at, playersAt, ...figures }): Loaded => ({
        event: 'sample',
        data: {
          serverId: id,
          at: new Date(at).toISOString(),
          ...figures,
          ...(playersAt !== null && { playersAt }),
        },
        audience: { userIds: viewers, permission: 'servers.view' },
        passing: true,
      }),
    ),
    ...nodes.rows.map(
      ({ id, usage }): Loaded => ({
        event: 'nodeUsage',
        data: { nodeId: id, usage },
        audience: { permission: 'nodes.view' },
        passing: true,
      }),
    ),
  ]
}

import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import type { LiveEvents, Loaded } from '../../live/live-events.ts'
import { textArray } from './series.ts'

interface Usage {
  readonly at: string
  readonly [figure: string]: unknown
}

/** Lets open panels follow the figures: `sample` of each running server, `nodeUsage` of each node. */
export function registerUsage(live: LiveEvents): void {
  live.register('usage', (db, nodeIds) =>
    live.viewers === 0 ? Promise.resolve([]) : loadUsage(db, nodeIds),
  )
}

async function loadUsage(db: Db, nodeIds: readonly string[]): Promise<Loaded[]> {
  const ids = sql`any(${textArray(nodeIds)}::uuid[])`
  const servers = await db.execute<{ id: string; viewers: string[]; usage: Usage }>(sql`
    select id, array[owner_id] || array(
        select user_id from server_collaborators where server_id = servers.id and 'metrics.view' = any(permissions)
      ) as viewers, usage from servers
    where node_id = ${ids} and observed_state in ('running', 'starting') and usage is not null`)
  const nodes = await db.execute<{ id: string; usage: Usage }>(
    sql`select id, usage from nodes where id = ${ids} and usage is not null`,
  )
  return [
    ...servers.rows.map(
      ({ id, viewers, usage }): Loaded => ({
        event: 'sample',
        data: { serverId: id, ...usage },
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

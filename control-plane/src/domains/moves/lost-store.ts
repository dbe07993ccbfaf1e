import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { LOST } from '../nodes/index.ts'

/** A job that moves a server to a node, which so far only reserves capacity for it. */
export interface MoveTo extends Record<string, unknown> {
  readonly jobId: string
  readonly serverId: string
  readonly serverName: string
  readonly targetId: string
}

/** Only a move works on a server's files or disks while capacity is reserved for it elsewhere. */
const MOVES = `(select server_id, other_node_id from server_moves where state = 'taken'
    union all select server_id, other_node_id from vm_moves where state = 'taken') m
  join jobs j on j.server_id = m.server_id and j.concurrency_group = 'disks'
    and j.runs_as = 'saga' and j.ended_at is null`

const TO_LOST = `${MOVES} join nodes on nodes.id = m.other_node_id
  where not j.cancel_requested and ${LOST}`

/** Returns a row if a move has to be given up. */
export const ANY_LOST_TARGET = `select from ${TO_LOST}`

/** Tells for each whether the node was declared dead or taken over. */
export async function movesToLost(db: Db): Promise<(MoveTo & { readonly isFenced: boolean })[]> {
  const { rows } = await db.execute<MoveTo & { readonly isFenced: boolean }>(sql`
    select j.id as "jobId", m.server_id as "serverId", '' as "serverName",
      m.other_node_id as "targetId", nodes.fenced_at is not null as "isFenced"
    from ${sql.raw(TO_LOST)} order by m.server_id limit 100`)
  return rows
}

/**
 * Whether the job `j` moves the server `s` away from its node and has not changed its place yet, as an SQL
 * condition.
 */
export const LEAVES_NODE = `(j.kind in ('server.migrate', 'vm.migrate')
  and j.input ->> 'sourceId' = s.node_id::text
  and not exists (select from server_moves m where m.server_id = s.id and m.state = 'left')
  and not exists (select from vm_moves m where m.server_id = s.id and m.state = 'left'))`

/** A job that works with the files or disks of a server. */
export interface ServerJob extends Record<string, unknown> {
  readonly jobId: string
  readonly serverId: string
}

/** Jobs that move servers away from a node and have not changed their place yet, in lock order. */
export async function movesFromNode(db: Db, nodeId: string): Promise<ServerJob[]> {
  const { rows } = await db.execute<ServerJob>(sql`
    select j.id as "jobId", s.id as "serverId"
    from jobs j join servers s on s.id = j.server_id
    where s.node_id = ${nodeId}::uuid and j.ended_at is null and ${sql.raw(LEAVES_NODE)}
    order by s.id`)
  return rows
}

/** A job that changes the storage of a server on its node. */
interface StorageJob extends ServerJob {
  readonly input: unknown
}

/** In lock order. */
export async function storageJobsOn(db: Db, nodeId: string): Promise<StorageJob[]> {
  const { rows } = await db.execute<StorageJob>(sql`
    select j.id as "jobId", s.id as "serverId", j.input
    from jobs j join servers s on s.id = j.server_id
    where s.node_id = ${nodeId}::uuid and j.kind = 'server.storage' and j.ended_at is null
    order by s.id`)
  return rows
}

/** For servers that still exist, in lock order. */
export async function movesToNode(db: Db, nodeId: string): Promise<MoveTo[]> {
  const { rows } = await db.execute<MoveTo>(sql`
    select j.id as "jobId", m.server_id as "serverId", s.name as "serverName",
      m.other_node_id as "targetId"
    from ${sql.raw(MOVES)} join servers s on s.id = m.server_id
    where m.other_node_id = ${nodeId}::uuid order by m.server_id`)
  return rows
}

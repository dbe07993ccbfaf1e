import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { LOST } from '../nodes/index.ts'

/** A clone that waits for a node: its own, or that of the original. */
export interface WaitingClone extends Record<string, unknown> {
  readonly jobId: string
  readonly serverId: string
  readonly nodeId: string
  readonly isFenced: boolean
}

/** It waits for the node of the original only until the files are copied. */
const WAITING = `jobs j join servers s on s.id = j.server_id
  join nodes on nodes.id = s.node_id or nodes.id::text = j.input ->> 'sourceNodeId'
    and exists (select from server_backups b
      where b.id::text = j.input ->> 'backupId' and b.state = 'creating')
  where j.kind = 'server.clone' and j.ended_at is null and not j.cancel_requested`

/** Returns a row if there is a clone to give up. */
export const ANY_LOST_CLONE = `select from ${WAITING} and ${LOST}`

const read = async (db: Db, condition: ReturnType<typeof sql>): Promise<WaitingClone[]> => {
  const { rows } = await db.execute<WaitingClone>(sql`
    select j.id as "jobId", s.id as "serverId", nodes.id as "nodeId",
      nodes.fenced_at is not null as "isFenced"
    from ${sql.raw(WAITING)} and ${condition} order by s.id limit 100`)
  return rows
}

export const clonesOfLost = (db: Db): Promise<WaitingClone[]> => read(db, sql.raw(LOST))

export const clonesOfNode = (db: Db, nodeId: string): Promise<WaitingClone[]> =>
  read(db, sql`nodes.id = ${nodeId}::uuid`)

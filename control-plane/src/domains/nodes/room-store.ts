import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'

/**
 * Above the first share of a node's capacity little room is left; below the second the warning is
 * rearmed. Between them nothing changes, so that a server that comes and goes does not notify the
 * host each time.
 */
const LOW_FROM = 0.9
const ROOM_BELOW = 0.8

/** The share of a node's capacity that its servers have, in per cent. */
export interface NodeRoom {
  readonly id: string
  readonly name: string
  readonly memory: number
  readonly cpu: number
  readonly disk: number
}

const share = (allocated: string, offered: string) =>
  `coalesce(${allocated}::float8 / nullif(greatest(${offered}, 0), 0), 0)`
const MEMORY = share('allocated_memory_mb', 'memory_mb - headroom_mb')
const CPU = share('allocated_cpu_percent', 'cpu_percent')
const DISK = share('allocated_disk_mb', 'disk_mb')
const FULLEST = `greatest(${MEMORY}, ${CPU}, ${DISK})`

/**
 * Records which nodes have little room left. Cordoned nodes keep their state.
 * @returns the nodes of which the host has not been notified yet
 */
export async function nodesShortOfRoom(db: Db): Promise<NodeRoom[]> {
  const { rows } = await db.execute<NodeRoom & { told: boolean } & Record<string, unknown>>(sql`
    update nodes set told_little_room = not told_little_room
    where id in (select id from nodes where credential_hash is not null and not cordoned
        and case when told_little_room then ${sql.raw(FULLEST)} < ${ROOM_BELOW}
          else ${sql.raw(FULLEST)} >= ${LOW_FROM} end
      order by id for no key update skip locked)
    returning id, name, told_little_room as told, floor(${sql.raw(MEMORY)} * 100)::int as memory,
      floor(${sql.raw(CPU)} * 100)::int as cpu, floor(${sql.raw(DISK)} * 100)::int as disk`)
  return rows.filter(({ told }) => told)
}

import { VERIFIES_BACKUPS } from '@lodge/shared/node-abilities.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { ONLINE } from '../../fleet/online.ts'
import { PRUNE_DUE, REACHABLE } from './tidy-store.ts'

export interface ToVerify {
  readonly serverId: string
  readonly ownerId: string
  readonly backupId: string
}

/** A verification that takes longer counts as one that hangs, and holds up only its own node. */
const HANGS_AFTER = sql.raw('12 hours')

const KNOWS_HOW = `nodes.capabilities @> array['${VERIFIES_BACKUPS}']`
const ABLE = `${ONLINE} and ${KNOWS_HOW}`

/**
 * The node that reads a backup: the one that cleans its repository, which does not do both at once,
 * or else another one that reaches it.
 */
const READER = sql.raw(`coalesce(
  (select nodes.id from nodes where nodes.id = r.node_id and ${ABLE}),
  case r.place when 'node' then r.node_id else s.node_id end)`)

/** A node as the one that would read a backup. */
export interface Reader {
  readonly id: string
  readonly name: string
  readonly online: boolean
  /** Its agent knows how. */
  readonly able: boolean
}

/** Who would read each of these backups; nobody stands for one that no node reaches. */
export async function readersOf(
  db: Db,
  backupIds: readonly string[],
): Promise<ReadonlyMap<string, Reader>> {
  const { rows } = await db.execute<Reader & Record<string, unknown> & { backupId: string }>(sql`
    select b.id as "backupId", nodes.id, nodes.name, ${sql.raw(ONLINE)} as online,
      ${sql.raw(KNOWS_HOW)} as able
    from server_backups b
    join servers s on s.id = b.server_id
    join backup_repositories r on r.id = b.repository_id
    join nodes on nodes.id = ${READER}
    where b.id = any(${sql.param([...backupIds])}::uuid[])`)
  return new Map(rows.map(({ backupId, ...reader }) => [backupId, reader]))
}

/**
 * Whether a backup could not be read some hours ago either, and has not been read since: then it is no
 * fault of its storage that passes.
 */
export async function wasUnreadable(db: Db, backupId: string): Promise<boolean> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select j.id from jobs j join server_backups b on b.id = ${backupId}::uuid
    where j.server_id = b.server_id and j.kind = 'backup.verify'
      and j.input->>'backupId' = b.id::text and j.failure->>'code' = 'copy_unreadable'
      and j.ended_at < now() - interval '6 hours'
      and (b.verified_at is null or j.ended_at > b.verified_at)
    limit 1`)
  return rows.length > 0
}

/**
 * Backups that nobody has read back for so long, and damaged ones that may be repaired by now, the
 * longest unread first: of each node the first one, unless it is busy or reads one already. One that
 * could not be read yesterday waits for tomorrow. Space is freed first; and a day has its share of what
 * a node wrote, twice of it to catch up, so that it does not read for days after an update.
 */
export async function dueToVerify(
  db: Db,
  given: {
    days: number
    atMost: number
    busyPercent: number
    /** The least of such a share. */
    perDay: number
  },
): Promise<ToVerify[]> {
  const { rows } = await db.execute<ToVerify & Record<string, unknown>>(sql`
    with open as (
      select input->>'nodeId' as node_id, created_at > now() - interval '${HANGS_AFTER}' as moves
      from jobs where kind = 'backup.verify' and ended_at is null),
    paced as (
      select r.node_id from server_backups b join backup_repositories r on r.id = b.repository_id
      where b.state = 'good' group by r.node_id
      having count(*) filter (where b.verified_at > now() - interval '1 day')
        >= greatest(${given.perDay}::int, 2.0 * count(*) / ${given.days}::int)),
    waiting as (
      select distinct on (nodes.id) s.id as server_id, s.owner_id, b.id as backup_id,
        coalesce(b.verified_at, b.created_at) as since
      from server_backups b
      join servers s on s.id = b.server_id
      join backup_repositories r on r.id = b.repository_id
      join nodes on nodes.id = ${READER}
      where b.state = 'good'
        and case when b.damaged_at is null
          then coalesce(b.verified_at, b.created_at) < now() - make_interval(days => ${given.days})
          else b.damaged_at < now() - interval '1 day' end
        and ${sql.raw(ABLE)} and ${REACHABLE}
        and not (r.needs_prune and ${PRUNE_DUE})
        and coalesce((nodes.usage->>'cpuPercent')::float8, 0) < ${given.busyPercent}
        and not exists (select from open where open.node_id = nodes.id::text)
        and not exists (select from paced where paced.node_id = r.node_id)
        and not exists (select from jobs j where j.server_id = s.id and j.ended_at is null)
        and not exists (select from jobs j where j.server_id = s.id and j.kind = 'backup.verify'
          and j.input->>'backupId' = b.id::text and j.created_at > now() - interval '1 day')
      order by nodes.id, since, b.id)
    select server_id as "serverId", owner_id as "ownerId", backup_id as "backupId" from waiting
    order by since
    limit greatest(0, ${given.atMost} - (select count(*) from open where moves))`)
  return rows
}

import type { FailoverMode } from '@lodge/shared/failover.ts'
import type { HoldKind } from '@lodge/shared/servers.ts'
import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { users } from '../customers/tables.ts'
import { LEAVES_NODE } from '../moves/index.ts'
import {
  type FailoverRunRow,
  type FailoverServerRow,
  failoverBlocked,
  failoverRuns,
  failoverServers,
} from './tables.ts'

/** A server of a node that may be lost, with what decides whether it can be brought back. */
export interface LostServer {
  readonly id: string
  readonly name: string
  readonly kind: 'container' | 'vm'
  readonly nodeId: string
  readonly ownerId: string
  readonly owner: string
  readonly memoryMb: number
  readonly cpuPercent: number
  readonly diskMb: number
  /** For virtual machines. */
  readonly networkId: string | null
  readonly profileId: string | null
  readonly wantedOn: boolean
  /** It crashed, and was given up. */
  readonly givenUp: boolean
  readonly holds: readonly HoldKind[]
  /** The open job that its files belong to. */
  readonly busyJobId: string | null
  readonly busyKind: string | null
  /** That job changes its storage, and is given up with the node. */
  readonly changesStorage: boolean
  /** That job moves it to another node, has not changed its place yet, and is given up with its node. */
  readonly isLeaving: boolean
  /** A former copy of it is on another node, or capacity is reserved for it there. */
  readonly isMoving: boolean
  /** The node with its former copy, which is complete as long as the move has not ended. */
  readonly formerNode: string | null
  /** The shared storage that has its files; null for the disk of its node. */
  readonly storageId: string | null
  readonly failoverMode: FailoverMode | null
  readonly failoverRevision: number
  readonly guardedRevision: number
}

export async function lostServers(db: Db, nodeId: string): Promise<LostServer[]> {
  const { rows } = await db.execute<LostServer & Record<string, unknown>>(sql`
    select s.id, s.name, s.kind, s.node_id as "nodeId", s.owner_id as "ownerId", u.email as owner,
      s.memory_mb as "memoryMb", s.cpu_percent as "cpuPercent",
      s.disk_mb + case when s.storage_id is null then 0 else s.copies_disk_mb end as "diskMb",
      v.network_id as "networkId", v.profile_id as "profileId",
      s.desired_power = 'on' as "wantedOn",
      s.observed_state = 'crashed' and s.restart_at is null as "givenUp",
      array(select h.kind from server_holds h where h.server_id = s.id) as holds,
      j.id as "busyJobId", j.kind as "busyKind",
      coalesce(j.kind = 'server.storage' and (g.broken_off is not null or g.rollback is null), false)
        as "changesStorage",
      coalesce(${sql.raw(LEAVES_NODE)}, false) as "isLeaving",
      exists (select from server_moves m where m.server_id = s.id)
        or exists (select from vm_moves m where m.server_id = s.id) as "isMoving",
      (select n.name from server_moves m join nodes n on n.id = m.other_node_id
        where m.server_id = s.id and m.state = 'left'
          and j.input ->> 'targetId' = s.node_id::text) as "formerNode",
      s.storage_id as "storageId", s.failover_mode as "failoverMode", s.failover_revision::float8 as "failoverRevision",
      s.guarded_revision::float8 as "guardedRevision"
    from servers s join users u on u.id = s.owner_id
      left join machines v on v.server_id = s.id
      left join jobs j on j.server_id = s.id and j.concurrency_group = 'disks' and j.ended_at is null
      left join sagas g on g.job_id = j.id
    where s.node_id = ${nodeId}::uuid
    order by lower(s.name), s.id`)
  return rows
}

/** Which of these servers have an open job that their files belong to. */
export async function busyAmong(
  db: Db,
  serverIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select server_id as id from jobs where server_id = any(${`{${serverIds.join(',')}}`}::uuid[])
      and concurrency_group = 'disks' and ended_at is null`)
  return new Set(rows.map(({ id }) => id))
}

/** The open job that a server's files belong to. */
export async function busyJob(db: Db, serverId: string): Promise<string | undefined> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from jobs where server_id = ${serverId}::uuid and concurrency_group = 'disks'
      and ended_at is null`)
  return rows[0]?.id
}

export async function insertRun(db: Db, row: typeof failoverRuns.$inferInsert): Promise<void> {
  await db.insert(failoverRuns).values(row)
}

export async function updateRun(
  db: Db,
  id: string,
  change: Partial<FailoverRunRow>,
): Promise<void> {
  await db.update(failoverRuns).set(change).where(eq(failoverRuns.id, id))
}

export async function findRun(db: Db, id: string): Promise<FailoverRunRow | undefined> {
  const [row] = await db.select().from(failoverRuns).where(eq(failoverRuns.id, id))
  return row
}

export async function insertServers(
  db: Db,
  rows: readonly (typeof failoverServers.$inferInsert)[],
): Promise<void> {
  if (rows.length > 0) await db.insert(failoverServers).values([...rows])
}

/** False if operators were told in this epoch of the node already. */
export async function noteBlocked(db: Db, nodeId: string, epoch: number): Promise<boolean> {
  const rows = await db
    .insert(failoverBlocked)
    .values({ nodeId, epoch })
    .onConflictDoUpdate({
      target: failoverBlocked.nodeId,
      set: { epoch },
      setWhere: sql`${failoverBlocked.epoch} <> excluded.epoch`,
    })
    .returning({ nodeId: failoverBlocked.nodeId })
  return rows.length > 0
}

export const serversOfRuns = (db: Db, runIds: readonly string[]): Promise<FailoverServerRow[]> =>
  runIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(failoverServers)
        .where(inArray(failoverServers.runId, [...runIds]))
        .orderBy(asc(failoverServers.serverName), asc(failoverServers.serverId))

export async function findServerOfRun(
  db: Db,
  runId: string,
  serverId: string,
): Promise<FailoverServerRow | undefined> {
  const [row] = await db
    .select()
    .from(failoverServers)
    .where(and(eq(failoverServers.runId, runId), eq(failoverServers.serverId, serverId)))
    .for('no key update')
  return row
}

export async function updateServerOfRun(
  db: Db,
  runId: string,
  serverId: string,
  change: Partial<FailoverServerRow>,
): Promise<void> {
  await db
    .update(failoverServers)
    .set(change)
    .where(and(eq(failoverServers.runId, runId), eq(failoverServers.serverId, serverId)))
}

export const latestRuns = (
  db: Db,
  most: number,
): Promise<{ run: FailoverRunRow; startedBy: string | null }[]> =>
  db
    .select({ run: failoverRuns, startedBy: users.email })
    .from(failoverRuns)
    .leftJoin(users, eq(users.id, failoverRuns.startedById))
    .orderBy(desc(failoverRuns.startedAt), desc(failoverRuns.id))
    .limit(most)

/** Servers of a node whose automatic failover is running, or failed within these minutes. */
export async function triedLately(
  db: Db,
  nodeId: string,
  minutes: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select s.server_id as id from failover_servers s join failover_runs r on r.id = s.run_id
    where r.node_id = ${nodeId}::uuid and (s.state = 'waiting' or s.state = 'failed'
      and r.automatic and r.started_at > now() - ${minutes} * interval '1 minute')`)
  return new Set(rows.map(({ id }) => id))
}

/**
 * When a server was last brought back within these days, and the time of its files; null: it lost
 * none.
 */
export async function lastReturn(
  db: Db,
  serverId: string,
  days: number,
): Promise<{ at: Date; filesOf: Date | null } | undefined> {
  const [row] = await db
    .select({
      at: failoverRuns.startedAt,
      storage: failoverServers.storage,
      backupAt: failoverServers.backupAt,
    })
    .from(failoverRuns)
    .innerJoin(failoverServers, eq(failoverServers.runId, failoverRuns.id))
    .where(
      and(
        sql`${failoverRuns.startedAt} > now() - make_interval(days => ${days})`,
        eq(failoverServers.serverId, serverId),
        eq(failoverServers.state, 'restored'),
      ),
    )
    .orderBy(desc(failoverRuns.startedAt))
    .limit(1)
  return row && { at: row.at, filesOf: row.storage === null ? row.backupAt : null }
}

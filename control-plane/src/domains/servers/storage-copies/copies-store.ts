import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { ONLINE } from '../../../fleet/online.ts'
import { nodes } from '../../nodes/tables.ts'
import { servers } from '../tables.ts'
import { type StorageCopyRow, storageCopies } from './tables.ts'

type Copy = Pick<StorageCopyRow, 'serverId' | 'nodeId'>

const isCopy = ({ serverId, nodeId }: Copy) =>
  and(eq(storageCopies.serverId, serverId), eq(storageCopies.nodeId, nodeId))

export const storageCopiesOf = (db: Db, serverId: string): Promise<StorageCopyRow[]> =>
  db.select().from(storageCopies).where(eq(storageCopies.serverId, serverId))

/** Which nodes have such copies of these servers. */
export const copiesOnStorages = (db: Db, serverIds: readonly string[]): Promise<Copy[]> =>
  serverIds.length === 0
    ? Promise.resolve([])
    : db
        .select({ serverId: storageCopies.serverId, nodeId: storageCopies.nodeId })
        .from(storageCopies)
        .where(inArray(storageCopies.serverId, [...serverIds]))

export async function insertStorageCopy(
  db: Db,
  row: typeof storageCopies.$inferInsert,
): Promise<void> {
  await db.insert(storageCopies).values(row)
}

export async function updateStorageCopy(
  db: Db,
  copy: Copy,
  change: Partial<StorageCopyRow>,
): Promise<void> {
  await db.update(storageCopies).set(change).where(isCopy(copy))
}

/** A copy, and whether a process may be deleting it now, by the clock that claims are made with. */
export type LockedCopy = StorageCopyRow & { readonly isBeingDeleted: boolean }

/** Locks the record of a copy, so that no process begins to delete it before the transaction ends. */
export async function lockStorageCopy(db: Db, copy: Copy): Promise<LockedCopy | undefined> {
  const isBeingDeleted = sql<boolean>`coalesce(${storageCopies.claimedUntil} > now(), false)`
  const [row] = await db
    .select({ copy: storageCopies, isBeingDeleted })
    .from(storageCopies)
    .where(isCopy(copy))
    .for('update')
  return row && { ...row.copy, isBeingDeleted: row.isBeingDeleted }
}

/** What is known of a copy that its node has not deleted. */
export type StorageCopyListed = Omit<
  StorageCopyRow,
  'kind' | 'placementGeneration' | 'disks' | 'createdAt' | 'claimedUntil' | 'outOfReachSince'
> & {
  /** Null once the server is gone. */
  readonly serverName: string | null
  readonly nodeName: string
  readonly isOnline: boolean
  readonly since: Date
}

/** Those that their nodes fail to delete come first. */
export const listStorageCopies = (db: Db, most: number): Promise<StorageCopyListed[]> =>
  db
    .select({
      ...{ serverId: storageCopies.serverId, serverName: servers.name },
      ...{ nodeId: storageCopies.nodeId, nodeName: nodes.name },
      isOnline: sql<boolean>`${sql.raw(ONLINE)}`,
      storageId: storageCopies.storageId,
      since: storageCopies.createdAt,
      keptUntil: storageCopies.keptUntil,
      failure: storageCopies.failure,
      tries: storageCopies.tries,
      tryAt: storageCopies.tryAt,
    })
    .from(storageCopies)
    .innerJoin(nodes, eq(nodes.id, storageCopies.nodeId))
    .leftJoin(servers, eq(servers.id, storageCopies.serverId))
    .where(sql`not ${sql.raw(changesStorage('storage_copies.server_id'))}`)
    .orderBy(
      sql`${storageCopies.failure} is null`,
      desc(storageCopies.createdAt),
      asc(storageCopies.serverId),
    )
    .limit(most)

/** Forgets a copy, whatever its node has of it. */
export async function forgetStorageCopy(db: Db, copy: Copy): Promise<void> {
  await db.delete(storageCopies).where(isCopy(copy))
}

/** A copy that its node can delete now, and where its server lies, unless that is gone or elsewhere. */
export type DueCopy = Pick<
  StorageCopyRow,
  'serverId' | 'nodeId' | 'kind' | 'storageId' | 'placementGeneration' | 'tries'
> & { readonly isHere: boolean; readonly liesOn: string | null; readonly createdAt: string }

/**
 * Whether a job copies a server or changes its storage.
 * @param serverId the column with its id
 */
export const changesStorage = (serverId: string): string =>
  `exists (select from jobs j where j.server_id = ${serverId}
    and j.kind = 'server.storage' and j.ended_at is null)`

export async function isChangingStorage(db: Db, serverId: string): Promise<boolean> {
  const { rows } = await db.execute<{ changes: boolean }>(sql`
    select ${sql.raw(changesStorage('s.id'))} as changes from servers s where s.id = ${serverId}::uuid`)
  return rows[0]?.changes === true
}

/** What such a job made may be all that there is. */
const IS_IN_USE = changesStorage('c.server_id')

/** Nobody can take the copy of a server that was deleted. */
const IS_OF_A_SERVER = 'exists (select from servers owner where owner.id = c.server_id)'

/** Whether somebody could take a copy now: its node has that storage. */
const IS_IN_REACH = `(${ONLINE} and (c.storage_id is null or
  nodes.hardware -> 'storages' @> jsonb_build_array(jsonb_build_object('id', c.storage_id))))`

/** How long files stay that are newer than those which a server took instead. */
const KEPT_DAYS = 7
export const keptFrom = (at: Date): Date => new Date(at.getTime() + KEPT_DAYS * 86_400_000)

/**
 * The days of what is kept begin anew whenever nobody could take it for more than an hour: they count from
 * when its node has that storage again. A node that restarts changes nothing.
 */
export async function keepOutOfReach(db: Db): Promise<void> {
  const inReach = sql.raw(`(${IS_IN_REACH} is true)`)
  const days = sql`make_interval(days => ${KEPT_DAYS}::int)`
  const wasLong = sql.raw(`c.out_of_reach_since < now() - interval '1 hour'`)
  await db.execute(sql`
    update storage_copies c set
      kept_until = case when ${wasLong} then now() + ${days} else c.kept_until end,
      out_of_reach_since = case when not ${inReach} then coalesce(c.out_of_reach_since, now()) end
    from nodes where nodes.id = c.node_id and c.kept_until is not null and ${sql.raw(IS_OF_A_SERVER)}
      and (${inReach} <> (c.out_of_reach_since is null)
        or ${wasLong} and c.kept_until < now() + ${days} - interval '1 hour')`)
}

/** Takes what is due, so that no other process does until the claim ends. */
export async function claimStorageCopies(db: Db, seconds: number): Promise<DueCopy[]> {
  const { rows } = await db.execute<DueCopy & Record<string, unknown>>(sql`
    with due as (
      select c.server_id, c.node_id from storage_copies c join nodes on nodes.id = c.node_id
      where c.try_at <= now() and (c.kept_until is null or not ${sql.raw(IS_OF_A_SERVER)}
          or c.kept_until <= now() and ${sql.raw(IS_IN_REACH)})
        and coalesce(c.claimed_until, now()) <= now() and ${sql.raw(ONLINE)} and not ${sql.raw(IS_IN_USE)}
      order by c.try_at, c.server_id limit 50 for update of c skip locked)
    update storage_copies c
    set kept_until = null, claimed_until = now() + make_interval(secs => ${seconds})
    from due left join servers s on s.id = due.server_id and s.node_id = due.node_id
    where c.server_id = due.server_id and c.node_id = due.node_id
    returning c.server_id as "serverId", c.node_id as "nodeId", c.kind, c.storage_id as "storageId",
      c.placement_generation::float8 as "placementGeneration", c.tries,
      c.created_at::text as "createdAt", s.id is not null as "isHere", s.storage_id as "liesOn"`)
  return rows
}

/** Keeps a claim, as long as the copy is the same. */
export async function renewClaim(db: Db, copy: DueCopy, seconds: number): Promise<void> {
  await db
    .update(storageCopies)
    .set({ claimedUntil: sql`now() + make_interval(secs => ${seconds})` })
    .where(and(isCopy(copy), isSame(copy)))
}

/** Ends a claim, as long as the copy is the same. */
export async function endClaim(
  db: Db,
  copy: DueCopy,
  change: Partial<Pick<StorageCopyRow, 'tries' | 'tryAt' | 'failure'>>,
): Promise<void> {
  await db
    .update(storageCopies)
    .set({ ...change, claimedUntil: null })
    .where(and(isCopy(copy), isSame(copy)))
}

/**
 * Forgets a copy that is deleted: the same one, and none that a job has begun to make since.
 * @returns whether it was that
 */
export async function deleteStorageCopy(db: Db, copy: DueCopy): Promise<boolean> {
  const { rows } = await db.execute<{ gone: boolean }>(sql`
    delete from storage_copies c where c.server_id = ${copy.serverId}::uuid
      and c.node_id = ${copy.nodeId}::uuid and c.created_at = ${copy.createdAt}::timestamptz
      and not ${sql.raw(IS_IN_USE)} returning true as gone`)
  return rows.length === 1
}

const isSame = ({ createdAt }: DueCopy) =>
  sql`${storageCopies.createdAt} = ${createdAt}::timestamptz`

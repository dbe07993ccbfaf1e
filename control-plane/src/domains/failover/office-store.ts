import type { Office } from '@lodge/shared/leases/coordinator.ts'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { nodes } from '../nodes/tables.ts'
import { failoverOffice, takeovers } from './tables.ts'

/** While no server may fail over, nothing is watched and no leases are extended. */
export const ANY_MOVABLE = `select from nodes where failover_mode <> 'pinned' or fenced_at is not null
  union all select from servers where failover_mode = 'auto'
  union all select from servers where failover_mode = 'stonith'
  union all select from failover_office where lease_extended_ttl_ms is not null`

const OFFICE = {
  holderId: failoverOffice.holderId,
  term: failoverOffice.term,
  renewSeq: failoverOffice.renewSeq,
}

/** The current coordinator; creates the row on first use. */
export async function readOffice(db: Db): Promise<Office> {
  const read = () => db.select(OFFICE).from(failoverOffice)
  const [row] = await read()
  if (row) return row
  await db.insert(failoverOffice).values({ id: 1 }).onConflictDoNothing()
  const [made] = await read()
  if (!made) throw new Error('the row of the coordinator is missing')
  return made
}

/** Renews the coordinator's claim. False if another instance is the coordinator by now. */
export async function renewOffice(db: Db, holderId: string, term: number): Promise<boolean> {
  const renewed = await db
    .update(failoverOffice)
    .set({ renewSeq: sql`${failoverOffice.renewSeq} + 1` })
    .where(and(eq(failoverOffice.holderId, holderId), eq(failoverOffice.term, term)))
    .returning({ term: failoverOffice.term })
  return renewed.length > 0
}

/** Makes this instance the coordinator, if nothing has changed since it looked. */
export async function takeOffice(db: Db, holderId: string, seen: Office): Promise<boolean> {
  const taken = await db
    .update(failoverOffice)
    .set({ holderId, term: seen.term + 1, renewSeq: seen.renewSeq + 1 })
    .where(and(eq(failoverOffice.term, seen.term), eq(failoverOffice.renewSeq, seen.renewSeq)))
    .returning({ term: failoverOffice.term })
  return taken.length > 0
}

/** Whether this term is still current; locks the row until the transaction ends. */
export async function isInOffice(db: Db, holderId: string, term: number): Promise<boolean> {
  const rows = await db
    .select({ term: failoverOffice.term })
    .from(failoverOffice)
    .where(and(eq(failoverOffice.holderId, holderId), eq(failoverOffice.term, term)))
    .for('share')
  return rows.length > 0
}

/** Leases that were extended for maintenance of the control plane. */
export interface Extension {
  readonly ttlMs: number
  readonly at: Date
  readonly until: Date
  /** Its time is over. */
  readonly isOver: boolean
}

/**
 * @param lock `locked`: locks the row until the transaction ends; rows of nodes are locked after it
 */
export async function readExtension(
  db: Db,
  lock: 'free' | 'locked' = 'free',
): Promise<Extension | undefined> {
  const { extendedTtlMs: ttlMs, extendedAt: at, extendedUntil: until } = failoverOffice
  const isOver = sql<boolean>`coalesce(${until} <= clock_timestamp(), false)`
  const found = db.select({ ttlMs, at, until, isOver }).from(failoverOffice)
  const [row] = await (lock === 'locked' ? found.for('update') : found)
  if (!row || row.ttlMs === null || row.at === null || row.until === null) return undefined
  return { ttlMs: row.ttlMs, at: row.at, until: row.until, isOver: row.isOver }
}

/** Must be followed, in the same transaction, by the same change to the nodes' granted leases. */
export async function saveExtension(
  db: Db,
  given: { readonly ttlMs: number; readonly minutes: number } | null,
): Promise<void> {
  const set = {
    extendedTtlMs: given?.ttlMs ?? null,
    extendedAt: given && sql`clock_timestamp()`,
    extendedUntil: given && sql`clock_timestamp() + ${given.minutes} * interval '1 minute'`,
  }
  await db
    .insert(failoverOffice)
    .values({ id: 1, ...set })
    .onConflictDoUpdate({ target: failoverOffice.id, set })
}

/** @returns whether the reason has changed */
export async function saveStopped(db: Db, why: string | null): Promise<boolean> {
  const changed = await db
    .update(failoverOffice)
    .set({ stoppedBecause: why })
    .where(sql`${failoverOffice.stoppedBecause} is distinct from ${why}::text`)
    .returning({ id: failoverOffice.id })
  return changed.length > 0
}

/** Why the coordinator takes nothing over at present; null: it does. */
export async function whyStopped(db: Db): Promise<string | null> {
  const [row] = await db.select({ why: failoverOffice.stoppedBecause }).from(failoverOffice)
  return row?.why ?? null
}

export async function insertTakeover(db: Db, row: typeof takeovers.$inferInsert): Promise<void> {
  await db.insert(takeovers).values(row)
}

/** Which of these nodes are fenced because they were silent until their leases had ended. */
export async function takenOver(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ id: nodes.id })
    .from(takeovers)
    .innerJoin(nodes, and(eq(nodes.id, takeovers.nodeId), eq(nodes.epoch, takeovers.epoch)))
    .where(inArray(nodes.id, [...ids]))
  return new Set(rows.map(({ id }) => id))
}

/** Nodes that were taken over, or began to be switched off, within this time, except these. */
export async function recentTakeovers(
  db: Db,
  withinMs: number,
  besides: readonly string[],
): Promise<number> {
  const since = sql`clock_timestamp() - ${withinMs} * interval '1 millisecond'`
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from (
      select coalesce(node_id, id) as id from takeovers where at > ${since}
      union select node_id from fencings where asked_at > ${since}) recent
    where id <> all(${`{${besides.join(',')}}`}::uuid[])`)
  return rows[0]?.count ?? 0
}

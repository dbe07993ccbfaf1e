import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { nodes } from '../../nodes/tables.ts'
import { MODE_IN_FORCE } from '../../servers/index.ts'
import { type FencingRow, fencings } from '../tables.ts'

/** A node that this instance has to switch off now. */
export interface DueFencing extends Record<string, unknown> {
  readonly nodeId: string
  readonly name: string
  readonly renewSeq: number
  /** The number of this attempt, which distinguishes its result from those of later ones. */
  readonly tries: number
  readonly wasOff: boolean
  readonly isTold: boolean
}

/** Whether there may be something to switch off. */
export const ANY_FENCING = `select from fencings f join nodes n on n.id = f.node_id
  and n.renew_seq = f.renew_seq where f.try_at <= now()`

/** The state of fencing for each of these nodes that has given no sign of life since the request. */
export async function fencingsOf(
  db: Db,
  nodeIds: readonly string[],
): Promise<ReadonlyMap<string, FencingRow & { readonly isFresh: boolean }>> {
  if (nodeIds.length === 0) return new Map()
  const rows = await db
    .select({
      row: fencings,
      isFresh: sql<boolean>`coalesce(${fencings.offAt}
        > clock_timestamp() - ${FRESH_SECONDS} * interval '1 second', false)`,
    })
    .from(fencings)
    .innerJoin(nodes, and(eq(nodes.id, fencings.nodeId), eq(nodes.renewSeq, fencings.renewSeq)))
    .where(inArray(fencings.nodeId, [...nodeIds]))
  return new Map(rows.map(({ row, isFresh }) => [row.nodeId, { ...row, isFresh }]))
}

/** It was seen to be off, and no further look is due. */
export const isOff = (row: Pick<FencingRow, 'offAt' | 'tryAt'> | undefined): boolean =>
  row !== undefined && row.offAt !== null && row.tryAt === null

/** A node seen off longer ago than this is checked again before it is taken over. */
const FRESH_SECONDS = 60

/** Requests that a node is switched off, once per silence. */
export async function askToFence(
  db: Db,
  { nodeId, renewSeq }: { readonly nodeId: string; readonly renewSeq: number },
): Promise<void> {
  const now = sql`now()`
  await db
    .insert(fencings)
    .values({ nodeId, renewSeq })
    .onConflictDoUpdate({
      target: fencings.nodeId,
      set: { renewSeq, askedAt: now, tries: 0, tryAt: now, offAt: null, failure: null },
      // A coordinator that was replaced meanwhile knows an older renewal.
      setWhere: sql`${fencings.renewSeq} < excluded.renew_seq`,
    })
}

/** Requests another check that a node is still off. */
export async function lookAgain(db: Db, { nodeId, renewSeq }: FencingRow): Promise<void> {
  await db
    .update(fencings)
    .set({ tryAt: sql`now()` })
    .where(
      and(
        eq(fencings.nodeId, nodeId),
        eq(fencings.renewSeq, renewSeq),
        sql`${fencings.tryAt} is null`,
      ),
    )
}

/**
 * Claims nodes to switch off, each for one instance at a time. Skips a node that was heard or has no
 * server left that waits for it, and all nodes while too many are silent.
 * @param given.claimSeconds after which another instance takes it over
 * @param given.lateSeconds only nodes that nobody has claimed for this long
 */
export async function claimFencings(
  db: Db,
  { claimSeconds, lateSeconds }: { readonly claimSeconds: number; readonly lateSeconds: number },
): Promise<DueFencing[]> {
  const { rows } = await db.execute<DueFencing>(sql`
    with due as materialized (
      select f.node_id, n.name from fencings f
        join nodes n on n.id = f.node_id and n.renew_seq = f.renew_seq
      where f.try_at <= now() - ${lateSeconds} * interval '1 second'
        and not exists (select from failover_office where stopped_because is not null)
        and exists (select from servers s where s.node_id = n.id and ${MODE_IN_FORCE} = 'stonith')
      order by f.try_at, f.node_id for update of f skip locked)
    update fencings f set tries = f.tries + 1,
      try_at = now() + ${claimSeconds} * interval '1 second'
    from due where f.node_id = due.node_id
    returning f.node_id as "nodeId", due.name, f.renew_seq::float8 as "renewSeq", f.tries,
      f.off_at is not null as "wasOff", coalesce((f.failure ->> 'isTold')::boolean, false) as "isTold"`)
  return rows
}

/**
 * Whether an attempt is still due: its node has not been heard since, and its claim has not ended.
 */
export async function isStillDue(
  db: Db,
  { nodeId, renewSeq, tries }: DueFencing,
): Promise<boolean> {
  const rows = await db
    .select({ id: fencings.nodeId })
    .from(fencings)
    .innerJoin(nodes, and(eq(nodes.id, fencings.nodeId), eq(nodes.renewSeq, fencings.renewSeq)))
    .where(
      and(
        eq(fencings.nodeId, nodeId),
        eq(fencings.renewSeq, renewSeq),
        eq(fencings.tries, tries),
        sql`${fencings.tryAt} > clock_timestamp()`,
      ),
    )
  return rows.length > 0
}

/**
 * Records the result of an attempt, unless its claim has ended: the observation may be outdated by
 * then.
 * @returns whether it was recorded
 */
export async function endTry(
  db: Db,
  { nodeId, renewSeq, tries }: DueFencing,
  ended:
    | { readonly isOff: true }
    | {
        readonly isOff: false
        readonly failure: FencingRow['failure']
        readonly againSeconds: number
      },
): Promise<boolean> {
  const rows = await db
    .update(fencings)
    .set(
      ended.isOff
        ? { offAt: sql`clock_timestamp()`, tryAt: null, failure: null }
        : {
            failure: ended.failure,
            tryAt: sql`now() + ${ended.againSeconds} * interval '1 second'`,
          },
    )
    .where(
      and(
        eq(fencings.nodeId, nodeId),
        eq(fencings.renewSeq, renewSeq),
        eq(fencings.tries, tries),
        sql`${fencings.tryAt} > clock_timestamp()`,
      ),
    )
    .returning({ id: fencings.nodeId })
  return rows.length > 0
}

import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { nodes } from '../../nodes/tables.ts'
import { MODE_IN_FORCE } from '../../servers/index.ts'
import { type FencingRow, fencings } from '../tables.ts'

/** A node that this instance is to switch off now. */
export interface DueFencing extends Record<string, unknown> {
  readonly nodeId: string
  readonly name: string
  readonly renewSeq: number
  /** Of this try, by which its result is told from that of a later one. */
  readonly tries: number
  readonly wasOff: boolean
  readonly isTold: boolean
}

/** Whether there may be something to switch off. */
export const ANY_FENCING = `select from fencings f join nodes n on n.id = f.node_id
  and n.renew_seq = f.renew_seq where f.try_at <= now()`

/** How it stands with each of these nodes that has given no sign of life since it was asked for. */
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

/** It was seen to be off, and nobody is to look again. */
export const isOff = (row: Pick<FencingRow, 'offAt' | 'tryAt'> | undefined): boolean =>
  row !== undefined && row.offAt !== null && row.tryAt === null

/** After this long, a node is looked at again before it is taken over. */
const FRESH_SECONDS = 60

/** Notes that a node is to be switched off, once for each silence of it. */
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
      // A coordinator that was stopped meanwhile knows an older one.
      setWhere: sql`${fencings.renewSeq} < excluded.renew_seq`,
    })
}

/** Lets somebody look again whether a node is off still. */
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
 * Claims nodes to be switched off, each for one instance at a time. One that was heard, or has no
 * server any more that waits for it, is left alone, and so are all while too many nodes are silent.
 * @param given.claimSeconds another instance takes it over after this long
 * @param given.lateSeconds only those that nobody has taken up for this long
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

/** Whether a try is still to be made: its node has not been heard since, and its claim has not ended. */
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
 * Writes what became of a try, unless its claim has ended: what it saw may be old by then.
 * @returns whether it counts
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

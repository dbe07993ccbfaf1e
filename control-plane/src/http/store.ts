import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { idempotencyKeys } from './tables.ts'

type Row = typeof idempotencyKeys.$inferSelect
type Named = Pick<Row, 'userId' | 'endpoint' | 'key'>

const named = (given: Named) =>
  and(
    eq(idempotencyKeys.userId, given.userId),
    eq(idempotencyKeys.endpoint, given.endpoint),
    eq(idempotencyKeys.key, given.key),
  )

export type Claim = Named & Pick<Row, 'requestHash'>

/**
 * How long a request without an answer keeps its key. Its process may have been killed, and no
 * request takes that long: what is waited for, such as a node or a plugin, has two minutes at most.
 */
const CLAIM_LAPSES = sql`interval '10 minutes'`

/**
 * True for the first request with this key; others wait here while the first is in a transaction.
 */
export async function claimKey(db: Db, claim: Claim): Promise<boolean> {
  const { userId, endpoint, key, status, requestHash, createdAt } = idempotencyKeys
  const rows = await db
    .insert(idempotencyKeys)
    .values(claim)
    .onConflictDoUpdate({
      target: [userId, endpoint, key],
      set: { createdAt: sql`now()` },
      setWhere: and(
        isNull(status),
        eq(requestHash, claim.requestHash),
        lt(createdAt, sql`now() - ${CLAIM_LAPSES}`),
      ),
    })
    .returning({ key })
  return rows.length > 0
}

/** Lets the key of a request that changed nothing be used again. */
export async function releaseKey(db: Db, given: Named): Promise<void> {
  await db.delete(idempotencyKeys).where(and(named(given), isNull(idempotencyKeys.status)))
}

export async function findKey(db: Db, given: Named): Promise<Row | undefined> {
  const [row] = await db.select().from(idempotencyKeys).where(named(given))
  return row
}

export async function storeReply(
  db: Db,
  given: Named,
  answer: { status: number; reply: unknown },
): Promise<void> {
  await db
    .update(idempotencyKeys)
    .set({ status: answer.status, reply: answer.reply ?? null })
    .where(named(given))
}

export async function deleteOldKeys(db: Db): Promise<number> {
  const rows = await db
    .delete(idempotencyKeys)
    .where(sql`${idempotencyKeys.createdAt} < now() - interval '24 hours'`)
    .returning({ key: idempotencyKeys.key })
  return rows.length
}

/** Deletes the budgets of callers that are full again. */
export async function deleteFullBudgets(db: Db): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`with gone as (delete from rate_limits where full_at < now() returning 1) select count(*)::int as count from gone`,
  )
  return rows[0]?.count ?? 0
}

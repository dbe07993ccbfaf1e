import { and, eq, sql } from 'drizzle-orm'
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

/** True for the first request with this key; others wait here until the first has finished. */
export async function claimKey(db: Db, row: Named & Pick<Row, 'requestHash'>): Promise<boolean> {
  const rows = await db
    .insert(idempotencyKeys)
    .values(row)
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key })
  return rows.length > 0
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

import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { type Db, inOneTransaction } from '../db/database.ts'
import type { Blob, BlobOwner } from './blob.ts'
import { blobs } from './tables.ts'

const now = sql`now()`

/** Waits for a concurrent removal of the same blob. */
export async function announce(db: Db, { sha256, sizeBytes }: Blob): Promise<void> {
  await db
    .insert(blobs)
    .values({ sha256, sizeBytes })
    .onConflictDoUpdate({ target: blobs.sha256, set: { touchedAt: now } })
}

/**
 * Marks a blob as kept once its bytes are seen under the lock of its row. What was seen before may
 * be gone: collected, and the row may be that of another upload whose bytes are still to come.
 * @returns false if it was collected meanwhile
 */
export const markKept = (
  db: Db,
  sha256: string,
  isComplete: () => Promise<boolean>,
): Promise<boolean> =>
  inOneTransaction(db, async (tx) => {
    const isThis = eq(blobs.sha256, sha256)
    const [row] = await tx.select().from(blobs).where(isThis).for('update')
    if (!row || !(await isComplete())) return false
    const keptAt = sql`coalesce(${blobs.keptAt}, now())`
    await tx.update(blobs).set({ keptAt, touchedAt: now }).where(isThis)
    return true
  })

export async function keptSize(db: Db, sha256: string): Promise<number | null> {
  const [row] = await db
    .select({ sizeBytes: blobs.sizeBytes })
    .from(blobs)
    .where(and(eq(blobs.sha256, sha256), isNotNull(blobs.keptAt)))
  return row?.sizeBytes ?? null
}

/**
 * Updates the row instead of only locking it, so that a concurrent collection rechecks it and finds
 * it in use.
 */
export async function refer(db: Db, sha256: string, owner: BlobOwner): Promise<boolean> {
  // One statement: the row's lock and the reference are committed together in any caller's transaction.
  const { rows } = await db.execute<{ sha256: string }>(sql`
    with kept as (
      update blobs set touched_at = now() where sha256 = ${sha256} and kept_at is not null
      returning sha256),
    referred as (
      insert into blob_references (sha256, owner_kind, owner_id)
      select sha256, ${owner.kind}, ${owner.id} from kept on conflict do nothing)
    select sha256 from kept`)
  return rows.length > 0
}

export async function release(db: Db, owner: BlobOwner, sha256?: string): Promise<void> {
  await db.execute(sql`
    with gone as (
      delete from blob_references
      where owner_kind = ${owner.kind} and owner_id = ${owner.id}
        and (${sha256 ?? null}::text is null or sha256 = ${sha256 ?? null})
      returning sha256)
    update blobs set touched_at = now() from gone where blobs.sha256 = gone.sha256`)
}

export async function figures(db: Db): Promise<{ count: number; bytes: number }> {
  const { rows } = await db.execute<{ count: number; bytes: number }>(
    sql`select count(*)::int as count, coalesce(sum(size_bytes), 0)::bigint as bytes from blobs`,
  )
  return rows[0] ?? { count: 0, bytes: 0 }
}

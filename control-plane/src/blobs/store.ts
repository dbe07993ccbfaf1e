import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import type { Blob, BlobOwner } from './blob.ts'
import { blobReferences, blobs } from './tables.ts'

const now = sql`now()`

/** Waits for a concurrent removal of the same blob. */
export async function announce(db: Db, { sha256, sizeBytes }: Blob): Promise<void> {
  await db
    .insert(blobs)
    .values({ sha256, sizeBytes })
    .onConflictDoUpdate({ target: blobs.sha256, set: { touchedAt: now } })
}

/** @returns false if it was collected meanwhile */
export async function markKept(db: Db, sha256: string): Promise<boolean> {
  const rows = await db
    .update(blobs)
    .set({ keptAt: sql`coalesce(${blobs.keptAt}, now())`, touchedAt: now })
    .where(eq(blobs.sha256, sha256))
    .returning({ sha256: blobs.sha256 })
  return rows.length > 0
}

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
  const rows = await db
    .update(blobs)
    .set({ touchedAt: now })
    .where(and(eq(blobs.sha256, sha256), isNotNull(blobs.keptAt)))
    .returning({ sha256: blobs.sha256 })
  if (rows.length === 0) return false
  await db
    .insert(blobReferences)
    .values({ sha256, ownerKind: owner.kind, ownerId: owner.id })
    .onConflictDoNothing()
  return true
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

import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { importedRecords } from './tables.ts'

export type ImportedRow = typeof importedRecords.$inferSelect
export type ImportedKind = ImportedRow['kind']

/** Matches records that were imported before. */
async function among(
  db: Db,
  origin: string,
  kind: ImportedKind,
  sourceIds: readonly string[],
): Promise<Pick<ImportedRow, 'sourceId' | 'targetId' | 'fingerprint'>[]> {
  if (sourceIds.length === 0) return []
  const { sourceId, targetId, fingerprint } = importedRecords
  return db
    .select({ sourceId, targetId, fingerprint })
    .from(importedRecords)
    .where(
      and(
        eq(importedRecords.origin, origin),
        eq(importedRecords.kind, kind),
        inArray(sourceId, [...sourceIds]),
      ),
    )
}

/** The targets of records that were imported before. */
export async function importedAmong(
  ...asked: Parameters<typeof among>
): Promise<ReadonlyMap<string, string>> {
  const rows = await among(...asked)
  return new Map(rows.map(({ sourceId, targetId }) => [sourceId, targetId]))
}

/** The fingerprints of records that were imported before and have one. */
export async function fingerprintsAmong(
  ...asked: Parameters<typeof among>
): Promise<ReadonlyMap<string, string>> {
  const rows = await among(...asked)
  return new Map(
    rows.flatMap(({ sourceId, fingerprint }) => (fingerprint ? [[sourceId, fingerprint]] : [])),
  )
}

/** Whether anything was imported from an installation. */
export async function hasImported(db: Db, origin: string): Promise<boolean> {
  const rows = await db
    .select({ origin: importedRecords.origin })
    .from(importedRecords)
    .where(eq(importedRecords.origin, origin))
    .limit(1)
  return rows.length > 0
}

/** Marks a record as imported in this transaction; false if another import has. */
export async function claim(db: Db, row: typeof importedRecords.$inferInsert): Promise<boolean> {
  const rows = await db
    .insert(importedRecords)
    .values(row)
    .onConflictDoNothing()
    .returning({ sourceId: importedRecords.sourceId })
  return rows.length > 0
}

/** Requests an invitation for imported customers, at most once for each. */
export async function wantInvitations(
  db: Db,
  origin: string,
  sourceIds: readonly string[],
): Promise<void> {
  if (sourceIds.length === 0) return
  await db
    .update(importedRecords)
    .set({ invitation: 'waiting' })
    .where(
      and(
        eq(importedRecords.origin, origin),
        eq(importedRecords.kind, 'customer'),
        inArray(importedRecords.sourceId, [...sourceIds]),
        isNull(importedRecords.invitation),
      ),
    )
}

export const ANY_INVITATION = "select from imported_records where invitation = 'waiting'"

/** Claims the next customers to invite and marks them as invited; other instances get others. */
export async function takeInvitations(db: Db, most: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    update imported_records as own set invitation = 'done'
    from (select origin, kind, source_id from imported_records where invitation = 'waiting'
      order by imported_at limit ${most} for update skip locked) as next
    where (own.origin, own.kind, own.source_id) = (next.origin, next.kind, next.source_id)
    returning own.target_id as id`)
  return rows.map(({ id }) => id)
}

import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { importedRecords } from './tables.ts'

export type ImportedRow = typeof importedRecords.$inferSelect
export type ImportedKind = ImportedRow['kind']

/** What became of those that were imported before. */
export async function importedAmong(
  db: Db,
  origin: string,
  kind: ImportedKind,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (sourceIds.length === 0) return new Map()
  const rows = await db
    .select({ sourceId: importedRecords.sourceId, targetId: importedRecords.targetId })
    .from(importedRecords)
    .where(
      and(
        eq(importedRecords.origin, origin),
        eq(importedRecords.kind, kind),
        inArray(importedRecords.sourceId, [...sourceIds]),
      ),
    )
  return new Map(rows.map(({ sourceId, targetId }) => [sourceId, targetId]))
}

/** Notes that a record is imported in this transaction; false if another import has done it. */
export async function claim(db: Db, row: ImportedRow): Promise<boolean> {
  const rows = await db
    .insert(importedRecords)
    .values(row)
    .onConflictDoNothing()
    .returning({ sourceId: importedRecords.sourceId })
  return rows.length > 0
}

import { and, asc, eq, getTableColumns, gt, inArray, sql } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/pg-core'
import type { Position } from '../../db/cursor.ts'
import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { shownIcon } from './icon.ts'
import { type TemplateRow, templates, templateVersions } from './tables.ts'

const templateOf = prepared<TemplateRow, { id: string }>(
  Object.keys(getTableColumns(templates)) as (keyof TemplateRow)[],
  new QueryBuilder()
    .select()
    .from(templates)
    .where(eq(templates.id, sql.placeholder('id'))),
)

export async function findTemplate(db: Db, id: string): Promise<TemplateRow | undefined> {
  const [row] = await templateOf(db, { id })
  return row
}

export const findTemplates = (db: Db, ids: readonly string[]): Promise<TemplateRow[]> =>
  db
    .select()
    .from(templates)
    .where(inArray(templates.id, [...ids]))

type VersionRow = typeof templateVersions.$inferSelect
const versionOf = prepared<VersionRow, { templateId: string; version: number }>(
  Object.keys(getTableColumns(templateVersions)) as (keyof VersionRow)[],
  new QueryBuilder()
    .select()
    .from(templateVersions)
    .where(
      and(
        eq(templateVersions.templateId, sql.placeholder('templateId')),
        eq(templateVersions.version, sql.placeholder('version')),
      ),
    ),
)

/** The document of a template version, from which a server was made. */
export async function findTemplateVersion(db: Db, templateId: string, version: number) {
  const [row] = await versionOf(db, { templateId, version })
  return row
}

export const listTemplates = (
  db: Db,
  given: { visibleOnly: boolean; after: Position | undefined; limit: number },
): Promise<TemplateRow[]> =>
  db
    .select()
    .from(templates)
    .where(
      and(
        given.visibleOnly ? eq(templates.customerVisible, true) : undefined,
        given.after &&
          gt(
            sql`(${templates.name}, ${templates.id})`,
            sql`(${given.after[0]}, ${given.after[1]}::uuid)`,
          ),
      ),
    )
    .orderBy(asc(templates.name), asc(templates.id))
    .limit(given.limit + 1)

export const allVisible = (db: Db): Promise<TemplateRow[]> =>
  db
    .select()
    .from(templates)
    .where(eq(templates.customerVisible, true))
    .orderBy(asc(templates.name))

/**
 * Locks the row until the transaction ends, so that two edits cannot both create the next version.
 */
export async function lockTemplate(db: Db, id: string): Promise<TemplateRow | undefined> {
  const [row] = await db.select().from(templates).where(eq(templates.id, id)).for('update')
  return row
}

/** Inserts a template with its first version. False if the id is taken. */
export async function insertTemplate(
  db: Db,
  row: Omit<typeof templates.$inferInsert, 'version'>,
): Promise<boolean> {
  const inserted = await db
    .insert(templates)
    .values({ ...row, icon: shownIcon(row.id, row.document), version: 1 })
    .onConflictDoNothing()
    .returning({ id: templates.id })
  if (inserted.length === 0) return false
  await db
    .insert(templateVersions)
    .values({ templateId: row.id, version: 1, document: row.document })
  return true
}

/** Stores a locked template's new document, as the next version or replacing the current one. */
export async function storeDocument(
  db: Db,
  row: TemplateRow,
  change: Pick<TemplateRow, 'document' | 'version'> & Partial<TemplateRow>,
): Promise<TemplateRow> {
  const { document, version } = change
  await db
    .insert(templateVersions)
    .values({ templateId: row.id, version, document })
    .onConflictDoUpdate({
      target: [templateVersions.templateId, templateVersions.version],
      set: { document },
    })
  return updateTemplate(db, row.id, {
    ...change,
    name: document.name,
    description: document.description,
    icon: shownIcon(row.id, document),
    updatedAt: new Date(),
  })
}

export async function updateTemplate(
  db: Db,
  id: string,
  change: Partial<TemplateRow>,
): Promise<TemplateRow> {
  const [row] = await db.update(templates).set(change).where(eq(templates.id, id)).returning()
  if (!row) throw new Error(`template ${id} is gone`)
  return row
}

export const deleteTemplate = (db: Db, id: string) =>
  db.delete(templates).where(eq(templates.id, id))

/** Whether built-in templates exist, of whatever version. */
export async function hasBuiltInTemplates(db: Db): Promise<boolean> {
  const [row] = await db
    .select({ id: templates.id })
    .from(templates)
    .where(eq(templates.origin, 'builtin'))
    .limit(1)
  return row !== undefined
}

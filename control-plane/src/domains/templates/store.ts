import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Position } from '../../db/cursor.ts'
import type { Db } from '../../db/database.ts'
import { type TemplateRow, templates, templateVersions } from './tables.ts'

export async function findTemplate(db: Db, id: string): Promise<TemplateRow | undefined> {
  const [row] = await db.select().from(templates).where(eq(templates.id, id))
  return row
}

/** The document that a server of this version was made from. */
export async function findTemplateVersion(db: Db, templateId: string, version: number) {
  const [row] = await db
    .select()
    .from(templateVersions)
    .where(and(eq(templateVersions.templateId, templateId), eq(templateVersions.version, version)))
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
    .limit(500)

import { MOST_COMPONENTS } from '@lodge/shared/status.ts'
import { asc, eq, inArray, sql } from 'drizzle-orm'
import { defineCap } from '../../../db/cap.ts'
import type { Db } from '../../../db/database.ts'
import { type ComponentRow, statusComponents } from '../tables.ts'

export const componentCap = defineCap({
  name: 'components of the status page',
  most: MOST_COMPONENTS,
  present: () => sql`select from ${statusComponents}`,
  refusal: `There are already ${MOST_COMPONENTS} components: delete some first`,
})

export const listComponents = (db: Db): Promise<ComponentRow[]> =>
  db
    .select()
    .from(statusComponents)
    .orderBy(asc(statusComponents.position), asc(statusComponents.id))

export async function findComponent(db: Db, id: string): Promise<ComponentRow | undefined> {
  const [row] = await db.select().from(statusComponents).where(eq(statusComponents.id, id))
  return row
}

/** Adds a component at the end. @returns undefined if the location already has one */
export async function insertComponent(
  db: Db,
  row: Omit<typeof statusComponents.$inferInsert, 'position'>,
): Promise<ComponentRow | undefined> {
  const [made] = await db
    .insert(statusComponents)
    .values({
      ...row,
      position: sql`(select coalesce(max(position), 0) + 1 from status_components)`,
    })
    .onConflictDoNothing({ target: statusComponents.location })
    .returning()
  return made
}

export async function updateComponent(
  db: Db,
  id: string,
  change: Partial<Pick<ComponentRow, 'name' | 'description' | 'shown' | 'health'>>,
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await db.update(statusComponents).set(change).where(eq(statusComponents.id, id))
}

export async function deleteComponent(db: Db, id: string): Promise<void> {
  await db.delete(statusComponents).where(eq(statusComponents.id, id))
}

/** Puts these first, in this order; the others keep theirs. */
export async function orderComponents(db: Db, ids: readonly string[]): Promise<void> {
  await db.execute(sql`
    update status_components set position = ranked.position from (
      select status_components.id, row_number() over (
        order by wanted.at nulls last, status_components.position, status_components.id) as position
      from status_components left join unnest(${sql.param([...ids])}::uuid[])
        with ordinality as wanted(id, at) on wanted.id = status_components.id
    ) ranked where ranked.id = status_components.id`)
}

/** The ids among these that exist. */
export async function presentComponents(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: statusComponents.id })
    .from(statusComponents)
    .where(inArray(statusComponents.id, [...ids]))
  return new Set(rows.map(({ id }) => id))
}

import { MAX_MACROS } from '@lodge/shared/support/macros.ts'
import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import { defineCap } from '../../../db/cap.ts'
import type { Db } from '../../../db/database.ts'
import { supportGroupMembers, supportGroups } from '../categories/tables.ts'
import { type MacroRow, supportMacros } from './tables.ts'

export const macroCap = defineCap({
  name: 'macros',
  most: MAX_MACROS,
  present: () => sql`select from ${supportMacros}`,
  refusal: `There are already ${MAX_MACROS} macros: delete some first`,
})

/**
 * Macros that a person can use: those for everybody, for their groups, and their own; `all` includes
 * those of all groups.
 */
export function listMacros(
  db: Db,
  { userId, allGroups }: { userId: string; allGroups: boolean },
): Promise<MacroRow[]> {
  const groups = db
    .select({ id: supportGroupMembers.groupId })
    .from(supportGroupMembers)
    .where(eq(supportGroupMembers.userId, userId))
  return db
    .select()
    .from(supportMacros)
    .where(
      or(
        eq(supportMacros.scope, 'all'),
        eq(supportMacros.ownerId, userId),
        and(
          eq(supportMacros.scope, 'group'),
          allGroups ? undefined : inArray(supportMacros.groupId, groups),
        ),
      ),
    )
    .orderBy(asc(sql`lower(${supportMacros.name})`), asc(supportMacros.id))
}

export async function lockMacro(db: Db, id: string): Promise<MacroRow | undefined> {
  const [row] = await db.select().from(supportMacros).where(eq(supportMacros.id, id)).for('update')
  return row
}

export async function findMacro(db: Db, id: string): Promise<MacroRow | undefined> {
  const [row] = await db.select().from(supportMacros).where(eq(supportMacros.id, id))
  return row
}

export async function saveMacro(db: Db, { id, ...row }: MacroRow): Promise<void> {
  await db
    .insert(supportMacros)
    .values({ id, ...row })
    .onConflictDoUpdate({ target: supportMacros.id, set: row })
}

export async function deleteMacro(db: Db, id: string): Promise<void> {
  await db.delete(supportMacros).where(eq(supportMacros.id, id))
}

export async function groupExists(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: supportGroups.id })
    .from(supportGroups)
    .where(eq(supportGroups.id, id))
  return rows.length > 0
}

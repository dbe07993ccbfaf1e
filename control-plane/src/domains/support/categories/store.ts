import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { users } from '../../customers/tables.ts'
import {
  type CategoryRow,
  type GroupRow,
  supportCategories,
  supportGroupMembers,
  supportGroups,
} from './tables.ts'

export async function findCategory(db: Db, id: string): Promise<CategoryRow | undefined> {
  const [row] = await db.select().from(supportCategories).where(eq(supportCategories.id, id))
  return row
}

export const listCategories = (db: Db): Promise<CategoryRow[]> =>
  db
    .select()
    .from(supportCategories)
    .orderBy(asc(supportCategories.position), asc(supportCategories.name))

/** Creates or replaces a category. */
export async function saveCategory(
  db: Db,
  { id, ...values }: typeof supportCategories.$inferInsert,
): Promise<CategoryRow> {
  const [row] = await db
    .insert(supportCategories)
    .values({ id, ...values })
    .onConflictDoUpdate({ target: supportCategories.id, set: values })
    .returning()
  return row as CategoryRow
}

export async function categoryNamed(db: Db, name: string): Promise<CategoryRow | undefined> {
  const [row] = await db.select().from(supportCategories).where(eq(supportCategories.name, name))
  return row
}

export async function findGroup(db: Db, id: string): Promise<GroupRow | undefined> {
  const [row] = await db.select().from(supportGroups).where(eq(supportGroups.id, id))
  return row
}

export async function groupNamed(db: Db, name: string): Promise<GroupRow | undefined> {
  const [row] = await db.select().from(supportGroups).where(eq(supportGroups.name, name))
  return row
}

export const listGroups = (db: Db): Promise<GroupRow[]> =>
  db.select().from(supportGroups).orderBy(asc(supportGroups.name))

/** The members of all groups. */
export const listMembers = (db: Db) =>
  db
    .select({
      groupId: supportGroupMembers.groupId,
      id: users.id,
      email: users.email,
      name: users.name,
    })
    .from(supportGroupMembers)
    .innerJoin(users, eq(users.id, supportGroupMembers.userId))
    .orderBy(asc(users.email))

/** Creates or replaces a group, with its members. */
export async function saveGroup(
  db: Db,
  { id, ...values }: typeof supportGroups.$inferInsert,
  memberIds: readonly string[],
): Promise<void> {
  await db
    .insert(supportGroups)
    .values({ id, ...values })
    .onConflictDoUpdate({ target: supportGroups.id, set: values })
  const present = await db
    .delete(supportGroupMembers)
    .where(eq(supportGroupMembers.groupId, id))
    .returning()
  if (memberIds.length === 0) return
  // Keeps each member's turn when others join or leave.
  const given = new Map(present.map(({ userId, lastGivenAt }) => [userId, lastGivenAt]))
  await db.insert(supportGroupMembers).values(
    memberIds.map((userId) => ({
      ...{ groupId: id, userId, lastGivenAt: given.get(userId) ?? null },
    })),
  )
}

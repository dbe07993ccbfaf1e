import type { AdminPermission } from '@lodge/shared/permissions.ts'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { type UserRow, users } from '../customers/tables.ts'

export const listAdministrators = (db: Db): Promise<UserRow[]> =>
  db.select().from(users).where(eq(users.role, 'admin')).orderBy(asc(users.id)).limit(500)

export async function findAdministrator(db: Db, id: string): Promise<UserRow | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), eq(users.role, 'admin')))
  return row
}

/** Locks these rows until the transaction ends, in a fixed order to prevent deadlocks. */
export const lockAdministrators = (db: Db, ids: readonly string[]): Promise<UserRow[]> =>
  db
    .select()
    .from(users)
    .where(and(inArray(users.id, [...ids]), eq(users.role, 'admin')))
    .orderBy(asc(users.id))
    .for('no key update')

export async function setRights(
  db: Db,
  id: string,
  rights: { superAdmin: boolean; permissions: readonly AdminPermission[] },
): Promise<void> {
  const { superAdmin, permissions } = rights
  await db
    .update(users)
    .set({ superAdmin, permissions: [...permissions] })
    .where(eq(users.id, id))
}

export async function deleteAdministrator(db: Db, id: string): Promise<void> {
  await db.delete(users).where(and(eq(users.id, id), eq(users.role, 'admin')))
}

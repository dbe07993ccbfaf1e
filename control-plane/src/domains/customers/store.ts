import type { ChangePreferences } from '@lodge/shared/accounts.ts'
import { and, asc, eq, getTableColumns, gt, ilike, inArray, or, sql } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/pg-core'
import type { Position } from '../../db/cursor.ts'
import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { type UserRow, users } from './tables.ts'

export async function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.id, id))
  return row
}

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.email, email))
  return row
}

export async function findCustomer(db: Db, id: string): Promise<UserRow | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), eq(users.role, 'customer')))
  return row
}

const lockedUser = prepared<UserRow, { id: string }>(
  Object.keys(getTableColumns(users)) as (keyof UserRow)[],
  new QueryBuilder()
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .for('no key update'),
)

/**
 * Locks the owner's row until the transaction ends, so that two requests cannot both use the last
 * of a limit.
 */
export async function lockOwner(db: Db, id: string): Promise<UserRow | undefined> {
  const [row] = await lockedUser(db, { id })
  return row
}

export async function listCustomers(
  db: Db,
  given: { q: string | undefined; after: Position | undefined; limit: number },
): Promise<UserRow[]> {
  const pattern = given.q && `%${given.q.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  return db
    .select()
    .from(users)
    .where(
      and(
        eq(users.role, 'customer'),
        pattern ? or(ilike(users.email, pattern), ilike(users.name, pattern)) : undefined,
        given.after &&
          gt(sql`(${users.email}, ${users.id})`, sql`(${given.after[0]}, ${given.after[1]}::uuid)`),
      ),
    )
    .orderBy(asc(users.email), asc(users.id))
    .limit(given.limit + 1)
}

export async function insertUser(db: Db, row: typeof users.$inferInsert): Promise<UserRow> {
  const [inserted] = await db.insert(users).values(row).returning()
  return inserted as UserRow
}

export async function updateUser(
  db: Db,
  id: string,
  change: Partial<UserRow>,
): Promise<UserRow | undefined> {
  if (Object.keys(change).length === 0) return findUser(db, id)
  const [row] = await db.update(users).set(change).where(eq(users.id, id)).returning()
  return row
}

export async function deleteUser(db: Db, id: string): Promise<void> {
  await db.delete(users).where(eq(users.id, id))
}

/** Sets what is given; the rest stays. */
export async function setPreferences(
  db: Db,
  id: string,
  change: ChangePreferences,
): Promise<UserRow | undefined> {
  const [row] = await db
    .update(users)
    .set({ preferences: sql`${users.preferences} || ${JSON.stringify(change)}::jsonb` })
    .where(eq(users.id, id))
    .returning()
  return row
}

export async function anyAdministrator(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ found: boolean }>(
    sql`select exists (select 1 from users where role = 'admin') as found`,
  )
  return rows[0]?.found ?? false
}

/** Which of these people are customers. */
export async function customersAmong(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, [...new Set(ids)]), eq(users.role, 'customer')))
  return new Set(rows.map((row) => row.id))
}

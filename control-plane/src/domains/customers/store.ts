import type { ChangePreferences } from '@lodge/shared/accounts.ts'
import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/pg-core'
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

/** The accounts with these addresses, by address. */
export async function findUsersByEmail(
  db: Db,
  emails: readonly string[],
): Promise<Map<string, UserRow>> {
  if (emails.length === 0) return new Map()
  const rows = await db
    .select()
    .from(users)
    .where(inArray(users.email, [...emails]))
  return new Map(rows.map((row) => [row.email, row]))
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

/** Sets the given preferences and keeps the others; lists are merged one by one. */
export async function setPreferences(
  db: Db,
  id: string,
  { lists, ...change }: ChangePreferences,
): Promise<UserRow | undefined> {
  const all = Object.entries(lists ?? {})
  const kept = Object.fromEntries(all.filter(([, list]) => list !== null))
  const cleared = all.flatMap(([name, list]) => (list === null ? [name] : []))
  const changed = sql`${users.preferences} || ${JSON.stringify(change)}::jsonb`
  const nextLists = sql`(coalesce(${users.preferences} -> 'lists', '{}'::jsonb) - ${sql.param(cleared)}::text[])
    || ${JSON.stringify(kept)}::jsonb`
  const [row] = await db
    .update(users)
    .set({
      preferences: lists ? sql`jsonb_set(${changed}, '{lists}', ${nextLists})` : changed,
    })
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

/** The addresses of these accounts, by their ids. */
export async function emailsOf(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]))
  return new Map(rows.map(({ id, email }) => [id, email]))
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

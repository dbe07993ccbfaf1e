import { and, desc, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/database.ts'
import { users } from '../customers/tables.ts'
import { type SuspensionRow, suspensionNotes, suspensions } from './tables.ts'

export const insertSuspension = async (
  db: Db,
  row: typeof suspensions.$inferInsert,
): Promise<SuspensionRow> => {
  const [inserted] = await db.insert(suspensions).values(row).returning()
  return inserted as SuspensionRow
}

/** The suspension in force; locked until the transaction ends. */
export async function lockActive(db: Db, customerId: string): Promise<SuspensionRow | undefined> {
  const [row] = await db.select().from(suspensions).where(activeOf(customerId)).for('no key update')
  return row
}

export async function findActive(db: Db, customerId: string): Promise<SuspensionRow | undefined> {
  const [row] = await db.select().from(suspensions).where(activeOf(customerId))
  return row
}

/** Whether nothing is billed to a customer while their account is suspended. */
export const isBillingPaused = async (db: Db, customerId: string): Promise<boolean> =>
  (await findActive(db, customerId))?.options.pauseBilling ?? false

const activeOf = (customerId: string) =>
  and(eq(suspensions.customerId, customerId), isNull(suspensions.liftedAt))

export async function updateSuspension(
  db: Db,
  id: string,
  change: Partial<SuspensionRow>,
): Promise<SuspensionRow | undefined> {
  const [row] = await db.update(suspensions).set(change).where(eq(suspensions.id, id)).returning()
  return row
}

const creators = alias(users, 'creators')
const lifters = alias(users, 'lifters')
export type SuspensionWithStaff = Awaited<ReturnType<typeof listSuspensions>>[number]
const MOST_SHOWN = 100

/** All suspensions of a customer, the newest first, with who began and lifted them. */
export const listSuspensions = (db: Db, customerId: string) =>
  db
    .select({
      ...getTableColumns(suspensions),
      createdByEmail: creators.email,
      liftedByEmail: lifters.email,
    })
    .from(suspensions)
    .leftJoin(creators, eq(creators.id, suspensions.createdBy))
    .leftJoin(lifters, eq(lifters.id, suspensions.liftedBy))
    .where(eq(suspensions.customerId, customerId))
    .orderBy(desc(suspensions.id))
    .limit(MOST_SHOWN)

export async function insertNote(db: Db, row: typeof suspensionNotes.$inferInsert): Promise<void> {
  await db.insert(suspensionNotes).values(row)
}

/** The notes of all suspensions of a customer, the newest first. */
export const listNotes = (db: Db, customerId: string) =>
  db
    .select({ ...getTableColumns(suspensionNotes), author: users.email })
    .from(suspensionNotes)
    .innerJoin(suspensions, eq(suspensions.id, suspensionNotes.suspensionId))
    .leftJoin(users, eq(users.id, suspensionNotes.authorId))
    .where(eq(suspensions.customerId, customerId))
    .orderBy(desc(suspensionNotes.id))

export const ANY_OVER = 'select from suspensions where lifted_at is null and ends_at <= now()'
export const ANY_DELETING =
  'select from suspensions where lifted_at is null and servers_deleted_at is null and delete_servers_at <= now()'

const MOST_AT_ONCE = 20

/** Customers whose suspension is over. */
export const customersOver = async (db: Db): Promise<string[]> => {
  const rows = await db
    .select({ customerId: suspensions.customerId })
    .from(suspensions)
    .where(and(isNull(suspensions.liftedAt), sql`${suspensions.endsAt} <= now()`))
    .orderBy(suspensions.endsAt)
    .limit(MOST_AT_ONCE)
  return rows.map((row) => row.customerId)
}

/** Customers whose servers are due for deletion. */
export const customersToDeleteServersOf = async (db: Db): Promise<string[]> => {
  const due = sql`${suspensions.deleteServersAt} <= now()`
  const rows = await db
    .select({ customerId: suspensions.customerId })
    .from(suspensions)
    .where(and(isNull(suspensions.liftedAt), isNull(suspensions.serversDeletedAt), due))
    .orderBy(suspensions.deleteServersAt)
    .limit(MOST_AT_ONCE)
  return rows.map((row) => row.customerId)
}

/** Suspensions that were lifted so long ago that their texts have to be erased. */
export const toErase = async (db: Db, retentionDays: number): Promise<string[]> => {
  const rows = await db
    .select({ id: suspensions.id })
    .from(suspensions)
    .where(
      and(
        isNotNull(suspensions.liftedAt),
        isNull(suspensions.erasedAt),
        sql`${suspensions.liftedAt} < now() - make_interval(days => ${retentionDays})`,
      ),
    )
    .limit(100)
  return rows.map(({ id }) => id)
}

/** Erases the texts of a suspension; its existence and dates are kept. */
export async function eraseTexts(db: Db, id: string, at: Date): Promise<void> {
  await db.delete(suspensionNotes).where(eq(suspensionNotes.suspensionId, id))
  await db
    .update(suspensions)
    .set({ publicReason: '', liftReason: null, erasedAt: at })
    .where(eq(suspensions.id, id))
}

import { and, asc, desc, eq, getTableColumns, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { users } from '../../customers/tables.ts'
import { type AppealRow, appealMessages, appeals, suspensions } from '../tables.ts'

export async function insertAppeal(db: Db, row: typeof appeals.$inferInsert): Promise<AppealRow> {
  const [inserted] = await db.insert(appeals).values(row).returning()
  return inserted as AppealRow
}

/** The appeals of suspensions, the newest first. */
export const listAppeals = (db: Db, suspensionIds: readonly string[]): Promise<AppealRow[]> =>
  suspensionIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(appeals)
        .where(inArray(appeals.suspensionId, [...suspensionIds]))
        .orderBy(desc(appeals.id))

/** The undecided appeal of a suspension. */
export async function findUndecided(db: Db, suspensionId: string): Promise<AppealRow | undefined> {
  const [row] = await db
    .select()
    .from(appeals)
    .where(and(eq(appeals.suspensionId, suspensionId), isNull(appeals.decidedAt)))
  return row
}

export async function updateAppeal(db: Db, id: string, change: Partial<AppealRow>): Promise<void> {
  await db.update(appeals).set(change).where(eq(appeals.id, id))
}

export async function insertMessage(
  db: Db,
  row: typeof appealMessages.$inferInsert,
): Promise<void> {
  await db.insert(appealMessages).values(row)
}

export const listMessages = (db: Db, appealIds: readonly string[]) =>
  db
    .select({ ...getTableColumns(appealMessages), author: users.email })
    .from(appealMessages)
    .leftJoin(users, eq(users.id, appealMessages.authorId))
    .where(inArray(appealMessages.appealId, [...appealIds]))
    .orderBy(asc(appealMessages.id))

/** Whether a message belongs to an appeal of this customer. */
export const isOfCustomer = async (
  db: Db,
  messageId: string,
  customerId: string,
): Promise<boolean> => (await customerOf(db, messageId)) === customerId

/** The customer whose appeal contains a message. */
export async function customerOf(db: Db, messageId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ id: suspensions.customerId })
    .from(appealMessages)
    .innerJoin(appeals, eq(appeals.id, appealMessages.appealId))
    .innerJoin(suspensions, eq(suspensions.id, appeals.suspensionId))
    .where(eq(appealMessages.id, messageId))
  return row?.id
}

/** Appeals that wait for staff, the one that waits longest first. */
export const listWaiting = (db: Db) =>
  db
    .select({
      id: appeals.id,
      customerId: suspensions.customerId,
      email: users.email,
      state: appeals.state,
      openedAt: appeals.openedAt,
      waitingSince: appeals.waitingSince,
    })
    .from(appeals)
    .innerJoin(suspensions, eq(suspensions.id, appeals.suspensionId))
    .innerJoin(users, eq(users.id, suspensions.customerId))
    .where(isNotNull(appeals.waitingSince))
    .orderBy(asc(appeals.waitingSince))
    .limit(200)

/** Deletes the messages of appeals of a suspension. @returns their ids */
export async function deleteMessages(db: Db, suspensionId: string): Promise<string[]> {
  const rows = await db
    .delete(appealMessages)
    .where(
      sql`${appealMessages.appealId} in (select id from ${appeals} where ${appeals.suspensionId} = ${suspensionId})`,
    )
    .returning({ id: appealMessages.id })
  return rows.map(({ id }) => id)
}

import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { users } from '../../customers/tables.ts'
import { configurationOf } from '../articles/languages.ts'
import { findCategory } from '../categories/store.ts'
import { findTier } from '../tiers/store.ts'
import {
  type MessageRow,
  type ParticipantRow,
  supportMessageEdits,
  supportMessages,
  supportParticipants,
  supportRatings,
  supportTicketEvents,
  supportTicketTags,
  type TicketRow,
} from './tables.ts'

const { words: _, ...columns } = getTableColumns(supportMessages)

/** Tickets are in any language; stemming both sides in the same way finds words of all of them. */
export const LANGUAGE = sql.raw(`'${configurationOf('en')}'::regconfig`)

/** @param plain the text without markup, for the search index */
export async function insertMessage(
  db: Db,
  { plain, ...row }: Omit<typeof supportMessages.$inferInsert, 'words'> & { plain: string },
): Promise<void> {
  const words = sql`to_tsvector(${LANGUAGE}, ${plain})`
  await db.insert(supportMessages).values({ ...row, words })
}

/** The oldest first, with the names of their authors. */
export const listMessages = (
  db: Db,
  ticketId: string,
): Promise<(MessageRow & { name: string | null; email: string | null })[]> =>
  db
    .select({ ...columns, name: users.name, email: users.email })
    .from(supportMessages)
    .leftJoin(users, eq(users.id, supportMessages.authorId))
    .where(eq(supportMessages.ticketId, ticketId))
    .orderBy(asc(supportMessages.createdAt), asc(supportMessages.id))

export const listParticipants = (db: Db, ticketId: string): Promise<ParticipantRow[]> =>
  db
    .select()
    .from(supportParticipants)
    .where(eq(supportParticipants.ticketId, ticketId))
    .orderBy(asc(supportParticipants.createdAt), asc(supportParticipants.id))

export async function insertParticipants(
  db: Db,
  rows: readonly (typeof supportParticipants.$inferInsert)[],
): Promise<void> {
  if (rows.length === 0) return
  await db
    .insert(supportParticipants)
    .values([...rows])
    .onConflictDoNothing({ target: [supportParticipants.ticketId, supportParticipants.email] })
}

export async function insertTags(db: Db, ticketId: string, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return
  await db
    .insert(supportTicketTags)
    .values(tags.map((tag) => ({ ticketId, tag })))
    .onConflictDoNothing()
}

export async function insertEvent(
  db: Db,
  row: typeof supportTicketEvents.$inferInsert,
): Promise<void> {
  await db.insert(supportTicketEvents).values(row)
}

/** The names of a ticket's category and tier. */
export async function namesOf(
  db: Db,
  { categoryId, tierId }: Pick<TicketRow, 'categoryId' | 'tierId'>,
): Promise<{ category: string | null; tier: string | null }> {
  const category = categoryId === null ? undefined : await findCategory(db, categoryId)
  const tier = tierId === null ? undefined : await findTier(db, tierId)
  return { category: category?.name ?? null, tier: tier?.name ?? null }
}

/** The oldest first. */
export const listEvents = (db: Db, ticketId: string) =>
  db
    .select({ ...getTableColumns(supportTicketEvents), email: users.email, name: users.name })
    .from(supportTicketEvents)
    .leftJoin(users, eq(users.id, supportTicketEvents.actorId))
    .where(eq(supportTicketEvents.ticketId, ticketId))
    .orderBy(asc(supportTicketEvents.at), asc(supportTicketEvents.id))
    .limit(1000)

export async function findMessage(db: Db, id: string): Promise<MessageRow | undefined> {
  const [row] = await db.select(columns).from(supportMessages).where(eq(supportMessages.id, id))
  return row
}

/** Replaces the text of a message, and keeps the former one. */
export async function rewriteMessage(
  db: Db,
  {
    id,
    body,
    plain,
    at,
    before,
  }: {
    readonly id: string
    readonly body: string
    readonly plain: string
    readonly at: Date
    readonly before: Omit<typeof supportMessageEdits.$inferInsert, 'at'>
  },
): Promise<void> {
  await db.insert(supportMessageEdits).values({ ...before, at })
  const words = sql`to_tsvector(${LANGUAGE}, ${plain})`
  await db
    .update(supportMessages)
    .set({ body, words, editedAt: at })
    .where(eq(supportMessages.id, id))
}

export async function messageIds(db: Db, ticketId: string): Promise<string[]> {
  const rows = await db
    .select({ id: supportMessages.id })
    .from(supportMessages)
    .where(eq(supportMessages.ticketId, ticketId))
  return rows.map(({ id }) => id)
}

/** Moves messages into another ticket: all, or the given ones. */
export async function moveMessages(
  db: Db,
  { from, to, ids }: { from: string; to: string; ids?: readonly string[] },
): Promise<void> {
  await db
    .update(supportMessages)
    .set({ ticketId: to })
    .where(
      and(
        eq(supportMessages.ticketId, from),
        ids === undefined ? undefined : inArray(supportMessages.id, [...ids]),
      ),
    )
}

export async function deleteParticipants(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.delete(supportParticipants).where(inArray(supportParticipants.id, [...ids]))
}

export async function listTags(db: Db, ticketId: string): Promise<string[]> {
  const rows = await db
    .select({ tag: supportTicketTags.tag })
    .from(supportTicketTags)
    .where(eq(supportTicketTags.ticketId, ticketId))
  return rows.map(({ tag }) => tag)
}

export async function deleteTags(db: Db, ticketId: string, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return
  await db
    .delete(supportTicketTags)
    .where(and(eq(supportTicketTags.ticketId, ticketId), inArray(supportTicketTags.tag, [...tags])))
}

export async function saveRating(
  db: Db,
  { ticketId, score, comment, at }: { ticketId: string; score: number; comment: string; at: Date },
): Promise<void> {
  await db
    .insert(supportRatings)
    .values({ ticketId, score, comment, createdAt: at, updatedAt: at })
    .onConflictDoUpdate({
      target: supportRatings.ticketId,
      set: { score, comment, updatedAt: at },
    })
}

import { randomUUIDv7 } from 'node:crypto'
import { and, count, eq, gt, inArray, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportMessages, supportTickets, type TicketRow } from '../tickets/tables.ts'
import { supportMails } from './tables.ts'

type MailRow = typeof supportMails.$inferSelect

/**
 * Records an incoming mail; a concurrent delivery of the same one waits here. @returns undefined if
 * it was known
 */
export async function noteMail(
  db: Db,
  given: Pick<MailRow, 'mailId' | 'deliveryId' | 'sender' | 'at'>,
): Promise<string | undefined> {
  const id = randomUUIDv7()
  const rows = await db
    .insert(supportMails)
    .values({ ...given, id, result: 'ignored' })
    .onConflictDoNothing()
    .returning({ id: supportMails.id })
  return rows.length > 0 ? id : undefined
}

export async function endMail(
  db: Db,
  id: string,
  end: Pick<MailRow, 'result' | 'because' | 'ticketId'>,
): Promise<void> {
  await db.update(supportMails).set(end).where(eq(supportMails.id, id))
}

/** Counts other mails from a sender, or about a ticket, since a moment. */
export async function countMails(
  db: Db,
  {
    id,
    sender,
    ticketId,
    since,
  }: { id: string; sender: string; ticketId?: string | undefined; since: Date },
): Promise<number> {
  const same = ticketId
    ? eq(supportMails.ticketId, ticketId)
    : or(eq(supportMails.sender, sender), sql`false`)
  const [row] = await db
    .select({ count: count() })
    .from(supportMails)
    .where(and(same, gt(supportMails.at, since), ne(supportMails.id, id)))
  return row?.count ?? 0
}

export async function findTicketByNumber(db: Db, number: number): Promise<TicketRow | undefined> {
  const [row] = await db.select().from(supportTickets).where(eq(supportTickets.number, number))
  return row
}

/** The tickets of the mails with these ids, by id. */
export async function ticketsOfMails(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ mailId: supportMessages.mailId, ticketId: supportMessages.ticketId })
    .from(supportMessages)
    .where(inArray(supportMessages.mailId, [...ids]))
  return new Map(rows.flatMap(({ mailId, ticketId }) => (mailId ? [[mailId, ticketId]] : [])))
}

/** Deletes records of mails too old to be delivered again. */
export async function deleteOldMails(db: Db): Promise<number> {
  const rows = await db
    .delete(supportMails)
    .where(sql`${supportMails.at} < now() - interval '90 days'`)
    .returning({ id: supportMails.id })
  return rows.length
}

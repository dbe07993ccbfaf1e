import { randomUUIDv7 } from 'node:crypto'
import { and, count, eq, gt, inArray, isNull, ne, sql } from 'drizzle-orm'
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

/** Counts other mails about a ticket since a moment. */
export async function countMails(
  db: Db,
  { id, ticketId, since }: { id: string; ticketId: string; since: Date },
): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(supportMails)
    .where(
      and(eq(supportMails.ticketId, ticketId), gt(supportMails.at, since), ne(supportMails.id, id)),
    )
  return row?.count ?? 0
}

/**
 * Counts the mails from a sender since a moment that opened a ticket: its first message, and no answer
 * to one that was over.
 * @param isProven counts only mails that were proven, or were not proven, to be theirs
 */
export async function countOpened(
  db: Db,
  { sender, isProven, since }: { sender: string; isProven: boolean; since: Date },
): Promise<number> {
  const message = supportMessages
  const [row] = await db
    .select({ count: count() })
    .from(supportMails)
    .innerJoin(message, eq(message.mailId, supportMails.mailId))
    .innerJoin(supportTickets, eq(supportTickets.id, message.ticketId))
    .where(
      and(
        eq(supportMails.sender, sender),
        gt(supportMails.at, since),
        eq(message.unverifiedSender, !isProven),
        isNull(supportTickets.followUpOf),
        sql`not exists (select from support_messages earlier
          where earlier.ticket_id = ${message.ticketId}
            and (earlier.created_at, earlier.id) < (${message.createdAt}, ${message.id}))`,
      ),
    )
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

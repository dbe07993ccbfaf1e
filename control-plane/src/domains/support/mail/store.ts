import { and, asc, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportMessages, type TicketRow } from '../tickets/tables.ts'

export async function findMessage(db: Db, id: string) {
  const { kind, held, body, unverifiedSender } = supportMessages
  const [row] = await db
    .select({ kind, held, body, unverifiedSender })
    .from(supportMessages)
    .where(eq(supportMessages.id, id))
  return row
}

/** Stores the Message-ID with which a message goes out. */
export async function nameMail(db: Db, id: string, mailId: string): Promise<void> {
  await db
    .update(supportMessages)
    .set({ mailId })
    .where(and(eq(supportMessages.id, id), isNull(supportMessages.mailId)))
}

/** Message-IDs of a ticket that its participants have seen, the oldest first. */
export async function mailsOfTicket(db: Db, ticketId: string): Promise<string[]> {
  const rows = await db
    .select({ mailId: supportMessages.mailId })
    .from(supportMessages)
    .where(
      and(
        eq(supportMessages.ticketId, ticketId),
        eq(supportMessages.held, false),
        isNotNull(supportMessages.mailId),
      ),
    )
    .orderBy(asc(supportMessages.createdAt), asc(supportMessages.id))
  return rows.flatMap(({ mailId }) => mailId ?? [])
}

/**
 * Whether the customer's latest message is proven to be theirs. A held one is nobody's yet; for one
 * that was let in an agent vouches. Without any, the customer is proven unless a mail opened the ticket.
 */
export async function isSenderProven(
  db: Db,
  { id: ticketId, source }: Pick<TicketRow, 'id' | 'source'>,
): Promise<boolean> {
  const { authorKind, unverifiedSender, held, heldBecause, createdAt, id } = supportMessages
  const [row] = await db
    .select({ unverifiedSender, heldBecause })
    .from(supportMessages)
    .where(and(eq(supportMessages.ticketId, ticketId), eq(authorKind, 'customer'), eq(held, false)))
    .orderBy(desc(createdAt), desc(id))
    .limit(1)
  return row ? !row.unverifiedSender || row.heldBecause !== null : source !== 'email'
}

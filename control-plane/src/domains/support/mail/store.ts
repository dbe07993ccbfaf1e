import { and, asc, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportMessages } from '../tickets/tables.ts'

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

/** Whether the customer's latest message is proven to be theirs; also true if there is none. */
export async function isSenderProven(db: Db, ticketId: string): Promise<boolean> {
  const { authorKind, unverifiedSender, createdAt, id } = supportMessages
  const [row] = await db
    .select({ unverifiedSender })
    .from(supportMessages)
    .where(and(eq(supportMessages.ticketId, ticketId), eq(authorKind, 'customer')))
    .orderBy(desc(createdAt), desc(id))
    .limit(1)
  return row?.unverifiedSender !== true
}

import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { attachments } from '../../attachments/tables.ts'
import { TICKET_MESSAGE } from '../tickets/messages.ts'
import { supportMessages } from '../tickets/tables.ts'

/** Files of mails without an owner whose sender's account is proven. */
export async function filesWithoutOwner(
  db: Db,
  most: number,
): Promise<{ id: string; ownerId: string }[]> {
  const rows = await db
    .select({ id: attachments.id, ownerId: supportMessages.authorId })
    .from(attachments)
    .innerJoin(supportMessages, eq(supportMessages.id, attachments.messageId))
    .where(
      and(
        isNull(attachments.uploaderId),
        eq(attachments.messageKind, TICKET_MESSAGE),
        eq(supportMessages.channel, 'email'),
        eq(supportMessages.authorKind, 'customer'),
        isNotNull(supportMessages.authorId),
      ),
    )
    .orderBy(asc(attachments.id))
    .limit(most)
  return rows.flatMap(({ id, ownerId }) => (ownerId === null ? [] : { id, ownerId }))
}

import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { type AttachmentRow, attachments } from './tables.ts'

export async function insertAttachment(
  db: Db,
  row: typeof attachments.$inferInsert,
): Promise<AttachmentRow> {
  const [inserted] = await db.insert(attachments).values(row).returning()
  return inserted as AttachmentRow
}

/** Gives files that this person uploaded and did not send yet to a message. @returns those given */
export async function claim(
  db: Db,
  ids: readonly string[],
  uploaderId: string,
  message: { readonly kind: string; readonly id: string },
): Promise<string[]> {
  const rows = await db
    .update(attachments)
    .set({ messageKind: message.kind, messageId: message.id })
    .where(
      and(
        inArray(attachments.id, [...ids]),
        eq(attachments.uploaderId, uploaderId),
        isNull(attachments.messageId),
      ),
    )
    .returning({ id: attachments.id })
  return rows.map(({ id }) => id)
}

/** The files of these messages, in the order of their upload. */
export async function ofMessages(
  db: Db,
  kind: string,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, readonly AttachmentRow[]>> {
  if (messageIds.length === 0) return new Map()
  const rows = await db
    .select()
    .from(attachments)
    .where(and(inArray(attachments.messageId, [...messageIds]), eq(attachments.messageKind, kind)))
    .orderBy(asc(attachments.id))
  return Map.groupBy(rows, ({ messageId }) => messageId ?? '')
}

export async function findAttachment(db: Db, id: string): Promise<AttachmentRow | undefined> {
  const [row] = await db.select().from(attachments).where(eq(attachments.id, id))
  return row
}

/** Forgets the files of these messages. @returns what was forgotten */
export async function deleteOfMessages(
  db: Db,
  kind: string,
  messageIds: readonly string[],
): Promise<AttachmentRow[]> {
  if (messageIds.length === 0) return []
  return db
    .delete(attachments)
    .where(and(inArray(attachments.messageId, [...messageIds]), eq(attachments.messageKind, kind)))
    .returning()
}

/** Forgets what nobody sent within a day. @returns what was forgotten */
export const deleteUnsent = (db: Db): Promise<AttachmentRow[]> =>
  db
    .delete(attachments)
    .where(
      and(
        isNull(attachments.messageId),
        sql`(${attachments.createdAt} < now() - interval '1 day' or ${attachments.uploaderId} is null)`,
      ),
    )
    .returning()

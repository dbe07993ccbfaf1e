import { and, asc, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import {
  type AttachmentPreviewRow,
  type AttachmentRow,
  type AttachmentScanRow,
  attachmentArrivals,
  attachmentPreviews,
  attachmentScans,
  attachments,
} from './tables.ts'

/** A file with the result of its scan, `none` if there was no scanner, and its preview. */
export type ScannedRow = AttachmentRow & {
  readonly scan: AttachmentScanRow['state']
  readonly scanWhy: string | null
  readonly preview: Pick<AttachmentPreviewRow, 'state' | 'sha256' | 'width' | 'height'> | null
}

const scanned = (db: Db) =>
  db
    .select({
      ...getTableColumns(attachments),
      scan: sql<AttachmentScanRow['state']>`coalesce(${attachmentScans.state}, 'none')`,
      scanWhy: attachmentScans.why,
      preview: {
        state: attachmentPreviews.state,
        sha256: attachmentPreviews.sha256,
        width: attachmentPreviews.width,
        height: attachmentPreviews.height,
      },
    })
    .from(attachments)
    .leftJoin(attachmentScans, eq(attachmentScans.attachmentId, attachments.id))
    .leftJoin(attachmentPreviews, eq(attachmentPreviews.attachmentId, attachments.id))

export async function insertAttachment(
  db: Db,
  row: typeof attachments.$inferInsert,
): Promise<AttachmentRow> {
  const [inserted] = await db.insert(attachments).values(row).returning()
  return inserted as AttachmentRow
}

export async function insertArrival(
  db: Db,
  row: typeof attachmentArrivals.$inferInsert,
): Promise<void> {
  await db.insert(attachmentArrivals).values(row)
}

/** Ends an upload, successful or not. @returns false if its place was freed meanwhile */
export async function endArrival(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .delete(attachmentArrivals)
    .where(eq(attachmentArrivals.id, id))
    .returning({ id: attachmentArrivals.id })
  return rows.length > 0
}

/** Frees the places of uploads whose control plane died. */
export async function endStaleArrivals(db: Db, olderThanSeconds: number): Promise<void> {
  await db
    .delete(attachmentArrivals)
    .where(
      sql`${attachmentArrivals.createdAt} < now() - make_interval(secs => ${olderThanSeconds})`,
    )
}

/** Attaches files that this person uploaded and has not sent to a message. @returns those attached */
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
): Promise<ReadonlyMap<string, readonly ScannedRow[]>> {
  if (messageIds.length === 0) return new Map()
  const rows = await scanned(db)
    .where(and(inArray(attachments.messageId, [...messageIds]), eq(attachments.messageKind, kind)))
    .orderBy(asc(attachments.id))
  return Map.groupBy(rows, ({ messageId }) => messageId ?? '')
}

/** One of these files with these bytes that this person uploaded and has not sent. */
export async function findSame(
  db: Db,
  of: { readonly ids: readonly string[]; readonly uploaderId: string; readonly sha256: string },
): Promise<ScannedRow | undefined> {
  if (of.ids.length === 0) return undefined
  const [row] = await scanned(db)
    .where(
      and(
        inArray(attachments.id, [...of.ids]),
        eq(attachments.uploaderId, of.uploaderId),
        eq(attachments.sha256, of.sha256),
        isNull(attachments.messageId),
      ),
    )
    .orderBy(asc(attachments.id))
    .limit(1)
  return row
}

export async function findAttachment(db: Db, id: string): Promise<ScannedRow | undefined> {
  const [row] = await scanned(db).where(eq(attachments.id, id))
  return row
}

/** Deletes the rows of the files of these messages. @returns the deleted rows */
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

/** Sets the owner of a file that has none. @returns false if it is gone or has one */
export async function setOwner(db: Db, id: string, ownerId: string): Promise<boolean> {
  const rows = await db
    .update(attachments)
    .set({ uploaderId: ownerId })
    .where(and(eq(attachments.id, id), isNull(attachments.uploaderId)))
    .returning({ id: attachments.id })
  return rows.length > 0
}

export const deleteAll = (db: Db, ids: readonly string[]): Promise<AttachmentRow[]> =>
  db
    .delete(attachments)
    .where(inArray(attachments.id, [...ids]))
    .returning()

/** Deletes the rows of files that nobody sent within a day. @returns the deleted rows */
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

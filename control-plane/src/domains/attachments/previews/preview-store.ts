import { PICTURE_TYPES } from '@lodge/shared/attachments.ts'
import { and, asc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { type AttachmentRow, attachmentPreviews, attachmentScans, attachments } from '../tables.ts'

export const ANY_DUE = 'select from attachment_previews where due_at <= now()'

const MOST_AT_ONCE = 2
/**
 * How long other instances leave a claimed preview alone; if its instance is killed, the preview is
 * due again afterwards.
 */
const TAKEN_SECONDS = 120
const MOST_FOUND = 1000

/** A picture whose preview is to be drawn. */
export type DuePreview = AttachmentRow & { readonly attempts: number }

/** Queues a preview for this file, if it is a picture that people may see. */
export const insertPreview = async (db: Db, attachmentId: string): Promise<void> => {
  await insertWhere(db, eq(attachments.id, attachmentId))
}

/**
 * Queues previews for some pictures that have none: files older than previews, or from an instance of
 * a version without them.
 * @returns how many
 */
export const insertMissing = (db: Db): Promise<number> => insertWhere(db, sql`true`)

async function insertWhere(db: Db, which: SQL): Promise<number> {
  const { rows } = await db.execute<{ attachment_id: string }>(sql`
    insert into ${attachmentPreviews} (attachment_id, state, due_at)
    select ${attachments.id}, 'waiting', now() from ${attachments}
    where ${and(which, inArray(attachments.type, [...PICTURE_TYPES]))}
      and not exists (select from ${attachmentPreviews} where ${eq(attachmentPreviews.attachmentId, attachments.id)})
      and not exists (
        select from ${attachmentScans}
        where ${and(eq(attachmentScans.attachmentId, attachments.id), inArray(attachmentScans.state, ['waiting', 'infected']))})
    order by ${attachments.id} limit ${MOST_FOUND}
    on conflict do nothing returning attachment_id`)
  return rows.length
}

/** Claims due previews, the longest due first. */
export async function takeDue(db: Db): Promise<DuePreview[]> {
  const due = db
    .select({ id: attachmentPreviews.attachmentId })
    .from(attachmentPreviews)
    .where(sql`${attachmentPreviews.dueAt} <= now()`)
    .orderBy(asc(attachmentPreviews.dueAt))
    .limit(MOST_AT_ONCE)
    .for('update', { skipLocked: true })
  return db
    .update(attachmentPreviews)
    .set({
      attempts: sql`${attachmentPreviews.attempts} + 1`,
      dueAt: sql`now() + make_interval(secs => ${TAKEN_SECONDS})`,
    })
    .from(attachments)
    .where(
      and(
        inArray(attachmentPreviews.attachmentId, due),
        eq(attachments.id, attachmentPreviews.attachmentId),
      ),
    )
    .returning({ ...getTableColumns(attachments), attempts: attachmentPreviews.attempts })
}

/** Locks the file's row until the transaction ends; undefined if it is gone. */
export async function holdAttachment(db: Db, id: string): Promise<AttachmentRow | undefined> {
  const [row] = await db.select().from(attachments).where(eq(attachments.id, id)).for('share')
  return row
}

/** Records the result of a drawing. @returns false if another instance did */
export async function settle(
  db: Db,
  attachmentId: string,
  outcome: Pick<typeof attachmentPreviews.$inferInsert, 'state' | 'sha256' | 'width' | 'height'>,
): Promise<boolean> {
  const settled = await db
    .update(attachmentPreviews)
    .set({ ...outcome, dueAt: null })
    .where(
      and(
        eq(attachmentPreviews.attachmentId, attachmentId),
        eq(attachmentPreviews.state, 'waiting'),
      ),
    )
    .returning({ id: attachmentPreviews.attachmentId })
  return settled.length > 0
}

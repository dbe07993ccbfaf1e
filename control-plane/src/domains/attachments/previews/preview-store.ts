import { PICTURE_TYPES } from '@lodge/shared/attachments.ts'
import { and, asc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { type AttachmentRow, attachmentPreviews, attachmentScans, attachments } from '../tables.ts'

export const ANY_DUE = 'select from attachment_previews where due_at <= now()'

const MOST_AT_ONCE = 2
/** So long another instance leaves what was taken; what a killed one had taken is due again then. */
const TAKEN_SECONDS = 120
const MOST_FOUND = 1000

/** A picture whose preview is to be drawn. */
export type DuePreview = AttachmentRow & { readonly attempts: number }

/** Has a preview drawn of this file, if it is a picture that people may see. */
export const insertPreview = async (db: Db, attachmentId: string): Promise<void> => {
  await insertWhere(db, eq(attachments.id, attachmentId))
}

/**
 * The same for some of those that have none: files that came before there were previews, or by an
 * instance that does not know of them.
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

/** Takes what is due, the longest due first. */
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

/** The file, which stays as it is until the transaction ends; undefined if it is gone. */
export async function holdAttachment(db: Db, id: string): Promise<AttachmentRow | undefined> {
  const [row] = await db.select().from(attachments).where(eq(attachments.id, id)).for('share')
  return row
}

/** Ends the wait for a preview. @returns false if another instance did */
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

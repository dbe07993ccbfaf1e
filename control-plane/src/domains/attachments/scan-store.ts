import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { type AttachmentRow, attachmentScans, attachments } from './tables.ts'

export const ANY_DUE = 'select from attachment_scans where due_at <= now()'

const MOST_AT_ONCE = 4
/** So long another instance leaves what was taken; what a killed one had taken is due again then. */
const TAKEN_SECONDS = 180

/** A file that a scanner is to look at. */
export type DueScan = AttachmentRow & { readonly attempts: number }

export async function insertScan(db: Db, attachmentId: string): Promise<void> {
  await db.insert(attachmentScans).values({ attachmentId, state: 'waiting', dueAt: sql`now()` })
}

/** Takes what is due, the longest due first. */
export async function takeDue(db: Db): Promise<DueScan[]> {
  const due = db
    .select({ id: attachmentScans.attachmentId })
    .from(attachmentScans)
    .where(sql`${attachmentScans.dueAt} <= now()`)
    .orderBy(asc(attachmentScans.dueAt))
    .limit(MOST_AT_ONCE)
    .for('update', { skipLocked: true })
  return db
    .update(attachmentScans)
    .set({
      attempts: sql`${attachmentScans.attempts} + 1`,
      dueAt: sql`now() + make_interval(secs => ${TAKEN_SECONDS})`,
    })
    .from(attachments)
    .where(
      and(
        inArray(attachmentScans.attachmentId, due),
        eq(attachments.id, attachmentScans.attachmentId),
      ),
    )
    .returning({ ...getTableColumns(attachments), attempts: attachmentScans.attempts })
}

export async function postpone(db: Db, attachmentId: string, ms: number): Promise<void> {
  await db
    .update(attachmentScans)
    .set({ dueAt: sql`now() + make_interval(secs => ${ms / 1000})` })
    .where(and(eq(attachmentScans.attachmentId, attachmentId), isWaiting))
}

/** The same for an attempt that does not count. */
export async function putBack(db: Db, attachmentId: string, ms: number): Promise<void> {
  await db
    .update(attachmentScans)
    .set({
      attempts: sql`${attachmentScans.attempts} - 1`,
      dueAt: sql`now() + make_interval(secs => ${ms / 1000})`,
    })
    .where(and(eq(attachmentScans.attachmentId, attachmentId), isWaiting))
}

const isWaiting = eq(attachmentScans.state, 'waiting')

/**
 * Ends the wait of a file.
 * @returns the file, which stays as it is until the transaction ends; undefined if it is gone or did
 * not wait any more
 */
export async function settle(
  db: Db,
  attachmentId: string,
  outcome: Pick<typeof attachmentScans.$inferInsert, 'state' | 'why'>,
): Promise<AttachmentRow | undefined> {
  const settled = await db
    .update(attachmentScans)
    .set({ ...outcome, dueAt: null })
    .where(and(eq(attachmentScans.attachmentId, attachmentId), isWaiting))
    .returning({ id: attachmentScans.attachmentId })
  if (settled.length === 0) return undefined
  const [row] = await db
    .select()
    .from(attachments)
    .where(eq(attachments.id, attachmentId))
    .for('share')
  return row
}

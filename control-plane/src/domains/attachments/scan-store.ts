import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { type AttachmentRow, attachmentScans, attachments } from './tables.ts'

export const ANY_DUE = 'select from attachment_scans where due_at <= now()'

const MOST_AT_ONCE = 4
/**
 * How long other instances leave a claimed scan alone; if its instance is killed, the scan is due
 * again afterwards.
 */
const TAKEN_SECONDS = 180

/** A file that waits for a scanner. */
export type DueScan = AttachmentRow & { readonly attempts: number }

export async function insertScan(db: Db, attachmentId: string): Promise<void> {
  await db.insert(attachmentScans).values({ attachmentId, state: 'waiting', dueAt: sql`now()` })
}

/** Claims due scans, the longest due first. */
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

/** Reschedules a scan without counting the attempt. */
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
 * Records the result of a scan.
 * @returns the file, whose row is locked until the transaction ends; undefined if it is gone or no
 * longer waited
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

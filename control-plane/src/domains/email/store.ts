import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { emailMessages, emailTemplates } from './tables.ts'

export type MessageRow = typeof emailMessages.$inferSelect
export type TemplateRow = typeof emailTemplates.$inferSelect

export async function insertMessage(db: Db, row: typeof emailMessages.$inferInsert): Promise<void> {
  await db.insert(emailMessages).values(row)
}

export async function findMessage(db: Db, id: string): Promise<MessageRow | undefined> {
  const [row] = await db.select().from(emailMessages).where(eq(emailMessages.id, id))
  return row
}

const DUE = `state = 'queued' and next_attempt_at <= now()
  and (lease_until is null or lease_until < now())`
/** Has a row while a message is due. */
export const DUE_MESSAGE = `select from email_messages where ${DUE}`

/**
 * Claims due messages for this instance, most urgent first. If the instance dies, the lease expires
 * and another takes them.
 */
export async function claimMessages(
  db: Db,
  count: number,
  leaseSeconds: number,
): Promise<MessageRow[]> {
  const due = sql`select id from email_messages
    where ${sql.raw(DUE)}
    order by priority, next_attempt_at limit ${count} for update skip locked`
  return db
    .update(emailMessages)
    .set({
      attempts: sql`${emailMessages.attempts} + 1`,
      leaseUntil: sql`now() + make_interval(secs => ${leaseSeconds})`,
    })
    .where(sql`${emailMessages.id} in (${due})`)
    .returning()
}

/** Records the result of an attempt, unless another instance has claimed the message since. */
export async function endAttempt(
  db: Db,
  message: Pick<MessageRow, 'id' | 'attempts'>,
  change: Partial<MessageRow>,
): Promise<void> {
  await db
    .update(emailMessages)
    .set({ ...change, leaseUntil: null })
    .where(
      and(
        eq(emailMessages.id, message.id),
        // The attempt number acts as a fencing token for an expired lease.
        eq(emailMessages.attempts, message.attempts),
        eq(emailMessages.state, 'queued'),
      ),
    )
}

/** Only a failed message can be requeued. */
export async function requeue(db: Db, id: string): Promise<MessageRow | undefined> {
  const [row] = await db
    .update(emailMessages)
    .set({ state: 'queued', attempts: 0, nextAttemptAt: sql`now()`, endedAt: null })
    .where(and(eq(emailMessages.id, id), eq(emailMessages.state, 'failed')))
    .returning()
  return row
}

/** @returns how many mails lost their content and how many were removed */
export async function wipeOld(db: Db): Promise<{ wiped: number; removed: number }> {
  const wiped = await db
    .update(emailMessages)
    .set({ content: null })
    .where(
      sql`${emailMessages.content} is not null and ${emailMessages.endedAt} < now() - interval '7 days'`,
    )
    .returning({ id: emailMessages.id })
  const removed = await db
    .delete(emailMessages)
    .where(sql`${emailMessages.createdAt} < now() - interval '90 days'`)
    .returning({ id: emailMessages.id })
  return { wiped: wiped.length, removed: removed.length }
}

export const listEdits = (db: Db): Promise<TemplateRow[]> => db.select().from(emailTemplates)

export async function findEdit(db: Db, id: string): Promise<TemplateRow | undefined> {
  const [row] = await db.select().from(emailTemplates).where(eq(emailTemplates.id, id))
  return row
}

export async function saveEdit(
  db: Db,
  row: Omit<TemplateRow, 'updatedAt'>,
): Promise<TemplateRow | undefined> {
  const { id, ...change } = row
  const [saved] = await db
    .insert(emailTemplates)
    .values(row)
    .onConflictDoUpdate({ target: emailTemplates.id, set: { ...change, updatedAt: sql`now()` } })
    .returning()
  return saved
}

/** Completes rows of versions that did not record the built-in wording. */
export async function recordBuiltIn(
  db: Db,
  id: string,
  builtIn: { readonly subject: string; readonly body: string },
): Promise<void> {
  await db
    .update(emailTemplates)
    .set({ builtInSubject: builtIn.subject, builtInBody: builtIn.body })
    .where(and(eq(emailTemplates.id, id), isNull(emailTemplates.builtInSubject)))
}

export async function deleteEdit(db: Db, id: string): Promise<void> {
  await db.delete(emailTemplates).where(eq(emailTemplates.id, id))
}

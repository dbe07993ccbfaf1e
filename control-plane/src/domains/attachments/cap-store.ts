import { and, eq, isNull, sql } from 'drizzle-orm'
import { defineCap } from '../../db/cap.ts'
import type { Db } from '../../db/database.ts'
import { attachmentArrivals, attachments } from './tables.ts'

/** The sizes of what somebody has uploaded or is uploading and has not sent yet. */
const unsent = (userId: string) => sql`
  select size_bytes from ${attachments}
    where ${and(eq(attachments.uploaderId, userId), isNull(attachments.messageId))}
  union all
  select size_bytes from ${attachmentArrivals} where ${eq(attachmentArrivals.uploaderId, userId)}`

export const unsentCap = defineCap({
  name: 'unsent attachments of an account',
  most: 20,
  present: unsent,
  refusal: 'There are already 20 files that were not sent: send a message with some of them first',
})

/** Bytes that somebody has uploaded and not sent yet, plus what uploads in progress announced. */
export async function unsentBytes(db: Db, userId: string): Promise<number> {
  const { rows } = await db.execute<{ bytes: number }>(
    sql`select coalesce(sum(size_bytes), 0)::int as bytes from (${unsent(userId)}) unsent`,
  )
  return rows[0]?.bytes ?? 0
}

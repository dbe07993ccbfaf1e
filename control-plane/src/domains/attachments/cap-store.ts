import { and, eq, isNull, sql } from 'drizzle-orm'
import { defineCap } from '../../db/cap.ts'
import { attachments } from './tables.ts'

export const unsentCap = defineCap({
  name: 'unsent attachments of an account',
  most: 20,
  present: (userId) =>
    sql`select from ${attachments} where ${and(eq(attachments.uploaderId, userId), isNull(attachments.messageId))}`,
  refusal: 'There are already 20 files that were not sent: send a message with some of them first',
})

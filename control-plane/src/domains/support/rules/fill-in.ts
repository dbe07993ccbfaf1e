import { ticketNumber } from '@lodge/shared/support/ticket-words.ts'
import type { Db } from '../../../db/database.ts'
import { findUser } from '../../customers/index.ts'
import type { TicketRow } from '../tickets/tables.ts'

/** Characters that are Markdown syntax. */
const MARKS = /[\\`*_{}[\]<>()#+!|~-]/g

/**
 * Replaces placeholders in braces. Values from people are escaped, so that they are never Markdown.
 */
export async function fillIn(
  db: Db,
  { requesterId, requesterEmail, number, subject }: TicketRow,
  text: string,
): Promise<string> {
  const requester = requesterId === null ? undefined : await findUser(db, requesterId)
  const values: Readonly<Record<string, string>> = {
    customer: requester?.name ?? requesterEmail,
    number: ticketNumber(number),
    subject,
  }
  return text.replace(/\{(customer|number|subject)\}/g, (_, name: string) =>
    (values[name] ?? '').replace(MARKS, '\\$&'),
  )
}

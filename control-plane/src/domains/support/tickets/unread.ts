import type { TicketRow } from './tables.ts'

type Times = Pick<TicketRow, 'status' | 'requesterId' | 'lastCustomerAt' | 'lastAgentAt'>

const WAITING: readonly string[] = ['new', 'open'] satisfies TicketRow['status'][]

/**
 * Whether the other side has written since somebody last read a ticket. An answered message is not
 * unread: for staff because one of them has read it, for the customer because they answered it by
 * mail.
 */
export function isUnread(
  row: Times & { readonly readAt: Date | null },
  reader: { readonly id: string; readonly isStaff: boolean },
): boolean {
  const { readAt, lastCustomerAt, lastAgentAt } = row
  const isOwn = !reader.isStaff || row.requesterId === reader.id
  const [theirs, ours] = isOwn ? [lastAgentAt, lastCustomerAt] : [lastCustomerAt, lastAgentAt]
  if (theirs === null || (ours !== null && ours > theirs)) return false
  if (!isOwn && !WAITING.includes(row.status)) return false
  return readAt === null || readAt < theirs
}

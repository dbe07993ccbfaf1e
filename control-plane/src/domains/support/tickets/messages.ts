import type { TicketMessage } from '@lodge/shared/support/tickets.ts'
import type { Db } from '../../../db/database.ts'
import { renderMarkdown } from '../../../markdown.ts'
import { attachmentsOf } from '../../attachments/index.ts'
import type { MessageRow } from './tables.ts'
import { listMessages } from './thread-store.ts'

/** The owner kind of files in ticket messages. */
export const TICKET_MESSAGE = 'ticket'

/** Whether customers see a message. */
export const isPublic = ({ kind, held }: Pick<MessageRow, 'kind' | 'held'>): boolean =>
  kind !== 'note' && !held

/** The messages of a ticket that the reader may see, the oldest first. */
export async function messagesOf(
  db: Db,
  ticketId: string,
  staff: boolean,
): Promise<TicketMessage[]> {
  const rows = (await listMessages(db, ticketId)).filter((row) => staff || isPublic(row))
  const files = await attachmentsOf(
    db,
    TICKET_MESSAGE,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    author: authorOf(row, staff),
    bodyMarkdown: row.body,
    html: renderMarkdown(row.body),
    attachments: [...(files.get(row.id) ?? [])],
    via: row.channel,
    unverifiedSender: row.unverifiedSender,
    sender: staff ? row.senderCheck : null,
    held: row.held,
    heldBecause: staff && row.held ? row.heldBecause : null,
    createdAt: row.createdAt.toISOString(),
    editedAt: row.editedAt?.toISOString() ?? null,
  }))
}

type Written = Awaited<ReturnType<typeof listMessages>>[number]

/** Customers do not see the addresses of staff. */
function authorOf(row: Written, staff: boolean): TicketMessage['author'] {
  const { authorKind: kind, authorId: id, name } = row
  if (kind === 'agent' && !staff) return { kind, id: null, name }
  return { kind, id, name: name ?? addressOf(row) }
}

/** The address, after the name that a mail gives it: nobody vouches for that one alone. */
function addressOf({ email, authorEmail, senderCheck }: Written): string | null {
  const address = email ?? authorEmail
  return senderCheck?.name === undefined || address === null
    ? address
    : `${senderCheck.name} <${address}>`
}

import type { Ctx } from '../../../context.ts'
import type { EventCatalogue } from '../../../events/catalogue.ts'
import { isPublic, TICKET_MESSAGE } from './messages.ts'
import { findTicket } from './store.ts'
import { findMessage } from './thread-store.ts'

/** Updates open panels about the scan or preview of a ticket's file. */
export async function showNewsOfFile(
  ctx: Ctx,
  { messageKind, messageId }: { readonly messageKind: string; readonly messageId: string },
): Promise<void> {
  if (messageKind !== TICKET_MESSAGE) return
  const message = await findMessage(ctx.db, messageId)
  if (!message) return
  const kind = isPublic(message) ? 'ticket' : 'ticket-inside'
  await ctx.live.announce(ctx.db, { kind, id: message.ticketId })
}

/** Notifies of a file of a ticket that a scanner refused. */
export async function tellInfected(
  ctx: Ctx,
  { name, why, message }: EventCatalogue['attachment.infected'],
): Promise<void> {
  if (message?.kind !== TICKET_MESSAGE) return
  const written = await findMessage(ctx.db, message.id)
  const ticket = written && (await findTicket(ctx.db, written.ticketId))
  if (ticket) await ctx.emit('ticket.file_infected', { ticket, name, why })
}

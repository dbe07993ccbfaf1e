import type { Ctx } from '../../../context.ts'
import type { EventCatalogue } from '../../../events/catalogue.ts'
import { isPublic, TICKET_MESSAGE } from './messages.ts'
import { findMessage } from './thread-store.ts'

/** Shows in open panels what scanners said of a file of a ticket. */
export async function showScanned(
  ctx: Ctx,
  { messageKind, messageId }: EventCatalogue['attachment.scanned'],
): Promise<void> {
  if (messageKind !== TICKET_MESSAGE) return
  const message = await findMessage(ctx.db, messageId)
  if (!message) return
  const kind = isPublic(message) ? 'ticket' : 'ticket-inside'
  await ctx.live.announce(ctx.db, { kind, id: message.ticketId })
}

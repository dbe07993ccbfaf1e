import type { Ctx } from '../../../context.ts'
import { isPublic, TICKET_MESSAGE } from './messages.ts'
import { findMessage } from './thread-store.ts'

/** Shows in open panels what has become known of a file of a ticket. */
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

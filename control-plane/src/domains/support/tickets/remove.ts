import type { Ctx } from '../../../context.ts'
import { deleteAttachments } from '../../attachments/index.ts'
import { TICKET_MESSAGE } from './messages.ts'
import { deleteTicket, idsOfRequester } from './store.ts'
import { messageIds } from './thread-store.ts'

/** Deletes a ticket with its messages and their files. */
export async function removeTicket(ctx: Ctx, id: string): Promise<void> {
  await ctx.transaction(async (ctx) => {
    await deleteAttachments(ctx, TICKET_MESSAGE, await messageIds(ctx.db, id))
    await deleteTicket(ctx.db, id)
    await ctx.live.announce(ctx.db, { kind: 'ticket-removed', id })
    await ctx.emit('ticket.deleted', { ticketId: id })
  })
}

/** Deletes the tickets of a deleted customer with their files. */
export async function forgetCustomer(ctx: Ctx, userId: string): Promise<void> {
  for (const id of await idsOfRequester(ctx.db, userId)) await removeTicket(ctx, id)
}

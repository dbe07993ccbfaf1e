import type { WriteMessage, WrittenMessage } from '@lodge/shared/support/tickets.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import { forgetDraft } from '../drafts/store.ts'
import { sendFiles } from './files.ts'
import { lockedTicket } from './locked.ts'
import { isStaff, requireStaff } from './reader.ts'
import { addMessage } from './say.ts'
import { senderOf } from './sender.ts'

/** Writes a reply or a note in a ticket. */
export const writeInTicket = (
  ctx: Ctx<User>,
  id: string,
  { kind, bodyMarkdown: body, attachments, status }: WriteMessage,
): Promise<WrittenMessage> =>
  ctx.transaction(async (ctx) => {
    const { actor } = ctx
    if (isStaff(actor)) requireStaff(actor, 'support.reply')
    else if (kind === 'note' || status !== undefined)
      throw new Problem('forbidden', 'Only the support writes notes and chooses the status')
    const before = await lockedTicket(ctx, id)
    const { ticket, messageId } = await addMessage(ctx, before, senderOf(actor), {
      ...{ kind, body, status },
    })
    await sendFiles(ctx, attachments, { ticketId: ticket.id, messageId })
    await forgetDraft(ctx.db, actor.id, id)
    return { id: messageId, ticketId: ticket.id }
  })

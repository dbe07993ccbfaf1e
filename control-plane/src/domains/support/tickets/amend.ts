import { randomUUIDv7 } from 'node:crypto'
import { AMEND_MINUTES } from '@lodge/shared/support/tickets.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { plainText } from '../../../markdown.ts'
import { notFound, Problem } from '../../../problem.ts'
import { changeTicket } from './change.ts'
import { lockedTicket } from './locked.ts'
import { isPublic } from './messages.ts'
import { changedBy, senderOf } from './sender.ts'
import { findMessage, rewriteMessage } from './thread-store.ts'

/** Edits a message that the caller wrote a moment ago; the former text is kept. */
export const amendMessage = (
  ctx: Ctx<User>,
  { ticketId, messageId, body }: { ticketId: string; messageId: string; body: string },
): Promise<void> =>
  ctx.transaction(async (ctx) => {
    const ticket = await lockedTicket(ctx, ticketId)
    const message = await findMessage(ctx.db, messageId)
    if (message?.ticketId !== ticketId) throw notFound('message')
    if (message.authorId !== ctx.actor.id)
      throw new Problem('forbidden', 'Only who wrote a message can change it')
    if (ctx.now.getTime() - message.createdAt.getTime() > AMEND_MINUTES * 60_000)
      throw new Problem(
        'invalid_state',
        `A message can be changed for ${AMEND_MINUTES} minutes: write another one`,
      )
    await rewriteMessage(ctx.db, {
      ...{ id: messageId, body, plain: plainText(body), at: ctx.now },
      before: { id: randomUUIDv7(), messageId, editorId: ctx.actor.id, body: message.body },
    })
    const seen = isPublic(message)
    await changeTicket(
      ctx,
      ticket,
      {},
      {
        ...{ kind: seen ? 'updated' : 'note', by: changedBy(senderOf(ctx.actor)) },
        ...{ isPublic: seen, also: { amended: messageId } },
      },
    )
  })

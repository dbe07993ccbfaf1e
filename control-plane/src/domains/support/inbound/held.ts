import { afterCustomerReply } from '@lodge/shared/support/transitions.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import type { Resource } from '../../../http/access.ts'
import { notFound } from '../../../problem.ts'
import { deleteAttachments } from '../../attachments/index.ts'
import { readSettings } from '../../settings/index.ts'
import { deskSettings } from '../desk/settings.ts'
import { changeTicket } from '../tickets/change.ts'
import { TICKET_MESSAGE } from '../tickets/messages.ts'
import { momentOf } from '../tickets/moment.ts'
import { changedBy, senderOf } from '../tickets/sender.ts'
import { lockTicket } from '../tickets/store.ts'
import { deleteHeld, findHeld, type HeldMail, letIn } from './held-store.ts'

/** A mail that waits for an agent; once decided, it is not found here. */
export const heldMail: Resource<'heldMail', HeldMail, never> = {
  name: 'heldMail',
  loads: (ctx, id) => findHeld(ctx.db, id),
  permits: () => true,
}

/** Releases a held mail: it counts as written by its customer, for whom an agent vouches. */
export async function letInHeld(ctx: Ctx<User>, { id, ticketId }: HeldMail): Promise<void> {
  const ticket = await lockTicket(ctx.db, ticketId)
  if (!ticket || !(await letIn(ctx.db, id))) throw notFound('mail')
  const status = afterCustomerReply(ticket, await readSettings(ctx.db, deskSettings), ctx.now)
  await changeTicket(
    ctx,
    ticket,
    { lastCustomerAt: momentOf(ctx, ticket), ...(status !== 'follow_up' && { status }) },
    {
      ...{ kind: 'customer_reply', messageId: id, isPublic: true },
      ...{ by: changedBy(senderOf(ctx.actor)), also: { letIn: true } },
    },
  )
}

/** Deletes a held mail with its files. */
export async function dropHeld(ctx: Ctx<User>, { id, ticketId }: HeldMail): Promise<void> {
  const ticket = await lockTicket(ctx.db, ticketId)
  if (!ticket || !(await deleteHeld(ctx.db, id))) throw notFound('mail')
  await deleteAttachments(ctx, TICKET_MESSAGE, [id])
  await changeTicket(
    ctx,
    ticket,
    {},
    { kind: 'updated', by: changedBy(senderOf(ctx.actor)), also: { droppedMail: true } },
  )
}

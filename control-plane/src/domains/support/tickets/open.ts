import type { CreateTicket, TicketThread } from '@lodge/shared/support/tickets.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { requireFree } from '../../../db/cap.ts'
import { invalid } from '../../../http/input.ts'
import { Problem } from '../../../problem.ts'
import { findUser } from '../../customers/index.ts'
import { loadServer, permits } from '../../servers/index.ts'
import { readSettings } from '../../settings/index.ts'
import { answersTo } from '../categories/answers.ts'
import { findCategory } from '../categories/store.ts'
import { deskSettings } from '../desk/settings.ts'
import { forgetDraft } from '../drafts/store.ts'
import { openTicketsCap } from './cap-store.ts'
import { createTicket } from './create.ts'
import { sendFiles } from './files.ts'
import { isStaff, requireStaff } from './reader.ts'
import { senderOf } from './sender.ts'
import { isSubscriptionOf } from './subscription-store.ts'
import { threadOf } from './view.ts'

/** Opens a ticket of the caller's own, or one for a customer on their behalf. */
export async function openTicket(ctx: Ctx<User>, given: CreateTicket): Promise<TicketThread> {
  return ctx.transaction(async (ctx) => {
    const requester = await requesterOf(ctx, given)
    const category = await categoryOf(ctx, given)
    await checkSubject(ctx, given, requester.id)
    const { ticket, messageId } = await createTicket(ctx, senderOf(ctx.actor), {
      ...{ subject: given.subject, body: given.bodyMarkdown, requester, source: 'web' },
      ...{ categoryId: given.categoryId, groupId: category?.groupId ?? null },
      priority: given.priority ?? category?.defaultPriority ?? 'normal',
      ...{ serverId: given.serverId, subscriptionId: given.subscriptionId },
      answers: answersTo(category?.fields ?? [], given.answers),
      participants: given.participants,
    })
    await sendFiles(ctx, given.attachments, { ticketId: ticket.id, messageId })
    await forgetDraft(ctx.db, ctx.actor.id, 'new')
    return threadOf(ctx, ticket.id)
  })
}

async function requesterOf(ctx: Ctx<User>, { requesterId }: CreateTicket) {
  const { actor, db } = ctx
  if (requesterId !== undefined && requesterId !== actor.id) {
    requireStaff(actor, 'support.reply')
    const customer = await findUser(db, requesterId)
    if (!customer) throw refused('/requesterId', 'is no account')
    return { id: customer.id, email: customer.email }
  }
  if (!isStaff(actor)) {
    const { enabled } = await readSettings(db, deskSettings)
    if (!enabled)
      throw new Problem('invalid_state', 'The support desk takes no new tickets at the moment')
    await requireFree(db, openTicketsCap, actor.id)
  }
  return { id: actor.id, email: actor.email }
}

async function categoryOf(ctx: Ctx<User>, { categoryId, serverId }: CreateTicket) {
  if (categoryId === null) return undefined
  const category = await findCategory(ctx.db, categoryId)
  if (!category?.active) throw refused('/categoryId', 'is no category of the desk')
  if (category.requiresServer && serverId === null)
    throw refused('/serverId', 'is needed: choose the server that this is about')
  return category
}

/** Requires that server and subscription are the requester's, and visible to the caller. */
async function checkSubject(
  ctx: Ctx<User>,
  { serverId, subscriptionId }: CreateTicket,
  requesterId: string,
): Promise<void> {
  const server = serverId === null ? undefined : await loadServer(ctx, serverId)
  if (serverId !== null && !(server && permits(ctx.actor, server, undefined)))
    throw refused('/serverId', 'is no server of yours')
  if (subscriptionId !== null && !(await isSubscriptionOf(ctx.db, subscriptionId, requesterId)))
    throw refused('/subscriptionId', 'is no subscription of yours')
}

const refused = (pointer: string, detail: string) => invalid([{ pointer, detail }])

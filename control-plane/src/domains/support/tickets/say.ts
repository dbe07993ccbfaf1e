import { randomUUIDv7 } from 'node:crypto'
import type { TicketStatus } from '@lodge/shared/support/ticket-words.ts'
import { afterAgentReply, afterCustomerReply } from '@lodge/shared/support/transitions.ts'
import type { Ctx } from '../../../context.ts'
import { plainText } from '../../../markdown.ts'
import { Problem } from '../../../problem.ts'
import { readSettings } from '../../settings/index.ts'
import { deskSettings } from '../desk/settings.ts'
import { changeTicket } from './change.ts'
import { createTicket, writtenBy } from './create.ts'
import { momentOf } from './moment.ts'
import { changedBy, type Sender } from './sender.ts'
import type { TicketRow } from './tables.ts'
import { insertMessage, listParticipants } from './thread-store.ts'

interface Said {
  readonly kind: 'reply' | 'note'
  readonly body: string
  /** The status that an agent's answer sets. */
  readonly status?: TicketStatus | undefined
}

/**
 * Adds a message to a locked ticket, in the caller's transaction. A customer's reply to a closed
 * ticket opens a new one. The caller has checked that the sender may write here.
 */
export async function addMessage(
  ctx: Ctx,
  ticket: TicketRow,
  sender: Sender,
  said: Said,
): Promise<{ ticket: TicketRow; messageId: string }> {
  if (said.kind === 'note') return note(ctx, ticket, sender, said)
  return sender.kind === 'customer'
    ? customerReply(ctx, ticket, sender, said)
    : agentReply(ctx, ticket, sender, said)
}

async function note(ctx: Ctx, ticket: TicketRow, sender: Sender, said: Said) {
  const messageId = await write(ctx, ticket, sender, said)
  const cause = { kind: 'note' as const, by: changedBy(sender), messageId }
  return { ticket: await changeTicket(ctx, ticket, {}, cause), messageId }
}

async function agentReply(ctx: Ctx, ticket: TicketRow, sender: Sender, said: Said) {
  const status = afterAgentReply(ticket.status, said.status)
  if (status === null)
    throw new Problem(
      'invalid_state',
      ticket.status === 'closed'
        ? 'The ticket is closed: open it again to answer'
        : `An answer cannot make a ticket ${said.status}`,
    )
  const messageId = await write(ctx, ticket, sender, said)
  const cause = { kind: 'agent_reply' as const, by: changedBy(sender), messageId, isPublic: true }
  const change = { status, lastAgentAt: momentOf(ctx, ticket) }
  return { ticket: await changeTicket(ctx, ticket, change, cause), messageId }
}

async function customerReply(ctx: Ctx, ticket: TicketRow, sender: Sender, said: Said) {
  const status = afterCustomerReply(ticket, await readSettings(ctx.db, deskSettings), ctx.now)
  if (status === 'follow_up') return followUp(ctx, ticket, sender, said)
  const messageId = await write(ctx, ticket, sender, said)
  const cause = {
    kind: 'customer_reply' as const,
    by: changedBy(sender),
    messageId,
    isPublic: true,
  }
  const lastCustomerAt = momentOf(ctx, ticket)
  const change = { status, lastCustomerAt, snoozedUntil: null, remindedAt: null }
  return { ticket: await changeTicket(ctx, ticket, change, cause), messageId }
}

/** Opens a follow-up ticket about the same subject, with the same participants. */
async function followUp(ctx: Ctx, ticket: TicketRow, sender: Sender, { body }: Said) {
  const people = await listParticipants(ctx.db, ticket.id)
  return createTicket(ctx, sender, {
    ...{ subject: ticket.subject, body, source: sender.channel },
    requester: { id: ticket.requesterId, email: ticket.requesterEmail },
    ...{ categoryId: ticket.categoryId, groupId: ticket.groupId, priority: ticket.priority },
    ...{ serverId: ticket.serverId, subscriptionId: ticket.subscriptionId },
    participants: people.map(({ email }) => email),
    followUpOf: ticket.id,
  })
}

async function write(
  ctx: Ctx,
  ticket: TicketRow,
  sender: Sender,
  { kind, body }: Said,
): Promise<string> {
  const id = randomUUIDv7()
  await insertMessage(ctx.db, {
    ...{ id, ticketId: ticket.id, kind, authorKind: sender.kind },
    ...writtenBy(sender),
    ...{ body, plain: plainText(body), createdAt: momentOf(ctx, ticket) },
  })
  return id
}

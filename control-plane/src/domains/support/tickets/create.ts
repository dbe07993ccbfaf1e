import { randomUUIDv7 } from 'node:crypto'
import type { TicketChannel, TicketPriority } from '@lodge/shared/support/ticket-words.ts'
import type { Ctx } from '../../../context.ts'
import { plainText } from '../../../markdown.ts'
import { findUserIds } from './address-store.ts'
import { tell } from './change.ts'
import type { ChangedBy } from './events.ts'
import { changedBy, type Sender } from './sender.ts'
import { insertTicket } from './store.ts'
import type { TicketRow } from './tables.ts'
import { insertEvent, insertMessage, insertParticipants, insertTags } from './thread-store.ts'

export interface NewTicket {
  readonly subject: string
  /** Markdown of the first message. */
  readonly body: string
  /** Without account and address, it is nobody who could be written to. */
  readonly requester: { readonly id: string | null; readonly email: string }
  readonly source: TicketChannel
  readonly priority?: TicketPriority
  readonly categoryId?: string | null
  readonly groupId?: string | null
  readonly serverId?: string | null
  readonly subscriptionId?: string | null
  readonly answers?: Readonly<Record<string, string | number | boolean>>
  /** Addresses in copy. */
  readonly participants?: readonly string[]
  readonly tags?: readonly string[]
  readonly followUpOf?: string | null
  readonly spam?: boolean
}

/**
 * Opens a ticket with its first message, in the caller's transaction. The caller has checked that the
 * sender may do so, and attaches files to the returned message.
 */
export async function createTicket(
  ctx: Ctx,
  sender: Sender,
  given: NewTicket,
): Promise<{ ticket: TicketRow; messageId: string }> {
  const { db, now } = ctx
  const { requester, tags = [], body, source } = given
  const id = randomUUIDv7()
  const ticket = await insertTicket(db, {
    ...{ id, subject: given.subject, source, priority: given.priority ?? 'normal', status: 'new' },
    ...{ categoryId: given.categoryId ?? null, groupId: given.groupId ?? null },
    ...{ serverId: given.serverId ?? null, subscriptionId: given.subscriptionId ?? null },
    ...{ requesterId: requester.id, requesterEmail: requester.email },
    ...{ followUpOf: given.followUpOf ?? null, spam: given.spam ?? false },
    answers: { ...given.answers },
    ...{ createdAt: now, updatedAt: now, touchedAt: now, statusSince: now },
    ...(sender.kind === 'customer' && { lastCustomerAt: now }),
    ...(sender.kind === 'agent' && { lastAgentAt: now }),
  })
  await takePart(ctx, ticket, given, sender)
  await insertTags(db, id, tags)
  const messageId = randomUUIDv7()
  await insertMessage(db, {
    ...{ id: messageId, ticketId: id, kind: 'reply', authorKind: sender.kind },
    ...writtenBy(sender),
    ...{ body, plain: plainText(body), createdAt: now },
  })
  const by = changedBy(sender)
  await insertEvent(db, {
    ...{ id: randomUUIDv7(), ticketId: id, at: now, kind: 'created' },
    ...{ actorKind: by.kind, actorId: by.id },
  })
  const cause = { kind: 'created' as const, by, messageId }
  return {
    ticket: await tell(ctx, { before: null, after: ticket, cause, isPublic: true }),
    messageId,
  }
}

/**
 * Opens a copy of a ticket for messages that move into it.
 * @param move moves them before the ticket is announced, so that listeners find them
 */
export async function copyTicket(
  ctx: Ctx,
  like: TicketRow,
  given: { subject: string; by: ChangedBy; also: Readonly<Record<string, unknown>> },
  move: (to: string) => Promise<unknown>,
): Promise<TicketRow> {
  const { db, now } = ctx
  const id = randomUUIDv7()
  const ticket = await insertTicket(db, {
    ...{ id, subject: given.subject, status: 'open', source: like.source },
    ...{ priority: like.priority, categoryId: like.categoryId, answers: {} },
    ...{ groupId: like.groupId, assigneeId: like.assigneeId, serverId: like.serverId },
    ...{ subscriptionId: like.subscriptionId, tierId: like.tierId },
    ...{ requesterId: like.requesterId, requesterEmail: like.requesterEmail },
    ...{ createdAt: now, updatedAt: now, touchedAt: now, statusSince: now },
    ...{ lastCustomerAt: like.lastCustomerAt, lastAgentAt: like.lastAgentAt },
  })
  const requester = { id: like.requesterId, email: like.requesterEmail }
  await insertParticipants(db, requesterIn(id, requester, given.by.id))
  await move(id)
  const { by, also } = given
  await insertEvent(db, {
    ...{ id: randomUUIDv7(), ticketId: id, at: now, kind: 'split', change: { ...also } },
    ...{ actorKind: by.kind, actorId: by.id },
  })
  const cause = { kind: 'split' as const, by }
  return tell(ctx, { before: null, after: ticket, cause, isPublic: true })
}

/** The columns of a message about its author and source. */
export const writtenBy = (sender: Sender) => ({
  authorId: sender.userId,
  authorEmail: sender.email ?? null,
  channel: sender.channel,
  unverifiedSender: sender.unverified ?? false,
  senderCheck: sender.check ?? null,
  held: (sender.heldBecause ?? null) !== null,
  heldBecause: sender.heldBecause ?? null,
  mailId: sender.mailId ?? null,
  inReplyTo: sender.inReplyTo ?? null,
})

async function takePart(
  { db }: Ctx,
  { id: ticketId }: TicketRow,
  { requester, participants = [] }: NewTicket,
  { userId: addedBy }: Sender,
): Promise<void> {
  const others = [...new Set(participants)].filter((email) => email !== requester.email)
  const known = await findUserIds(db, others)
  await insertParticipants(db, [
    ...requesterIn(ticketId, requester, addedBy),
    ...others.map((email) => ({
      ...{ id: randomUUIDv7(), ticketId, role: 'copy' as const, addedBy },
      ...{ email, userId: known.get(email) ?? null },
    })),
  ])
}

/** A requester without an address is no participant: nothing could reach them. */
const requesterIn = (
  ticketId: string,
  { id: userId, email }: NewTicket['requester'],
  addedBy: string | null,
) =>
  email === ''
    ? []
    : [{ id: randomUUIDv7(), ticketId, role: 'requester' as const, addedBy, email, userId }]

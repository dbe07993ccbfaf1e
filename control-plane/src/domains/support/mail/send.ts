import { panelPath } from '@lodge/shared/panel-paths.ts'
import { ticketNumber } from '@lodge/shared/support/ticket-words.ts'
import type { Ctx } from '../../../context.ts'
import { readerOf } from '../../../moment-text.ts'
import { queueMail } from '../../email/index.ts'
import { readSettings } from '../../settings/index.ts'
import { REPLY_ABOVE } from '../inbound/cut-quote.ts'
import { replyKey } from '../inbound/find-ticket.ts'
import { replyAddress } from '../inbound/reply-address.ts'
import { inboundArea } from '../inbound/settings.ts'
import type { TicketChange } from '../tickets/events.ts'
import type { ParticipantRow, TicketRow } from '../tickets/tables.ts'
import { listParticipants } from '../tickets/thread-store.ts'
import { ticketCreated, ticketRating, ticketReminder, ticketReply, ticketSolved } from './mails.ts'
import { findMessage, isSenderProven, mailsOfTicket, nameMail } from './store.ts'

/**
 * How many ids References contains: the first, at which threads begin, and the newest (RFC 5322,
 * 3.6.4).
 */
const MOST_REFERENCES = 20

/**
 * Mails what the support writes to the participants, with reply addresses that lead back to the
 * ticket.
 */
export async function mailTicket(ctx: Ctx, change: TicketChange): Promise<void> {
  const { kind, by, after: ticket, messageId } = change
  if (ticket.spam) return
  const nudge = NUDGES[kind]
  if (nudge) return remind(ctx, ticket, nudge)
  if (messageId === null) {
    if (await isSolvedFor(ctx, change)) await remind(ctx, ticket, ticketSolved)
    return
  }
  const isByRule = by.kind === 'rule' && kind === 'agent_reply'
  const isAnswer =
    isByRule || (by.kind === 'agent' && (kind === 'agent_reply' || kind === 'created'))
  if (!isAnswer && (kind !== 'created' || by.kind !== 'customer')) return
  const message = await findMessage(ctx.db, messageId)
  if (message?.kind !== 'reply' || message.held) return
  // Automatic messages go to proven addresses only.
  if (isByRule && !(await isSenderProven(ctx.db, ticket))) return
  const people = await listParticipants(ctx.db, ticket.id)
  if (isAnswer) {
    const mailId = `<${messageId}@${new URL(ctx.panelUrl).hostname}>`
    const thread = await threadOf(ctx, ticket.id)
    await nameMail(ctx.db, messageId, mailId)
    for (const person of people)
      await send(ctx, ticket, person, { ...thread, mailId, message: message.body, isByRule })
    return
  }
  // Acknowledging a mail from an unproven address might write to a stranger.
  if (message.unverifiedSender) return
  const thread = await threadOf(ctx, ticket.id)
  const requester = people.find(({ role }) => role === 'requester')
  if (requester) await send(ctx, ticket, requester, thread)
}

/** Whether the requester is mailed that their ticket is solved: not if they solved it themselves. */
async function isSolvedFor({ db }: Ctx, { kind, by, before, after }: TicketChange) {
  const isNew = after.status === 'solved' && before !== null && before.status !== 'solved'
  if (!isNew || before.status === 'closed' || by.kind === 'customer' || kind === 'merged')
    return false
  // Nor if the requester is unproven: many reports of strangers are solved at once.
  return isSenderProven(db, after)
}

const NUDGES: { readonly [K in TicketChange['kind']]?: Nudge } = {
  reminded: ticketReminder,
  rating_asked: ticketRating,
}
type Nudge = typeof ticketReminder | typeof ticketRating | typeof ticketSolved

/** Mails the requester about the state of their ticket. */
async function remind(ctx: Ctx, ticket: TicketRow, nudge: Nudge): Promise<void> {
  const people = await listParticipants(ctx.db, ticket.id)
  const requester = people.find(({ role }) => role === 'requester')
  if (requester) await send(ctx, ticket, requester, { ...(await threadOf(ctx, ticket.id)), nudge })
}

interface Sent {
  readonly references: readonly string[]
  readonly mailId?: string
  readonly message?: string
  readonly nudge?: Nudge
  /** Marks the mail as automatic, so that other machines do not answer it. */
  readonly isByRule?: boolean
}

async function threadOf({ db }: Ctx, ticketId: string): Promise<Sent> {
  const all = await mailsOfTicket(db, ticketId)
  return { references: [...all.slice(0, 1), ...all.slice(1).slice(1 - MOST_REFERENCES)] }
}

async function send(
  ctx: Ctx,
  ticket: TicketRow,
  { id: participantId, email: to, userId, replyEpoch: epoch }: ParticipantRow,
  { references, mailId, message, nudge, isByRule }: Sent,
): Promise<void> {
  const { enabled, address } = await readSettings(ctx.db, inboundArea)
  const takesMail = enabled && address !== null
  const path = { ticketId: ticket.id, participantId, epoch }
  const variables = {
    subject: ticket.subject.replace(/^re:\s*/i, ''),
    number: ticketNumber(ticket.number),
    url: userId === null ? '' : `${ctx.panelUrl}${panelPath('ticket', { id: ticket.id })}`,
    above: takesMail ? REPLY_ABOVE : '',
  }
  const given = {
    ...{ to, userId },
    // The agent's browser says nothing about the language of somebody who wrote by mail.
    ...(userId === null && ctx.actor.kind === 'user' && { reader: readerOf(undefined) }),
    conversation: {
      messageId: mailId ?? null,
      replyTo: takesMail
        ? replyAddress({ address, key: replyKey(ctx.vault) }, ticket.number, path)
        : null,
      references: [...references],
      isAnswer: message !== undefined && !isByRule,
    },
  }
  if (message === undefined) await queueMail(ctx, nudge ?? ticketCreated, { ...given, variables })
  else await queueMail(ctx, ticketReply, { ...given, variables: { ...variables, message } })
}

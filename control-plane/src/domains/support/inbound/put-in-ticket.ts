import { randomUUIDv7 } from 'node:crypto'
import type { HeldReason } from '@lodge/shared/support/sender-check.ts'
import type { Ctx } from '../../../context.ts'
import { plainText } from '../../../markdown.ts'
import { findUserIds } from '../tickets/address-store.ts'
import { changeTicket } from '../tickets/change.ts'
import { createTicket, writtenBy } from '../tickets/create.ts'
import { momentOf } from '../tickets/moment.ts'
import { addMessage } from '../tickets/say.ts'
import type { Sender } from '../tickets/sender.ts'
import { lastOf, lockTicket } from '../tickets/store.ts'
import type { TicketRow } from '../tickets/tables.ts'
import { insertMessage } from '../tickets/thread-store.ts'
import { cutQuote } from './cut-quote.ts'
import type { FoundTicket } from './find-ticket.ts'
import { LONGEST_SUBJECT, LONGEST_TEXT, type Mail, oneLine } from './mail.ts'

/** A mail written by a person. */
export interface Written {
  readonly mail: Mail
  readonly sender: Sender
  /** The note about files that were left out. */
  readonly note: string
  /** Why it is held; null if it is not. */
  readonly because: HeldReason | null
}

/** Where a mail ended up. */
export interface Put {
  readonly ticketId: string
  readonly messageId: string
}

const SYSTEM = { kind: 'system', id: null } as const

/** Adds a mail to the ticket that it answers; if that is over, to a new one. */
export async function addToTicket(ctx: Ctx, found: FoundTicket, written: Written): Promise<Put> {
  const ticket = await lockLast(ctx, found.ticket)
  if (written.because !== null) return hold(ctx, ticket, written)
  const body = bodyOf(cutQuote(written.mail.text), written.note)
  const said = await addMessage(ctx, ticket, written.sender, { kind: 'reply', body })
  return { ticketId: said.ticket.id, messageId: said.messageId }
}

/** Locks the ticket in which the conversation goes on: an agent may have merged it just now. */
async function lockLast({ db }: Ctx, given: TicketRow): Promise<TicketRow> {
  const locked = (await lockTicket(db, given.id)) ?? given
  const last = await lastOf(db, locked)
  return last.id === locked.id ? locked : ((await lockTicket(db, last.id)) ?? locked)
}

/** Holds it for an agent; nobody else sees it, and it has no effects. */
async function hold(ctx: Ctx, ticket: TicketRow, written: Written): Promise<Put> {
  const messageId = randomUUIDv7()
  const body = bodyOf(cutQuote(written.mail.text), written.note)
  await insertMessage(ctx.db, {
    ...{ id: messageId, ticketId: ticket.id, kind: 'reply', authorKind: 'customer' },
    ...writtenBy(written.sender),
    ...{ body, plain: plainText(body), createdAt: momentOf(ctx, ticket) },
  })
  const also = { heldMail: written.mail.from, because: written.because }
  await changeTicket(ctx, ticket, {}, { kind: 'updated', by: SYSTEM, messageId, also })
  return { ticketId: ticket.id, messageId }
}

/** Opens a ticket for a mail that answers none. */
export async function openFromMail(ctx: Ctx, written: Written): Promise<Put> {
  const { mail, sender, note, because } = written
  const { ticket, messageId } = await createTicket(ctx, sender, {
    subject: oneLine(mail.subject, LONGEST_SUBJECT) || '(no subject)',
    body: bodyOf(mail.text, note),
    requester: { id: sender.userId, email: mail.from },
    source: 'email',
    // Without a ticket, a mail is held only if it is forged.
    spam: because !== null,
  })
  return { ticketId: ticket.id, messageId }
}

/** Notifies agents that a mail of the ticket bounced. */
export async function tellBounce(ctx: Ctx, { id }: TicketRow, mail: Mail): Promise<void> {
  const ticket = await lockTicket(ctx.db, id)
  if (!ticket) return
  const also = { mailBounced: oneLine(mail.subject, LONGEST_SUBJECT) }
  await changeTicket(ctx, ticket, {}, { kind: 'updated', by: SYSTEM, also })
}

/**
 * A sender who is proven to be a participant or to have an account is identified by that account; an
 * unproven one only by their address.
 */
export async function senderOf(
  ctx: Ctx,
  found: FoundTicket | undefined,
  { mail, because }: Pick<Written, 'mail' | 'because'>,
): Promise<Sender> {
  const participant = found?.participant
  const isAnswer = found?.by === 'token' && participant !== undefined
  const isProven = because === null && (mail.sender?.verified === true || isAnswer)
  const known = found || !isProven ? undefined : await findUserIds(ctx.db, [mail.from])
  const account = found ? participant?.userId : known?.get(mail.from)
  return {
    ...{ kind: 'customer', userId: isProven ? (account ?? null) : null, email: mail.from },
    ...{ channel: 'email', unverified: !isProven, heldBecause: because },
    check: mail.sender && { ...mail.sender, ...(mail.fromName !== '' && { name: mail.fromName }) },
    mailId: mail.messageId,
    ...(mail.answers[0] !== undefined && { inReplyTo: mail.answers[0] }),
  }
}

/** The text as Markdown that keeps the line breaks of the mail. */
function bodyOf(text: string, note: string): string {
  const lines = text.trim().replaceAll(/([^\n])\n(?!\n|$)/g, '$1  \n')
  return `${lines.slice(0, LONGEST_TEXT - 3000) || '(no text)'}${note}`
}

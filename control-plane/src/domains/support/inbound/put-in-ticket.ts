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
import { lockTicket } from '../tickets/store.ts'
import type { TicketRow } from '../tickets/tables.ts'
import { insertMessage } from '../tickets/thread-store.ts'
import { cutQuote } from './cut-quote.ts'
import type { FoundTicket } from './find-ticket.ts'
import { LONGEST_SUBJECT, LONGEST_TEXT, type Mail, oneLine } from './mail.ts'

/** A mail that somebody wrote. */
export interface Written {
  readonly mail: Mail
  readonly sender: Sender
  /** What is said of files that did not come with it. */
  readonly note: string
  /** Why it is held; null if it is not. */
  readonly because: HeldReason | null
}

/** Where a mail went. */
export interface Put {
  readonly ticketId: string
  readonly messageId: string
}

const SYSTEM = { kind: 'system', id: null } as const

/** Adds what a mail says to the ticket that it answers; after its end, to another one. */
export async function addToTicket(ctx: Ctx, found: FoundTicket, written: Written): Promise<Put> {
  const ticket = (await lockTicket(ctx.db, found.ticket.id)) ?? found.ticket
  if (written.because !== null) return hold(ctx, ticket, written)
  const body = bodyOf(cutQuote(written.mail.text), written.note)
  const said = await addMessage(ctx, ticket, written.sender, { kind: 'reply', body })
  return { ticketId: said.ticket.id, messageId: said.messageId }
}

/** Keeps it for an agent to look at; nobody else sees it, and nothing follows from it. */
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

/** Opens a ticket for a mail that answers nothing. */
export async function openFromMail(ctx: Ctx, written: Written): Promise<Put> {
  const { mail, sender, note, because } = written
  const { ticket, messageId } = await createTicket(ctx, sender, {
    subject: oneLine(mail.subject, LONGEST_SUBJECT) || '(no subject)',
    body: bodyOf(mail.text, note),
    requester: { id: sender.userId, email: mail.from },
    source: 'email',
    // Only a forged mail is held before there is a ticket.
    spam: because !== null,
  })
  return { ticketId: ticket.id, messageId }
}

/** Tells the agents that a mail of the ticket did not arrive. */
export async function tellBounce(ctx: Ctx, { id }: TicketRow, mail: Mail): Promise<void> {
  const ticket = await lockTicket(ctx.db, id)
  if (!ticket) return
  const also = { mailBounced: oneLine(mail.subject, LONGEST_SUBJECT) }
  await changeTicket(ctx, ticket, {}, { kind: 'updated', by: SYSTEM, also })
}

/**
 * Whoever is proven to take part, or to have an account, is known by that account; whoever is not, by
 * nothing but their address.
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
    ...{ channel: 'email', unverified: !isProven, heldBecause: because, check: mail.sender },
    mailId: mail.messageId,
    ...(mail.answers[0] !== undefined && { inReplyTo: mail.answers[0] }),
  }
}

/** The text as Markdown, in which every line of the mail stays a line. */
function bodyOf(text: string, note: string): string {
  const lines = text.trim().replaceAll(/([^\n])\n(?!\n|$)/g, '$1  \n')
  return `${lines.slice(0, LONGEST_TEXT - 3000) || '(no text)'}${note}`
}

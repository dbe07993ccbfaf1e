import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import {
  MAX_ADDITIONS,
  type ReportAddition,
  type ReportStatus,
  type ReportStatusName,
} from '@lodge/shared/support/abuse.ts'
import type { TicketStatus } from '@lodge/shared/support/ticket-words.ts'
import type { Ctx } from '../../../context.ts'
import type { Issued } from '../../../events/mails.ts'
import { plainText } from '../../../markdown.ts'
import { Problem } from '../../../problem.ts'
import { addMessage } from '../tickets/say.ts'
import { findTicket, lastOf, lockTicket } from '../tickets/store.ts'
import type { TicketRow } from '../tickets/tables.ts'
import { findLink, insertLink, listAnswers, lockLink, noteAddition } from './link-store.ts'
import type { ReportLinkRow } from './tables.ts'

/** How many days a link works, counted from the report. */
export const LINK_DAYS = 180

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Creates the link with which a reporter follows the report, in the caller's transaction: 256 random
 * bits behind `#`, which browsers never send.
 */
export async function issueReportLink(
  { db, now }: Ctx,
  ticketId: string,
  reference: string,
): Promise<Issued> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + LINK_DAYS * 86_400_000)
  await insertLink(db, {
    ...{ id: randomUUIDv7(), tokenHash: hashOf(token), reference, ticketId },
    ...{ createdAt: now, expiresAt },
  })
  return { token, expiresAt }
}

/** @throws {Problem} invalid_token */
export async function statusOfReport(ctx: Ctx, token: string): Promise<ReportStatus> {
  const link = await findLink(ctx.db, hashOf(token), ctx.now)
  return link ? statusOf(ctx, link) : refuse()
}

/**
 * Adds what a reporter found out later, as a reply in the report's ticket.
 * @throws {Problem} invalid_token, invalid_state
 */
export const addToReport = (ctx: Ctx, { token, text }: ReportAddition): Promise<ReportStatus> =>
  ctx.transaction(async (ctx) => {
    const link = await lockLink(ctx.db, hashOf(token), ctx.now)
    const given = link && (await ticketOf(ctx, link))
    const ticket = given && (await lockTicket(ctx.db, given.id))
    if (!link || !ticket) return refuse()
    if (link.additions >= MAX_ADDITIONS)
      throw new Problem(
        'invalid_state',
        `A report takes ${MAX_ADDITIONS} additions: send another report and name the reference ${link.reference}`,
      )
    const email = ticket.requesterEmail
    const { ticket: after } = await addMessage(
      ctx,
      ticket,
      {
        ...{ kind: 'customer', userId: null, channel: 'abuse', unverified: true },
        ...(email !== '' && { email }),
      },
      { kind: 'reply', body: text },
    )
    const laterTicketId = after.id === ticket.id ? link.laterTicketId : after.id
    await noteAddition(ctx.db, link, laterTicketId)
    return statusOf(ctx, { ...link, laterTicketId, additions: link.additions + 1 })
  })

async function statusOf(ctx: Ctx, link: ReportLinkRow): Promise<ReportStatus> {
  const ticket = await ticketOf(ctx, link)
  if (!ticket) return refuse()
  const { ticketId, laterTicketId, reference, additions } = link
  const own = laterTicketId === null ? [ticketId] : [ticketId, laterTicketId]
  const answers = await listAnswers(ctx.db, own)
  return {
    ...{ reference, additions, status: STATUSES[ticket.status] },
    since: ticket.statusSince.toISOString(),
    receivedAt: link.createdAt.toISOString(),
    expiresAt: link.expiresAt.toISOString(),
    answers: answers.map(({ at, body }) => ({ at: at.toISOString(), text: plainText(body) })),
  }
}

/** The ticket that the report is in now: another one if the first was closed or merged. */
async function ticketOf({ db }: Ctx, link: ReportLinkRow): Promise<TicketRow | undefined> {
  const ticket = await findTicket(db, link.laterTicketId ?? link.ticketId)
  return ticket && lastOf(db, ticket)
}

const STATUSES: Readonly<Record<TicketStatus, ReportStatusName>> = {
  new: 'received',
  open: 'in_progress',
  pending: 'in_progress',
  on_hold: 'in_progress',
  solved: 'closed',
  closed: 'closed',
}

/** The refusal is the same for unknown and expired links. */
function refuse(): never {
  throw new Problem(
    'invalid_token',
    'This link does not lead to a report any more: send another report and name the reference of the first',
  )
}

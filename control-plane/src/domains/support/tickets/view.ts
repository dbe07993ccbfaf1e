import { ticketNumber } from '@lodge/shared/support/ticket-words.ts'
import type {
  TicketEvent,
  TicketSummary,
  TicketsQuery,
  TicketThread,
} from '@lodge/shared/support/tickets.ts'
import { z } from 'zod'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { cutPage, decodeCursor, invalidCursor } from '../../../db/cursor.ts'
import { notFound } from '../../../problem.ts'
import { readSettings } from '../../settings/index.ts'
import { deskSettings } from '../desk/settings.ts'
import { listTickets, movedAt } from './list-store.ts'
import { mayDo } from './may.ts'
import { messagesOf } from './messages.ts'
import { isStaff } from './reader.ts'
import { searchTickets } from './search-store.ts'
import { findSummary, type SummaryRow, summaryOf } from './summary-store.ts'
import * as store from './thread-store.ts'

const shown = (row: SummaryRow, actor: User): TicketSummary =>
  summaryOf(row, { id: actor.id, isStaff: isStaff(actor) }, ticketNumber(row.number))

/**
 * Tickets that the caller may see: the matches for a search, the best first, or the most recently
 * changed.
 */
export async function ticketsOf(
  ctx: Ctx<User>,
  query: TicketsQuery,
): Promise<{ items: TicketSummary[]; nextCursor: string | null }> {
  const { actor } = ctx
  if (query.q !== '') {
    const found = await ctx.transaction(({ db }) => searchTickets(db, actor, query))
    return { items: found.map((row) => shown(row, actor)), nextCursor: null }
  }
  const after = decodeCursor(query.after)
  if (after && !z.iso.datetime().safeParse(after[0]).success) throw invalidCursor()
  const rows = await listTickets(ctx.db, actor, query, after)
  const page = cutPage(rows, query.limit, (row) => [row[movedAt(actor)].toISOString(), row.id])
  return { ...page, items: page.items.map((row) => shown(row, actor)) }
}

/** A ticket with its thread, as the caller sees it. */
export async function threadOf(ctx: Ctx<User>, id: string): Promise<TicketThread> {
  const { db, actor, now } = ctx
  const row = await findSummary(db, actor, id)
  if (!row) throw notFound('ticket')
  const staff = isStaff(actor)
  const participants = await store.listParticipants(db, id)
  return {
    ...shown(row, actor),
    ...(await store.namesOf(db, row)),
    answers: row.answers,
    participants: participants
      .filter(({ role }) => role === 'copy')
      .map((one) => ({ id: one.id, email: one.email })),
    messages: await messagesOf(db, id, staff),
    events: staff ? (await store.listEvents(db, id)).map(eventOf) : null,
    ratingComment: row.ratingComment,
    may: mayDo(actor, row, await readSettings(db, deskSettings), now),
  }
}

const eventOf = (row: Awaited<ReturnType<typeof store.listEvents>>[number]): TicketEvent => ({
  id: row.id,
  at: row.at.toISOString(),
  kind: row.kind,
  actor: { kind: row.actorKind, name: row.actorName ?? row.name ?? row.email },
  change: row.change,
})

import type { TicketsQuery } from '@lodge/shared/support/tickets.ts'
import { and, desc, eq, inArray, isNull, notInArray, type SQL, sql } from 'drizzle-orm'
import type { User } from '../../../actor.ts'
import type { Position } from '../../../db/cursor.ts'
import type { Db } from '../../../db/database.ts'
import { isStaff } from './reader.ts'
import { type SummaryRow, summaries } from './summary-store.ts'
import {
  supportMessages,
  supportParticipants,
  supportTicketTags,
  supportTickets as ticket,
} from './tables.ts'

/** The sort key of lists: notes do not move a ticket in its customer's list. */
export const movedAt = (actor: User) => (isStaff(actor) ? 'touchedAt' : 'updatedAt')

/** Matching tickets, the most recently changed first. */
export function listTickets(
  db: Db,
  actor: User,
  query: TicketsQuery,
  after: Position | undefined,
): Promise<SummaryRow[]> {
  const moved = ticket[movedAt(actor)]
  return summaries(db, actor)
    .where(
      and(
        matching(actor, query),
        after && sql`(${moved}, ${ticket.id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`,
      ),
    )
    .orderBy(desc(moved), desc(ticket.id))
    .limit(query.limit + 1)
}

/** The part of the query that the caller may see. */
export function matching(actor: User, query: TicketsQuery): SQL | undefined {
  return and(
    isStaff(actor) ? undefined : ofPerson(actor),
    isStaff(actor) ? inView(actor, query.view) : undefined,
    query.status && eq(ticket.status, query.status),
    query.priority && eq(ticket.priority, query.priority),
    query.categoryId === undefined ? undefined : eq(ticket.categoryId, query.categoryId),
    query.serverId === undefined ? undefined : eq(ticket.serverId, query.serverId),
    isStaff(actor) ? ofDesk(query) : undefined,
  )
}

/** Filters that customers may not use: the result would reveal internal data. */
const ofDesk = ({ groupId, assigneeId, requesterId, tag }: TicketsQuery) =>
  and(
    groupId === undefined ? undefined : eq(ticket.groupId, groupId),
    assigneeId === undefined ? undefined : eq(ticket.assigneeId, assigneeId),
    requesterId === undefined ? undefined : eq(ticket.requesterId, requesterId),
    tag === undefined
      ? undefined
      : sql`${ticket.id} in (select ticket_id from ${supportTicketTags} where tag = ${tag})`,
  )

/** A union of ids, so that each part uses its index. */
function ofPerson({ id, email, suspended }: User): SQL {
  if (suspended) return eq(ticket.requesterId, id)
  return sql`${ticket.id} in (
    select own.id from ${ticket} own where own.requester_id = ${id}
    union select ticket_id from ${supportParticipants} where user_id = ${id}
    union select ticket_id from ${supportParticipants} where user_id is null and email = ${email})`
}

function inView({ id }: User, view: TicketsQuery['view']): SQL | undefined {
  if (view === undefined || view === 'all') return undefined
  if (view === 'spam') return eq(ticket.spam, true)
  if (view === 'held')
    return sql`${ticket.id} in (select ticket_id from ${supportMessages} where held)`
  const unsolved = notInArray(ticket.status, ['solved', 'closed'])
  const ham = eq(ticket.spam, false)
  if (view === 'mine') return and(ham, unsolved, eq(ticket.assigneeId, id))
  if (view === 'unassigned') return and(ham, unsolved, isNull(ticket.assigneeId))
  if (view === 'waiting') return and(ham, inArray(ticket.status, ['new', 'open']))
  if (view === 'solved') return and(ham, inArray(ticket.status, ['solved', 'closed']))
  return and(ham, unsolved)
}

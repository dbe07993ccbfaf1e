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
import { LANGUAGE } from './thread-store.ts'

/** By what lists are ordered: notes do not move a ticket in the list of its customer. */
export const movedAt = (actor: User) => (isStaff(actor) ? 'touchedAt' : 'updatedAt')

/** Tickets that match, those that changed last first. */
export function listTickets(
  db: Db,
  actor: User,
  query: TicketsQuery,
  after: Position | undefined,
): Promise<SummaryRow[]> {
  const moved = ticket[movedAt(actor)]
  return summaries(db)
    .where(
      and(
        matching(actor, query),
        after && sql`(${moved}, ${ticket.id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`,
      ),
    )
    .orderBy(desc(moved), desc(ticket.id))
    .limit(query.limit + 1)
}

/** Of words that are everywhere, the newest messages and tickets are ranked. */
const MOST_RANKED = 200
/** Comparing subjects letter by letter takes long. */
const MOST_ALIKE = 50
/** For one search: how alike a subject with a misspelt word is; compiling takes longer than searching. */
const SEARCHING = sql`select set_config('pg_trgm.word_similarity_threshold', '0.4', true),
  set_config('jit', 'off', true)`

/**
 * Tickets in which the words occur, the best first. Notes are searched for the staff alone.
 * @param db of a transaction that does nothing else
 */
export async function searchTickets(
  db: Db,
  actor: User,
  query: TicketsQuery,
): Promise<SummaryRow[]> {
  await db.execute(SEARCHING)
  return summaries(db)
    .innerJoin(foundBy(actor, query), sql`found.id = ${ticket.id}`)
    .orderBy(desc(sql`found.score`), desc(ticket.id))
}

/** Each part is found by its index, among what the caller may see and asks for. */
function foundBy(actor: User, query: TicketsQuery): SQL {
  const words = sql`websearch_to_tsquery(${LANGUAGE}, ${query.q})`
  const seen = isStaff(actor) ? sql`` : sql` and message.kind <> 'note' and not message.held`
  const asked = matching(actor, query)
  const among = asked ? sql` and ${asked}` : sql``
  const of = asked ? sql` join ${ticket} on ${ticket.id} = message.ticket_id` : sql``
  const number = Number(/^(?:t-)?0*(\d{1,9})$/i.exec(query.q)?.[1] ?? 0)
  return sql`(select id, sum(score) as score from (
      select id, max(rank) as score from (
        select message.ticket_id as id, ts_rank(message.words, ${words}) as rank
        from ${supportMessages} message${of} where message.words @@ ${words}${seen}${among}
        order by message.id desc limit ${MOST_RANKED}) said group by id
      union all (select ${ticket.id}, 1 from ${ticket}
        where to_tsvector(${LANGUAGE}, ${ticket.subject}) @@ ${words}${among}
        order by ${ticket.id} desc limit ${MOST_RANKED})
      union all select id, word_similarity(${query.q}, subject) from (
        select ${ticket.id} as id, ${ticket.subject} as subject from ${ticket}
        where ${query.q} <% ${ticket.subject}${among} limit ${MOST_ALIKE}) near
      union all select ${ticket.id}, 2 from ${ticket} where ${ticket.number} = ${number}${among}
    ) part group by id order by score desc, id desc limit ${query.limit}) found`
}

function matching(actor: User, query: TicketsQuery): SQL | undefined {
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

/** What customers may not ask for: the answer would tell them what is of the staff alone. */
const ofDesk = ({ groupId, assigneeId, requesterId, tag }: TicketsQuery) =>
  and(
    groupId === undefined ? undefined : eq(ticket.groupId, groupId),
    assigneeId === undefined ? undefined : eq(ticket.assigneeId, assigneeId),
    requesterId === undefined ? undefined : eq(ticket.requesterId, requesterId),
    tag === undefined
      ? undefined
      : sql`${ticket.id} in (select ticket_id from ${supportTicketTags} where tag = ${tag})`,
  )

/** One list of ids, so that each part is found by its index. */
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

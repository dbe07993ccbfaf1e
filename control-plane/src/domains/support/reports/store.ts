import type { TicketStatus } from '@lodge/shared/support/ticket-words.ts'
import { and, eq, gte, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { users } from '../../customers/tables.ts'
import { supportCategories, supportGroups } from '../categories/tables.ts'
import {
  supportMessages,
  supportRatings,
  supportTicketEvents,
  supportTickets as ticket,
} from '../tickets/tables.ts'
import { supportTiers } from '../tiers/tables.ts'

const OPEN = ['new', 'open', 'pending', 'on_hold'] as const

/** A change of status. */
interface Move {
  readonly atMs: number
  readonly from: TicketStatus
  readonly to: TicketStatus
}

/** A moment of the database as JSON. */
const msOf = (at: unknown) => sql`round(extract(epoch from ${at}) * 1000)::float8`

/**
 * The data that reports need of at most `most` tickets: those touched since then, and open ones.
 * Every event touches a ticket, except that goals of open ones are missed.
 */
export const listFacts = (db: Db, since: Date, most: number) =>
  db
    .select({
      ...{ status: ticket.status, createdAt: ticket.createdAt, solvedAt: ticket.solvedAt },
      ...{ agent: ticket.assigneeId, group: ticket.groupId, category: ticket.categoryId },
      ...{ priority: ticket.priority, source: ticket.source, tier: ticket.tierId },
      ...{ firstTargetAt: ticket.firstTargetAt, firstBreachedAt: ticket.firstBreachedAt },
      ...{ nextTargetAt: ticket.nextTargetAt, nextMetAt: ticket.nextMetAt },
      ...{ nextBreachedAt: ticket.nextBreachedAt, firstMetAt: ticket.firstMetAt },
      ...{ resolutionMetAt: ticket.resolutionMetAt },
      ...{ resolutionBreachedAt: ticket.resolutionBreachedAt, askedAt: ticket.ratingAskedAt },
      ...{ score: supportRatings.score, ratedAt: supportRatings.createdAt },
      replies: sql<number>`(select count(*)::int from ${supportMessages} written
        where written.ticket_id = ${ticket.id} and written.kind = 'reply'
          and written.author_kind = 'agent' and not written.held)`,
      moves: sql<Move[]>`(select coalesce(json_agg(json_build_object(
            'atMs', ${msOf(sql`happened.at`)}, 'from', happened.change->'status'->>'from',
            'to', happened.change->'status'->>'to') order by happened.at, happened.id), '[]')
        from ${supportTicketEvents} happened
        where happened.ticket_id = ${ticket.id} and happened.at >= ${since.toISOString()}
          and happened.change ? 'status')`,
    })
    .from(ticket)
    .leftJoin(supportRatings, eq(supportRatings.ticketId, ticket.id))
    .where(
      and(
        eq(ticket.spam, false),
        isNull(ticket.mergedInto),
        or(gte(ticket.touchedAt, since), inArray(ticket.status, [...OPEN])),
      ),
    )
    .limit(most)

/** The data that reports need of a ticket. */
export type TicketFacts = Awaited<ReturnType<typeof listFacts>>[number]

/** The names of these agents, and of all groups, categories and tiers, by id. */
export async function namesOf(
  db: Db,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const agents = await db
    .select({ id: users.id, name: sql<string>`coalesce(${users.name}, ${users.email})` })
    .from(users)
    .where(inArray(users.id, [...agentIds]))
  const groups = await db
    .select({ id: supportGroups.id, name: supportGroups.name })
    .from(supportGroups)
  const categories = await db
    .select({ id: supportCategories.id, name: supportCategories.name })
    .from(supportCategories)
  const tiers = await db.select({ id: supportTiers.id, name: supportTiers.name }).from(supportTiers)
  return new Map([...agents, ...groups, ...categories, ...tiers].map(({ id, name }) => [id, name]))
}

import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { subscriptions } from '../../plans/tables.ts'
import { servers } from '../../servers/tables.ts'
import {
  supportMessages,
  supportRatings,
  supportTickets,
  supportTicketTags,
} from '../tickets/tables.ts'

/** Values for conditions that are not columns of the ticket. */
export async function besideTicket(
  db: Db,
  ticketId: string,
): Promise<{
  planId: string | null
  templateId: string | null
  rating: number | null
  tags: string[]
}> {
  const [row] = await db
    .select({
      planId: subscriptions.planId,
      templateId: servers.templateId,
      rating: supportRatings.score,
      tags: sql<string[]>`array(select tag from ${supportTicketTags} tagged
        where tagged.ticket_id = ${supportTickets.id} order by tag)`,
    })
    .from(supportTickets)
    .leftJoin(subscriptions, eq(subscriptions.id, supportTickets.subscriptionId))
    .leftJoin(servers, eq(servers.id, supportTickets.serverId))
    .leftJoin(supportRatings, eq(supportRatings.ticketId, supportTickets.id))
    .where(eq(supportTickets.id, ticketId))
  return row ?? { planId: null, templateId: null, rating: null, tags: [] }
}

/** The text of a message; without one, of the customer's latest message that is not held. */
export async function textOf(db: Db, ticketId: string, messageId: string | null): Promise<string> {
  const [row] = await db
    .select({ body: supportMessages.body })
    .from(supportMessages)
    .where(
      and(
        eq(supportMessages.ticketId, ticketId),
        eq(supportMessages.held, false),
        messageId === null
          ? eq(supportMessages.authorKind, 'customer')
          : eq(supportMessages.id, messageId),
      ),
    )
    .orderBy(desc(supportMessages.id))
    .limit(1)
  return row?.body ?? ''
}

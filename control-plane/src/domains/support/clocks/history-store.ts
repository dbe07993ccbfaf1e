import type { TicketStatus } from '@lodge/shared/support/ticket-words.ts'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportMessages, supportTicketEvents } from '../tickets/tables.ts'

/** When people wrote public messages in a ticket; automatic ones are no answers. */
export const listAnswers = (db: Db, ticketId: string): Promise<{ at: Date; byAgent: boolean }[]> =>
  db
    .select({
      at: supportMessages.createdAt,
      byAgent: sql<boolean>`${supportMessages.authorKind} = 'agent'`,
    })
    .from(supportMessages)
    .where(
      and(
        eq(supportMessages.ticketId, ticketId),
        eq(supportMessages.kind, 'reply'),
        inArray(supportMessages.authorKind, ['agent', 'customer']),
        eq(supportMessages.held, false),
      ),
    )
    .orderBy(asc(supportMessages.createdAt), asc(supportMessages.id))

/** A change of status or of the snooze. */
export interface Move {
  readonly at: Date
  readonly change: {
    readonly status?: { readonly to: TicketStatus }
    readonly snoozedUntil?: { readonly to: string | null }
  }
}

export async function listMoves(db: Db, ticketId: string): Promise<Move[]> {
  const rows = await db
    .select({ at: supportTicketEvents.at, change: supportTicketEvents.change })
    .from(supportTicketEvents)
    .where(
      and(
        eq(supportTicketEvents.ticketId, ticketId),
        sql`${supportTicketEvents.change} ?| array['status', 'snoozedUntil']`,
      ),
    )
    .orderBy(asc(supportTicketEvents.at), asc(supportTicketEvents.id))
  return rows as Move[]
}

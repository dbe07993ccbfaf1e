import { and, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { users } from '../../customers/tables.ts'
import { supportParticipants, supportTickets } from './tables.ts'

/** The accounts that take part in tickets, by ticket. */
export async function listPeople(
  db: Db,
  ticketIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const requesters = await db
    .select({ ticketId: supportTickets.id, userId: supportTickets.requesterId })
    .from(supportTickets)
    .where(and(inArray(supportTickets.id, [...ticketIds]), isNotNull(supportTickets.requesterId)))
  const others = await db
    .select({ ticketId: supportParticipants.ticketId, userId: users.id })
    .from(supportParticipants)
    .innerJoin(
      users,
      or(
        eq(users.id, supportParticipants.userId),
        and(isNull(supportParticipants.userId), eq(users.email, supportParticipants.email)),
      ),
    )
    .where(and(inArray(supportParticipants.ticketId, [...ticketIds]), eq(users.state, 'active')))
  const all = Map.groupBy([...requesters, ...others], ({ ticketId }) => ticketId)
  return new Map(
    [...all].map(([id, rows]) => [id, [...new Set(rows.flatMap(({ userId }) => userId ?? []))]]),
  )
}

import { and, asc, count, desc, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { type GroupRow, supportGroupMembers, supportGroups } from '../categories/tables.ts'
import { supportTickets } from '../tickets/tables.ts'

const OPEN = ['new', 'open', 'pending', 'on_hold'] as const

/** Locks a group until the transaction ends, to serialize assignments. */
export async function lockGroup(db: Db, id: string): Promise<GroupRow | undefined> {
  const [row] = await db
    .select()
    .from(supportGroups)
    .where(eq(supportGroups.id, id))
    .for('no key update')
  return row
}

/**
 * The members of a group with their number of tickets, the one longest without a new ticket first.
 */
export function membersInTurn(db: Db, groupId: string): Promise<{ id: string; open: number }[]> {
  const theirs = db
    .select({ open: count().as('open') })
    .from(supportTickets)
    .where(
      and(
        eq(supportTickets.assigneeId, supportGroupMembers.userId),
        inArray(supportTickets.status, [...OPEN]),
      ),
    )
  return db
    .select({ id: supportGroupMembers.userId, open: sql<number>`(${theirs})` })
    .from(supportGroupMembers)
    .where(eq(supportGroupMembers.groupId, groupId))
    .orderBy(
      sql`${supportGroupMembers.lastGivenAt} asc nulls first`,
      asc(supportGroupMembers.userId),
    )
}

export async function noteTurn(db: Db, groupId: string, userId: string, at: Date): Promise<void> {
  await db
    .update(supportGroupMembers)
    .set({ lastGivenAt: at })
    .where(and(eq(supportGroupMembers.groupId, groupId), eq(supportGroupMembers.userId, userId)))
}

/** The agent of a requester's newest other ticket. */
export async function lastAgentOf(
  db: Db,
  requesterId: string,
  beside: string,
): Promise<string | null> {
  const [row] = await db
    .select({ agentId: supportTickets.assigneeId })
    .from(supportTickets)
    .where(
      and(
        eq(supportTickets.requesterId, requesterId),
        ne(supportTickets.id, beside),
        isNotNull(supportTickets.assigneeId),
      ),
    )
    .orderBy(desc(supportTickets.updatedAt))
    .limit(1)
  return row?.agentId ?? null
}

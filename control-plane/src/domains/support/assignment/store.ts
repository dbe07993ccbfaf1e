import { and, asc, count, desc, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { type GroupRow, supportGroupMembers, supportGroups } from '../categories/tables.ts'
import { supportTickets } from '../tickets/tables.ts'

const OPEN = ['new', 'open', 'pending', 'on_hold'] as const

/** A group of which nobody else gives tickets to its members until the transaction ends. */
export async function lockGroup(db: Db, id: string): Promise<GroupRow | undefined> {
  const [row] = await db
    .select()
    .from(supportGroups)
    .where(eq(supportGroups.id, id))
    .for('no key update')
  return row
}

/** The members of a group, who got a ticket longest ago first, with how many they have. */
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

/** Who had the newest other ticket of a requester. */
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

import { eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportTickets } from '../tickets/tables.ts'
import { supportWatches } from './tables.ts'

const OPEN = ['new', 'open', 'pending', 'on_hold'] as const

/** Makes the goals of every open ticket due for recomputation. */
export async function recomputeAll(db: Db): Promise<void> {
  await db
    .insert(supportWatches)
    .select(
      db
        .select({
          ticketId: supportTickets.id,
          dueAt: sql<Date>`now()`.as('due_at'),
          idleSince: supportTickets.createdAt,
        })
        .from(supportTickets)
        .where(inArray(supportTickets.status, [...OPEN]))
        .orderBy(supportTickets.id),
    )
    .onConflictDoUpdate({ target: supportWatches.ticketId, set: { dueAt: sql`now()` } })
}

export async function saveWatch(db: Db, row: typeof supportWatches.$inferInsert): Promise<void> {
  const { ticketId: _, ...set } = row
  await db
    .insert(supportWatches)
    .values(row)
    .onConflictDoUpdate({ target: supportWatches.ticketId, set })
}

export async function endWatch(db: Db, ticketId: string): Promise<void> {
  await db.delete(supportWatches).where(eq(supportWatches.ticketId, ticketId))
}

export const ANY_DUE = 'select from support_watches where due_at <= now()'

/** Tickets that are due, the longest due first. */
export async function listDue(db: Db, most: number): Promise<string[]> {
  const rows = await db
    .select({ id: supportWatches.ticketId })
    .from(supportWatches)
    .where(sql`${supportWatches.dueAt} <= now()`)
    .orderBy(supportWatches.dueAt)
    .limit(most)
  return rows.map(({ id }) => id)
}

/** Whether a ticket is still due: another control plane may have handled it. */
export async function isDue(db: Db, ticketId: string): Promise<boolean> {
  const rows = await db
    .select({ due: sql<boolean>`coalesce(${supportWatches.dueAt} <= now(), false)` })
    .from(supportWatches)
    .where(eq(supportWatches.ticketId, ticketId))
  return rows[0]?.due ?? false
}

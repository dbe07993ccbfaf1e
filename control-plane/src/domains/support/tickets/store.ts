import { asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportTickets, type TicketRow } from './tables.ts'

export async function insertTicket(
  db: Db,
  row: typeof supportTickets.$inferInsert,
): Promise<TicketRow> {
  const [inserted] = await db.insert(supportTickets).values(row).returning()
  return inserted as TicketRow
}

export async function findTicket(db: Db, id: string): Promise<TicketRow | undefined> {
  const [row] = await db.select().from(supportTickets).where(eq(supportTickets.id, id))
  return row
}

/** How many merges are followed: far more than agents make of one conversation. */
const MOST_MERGES = 50

/** The ticket in which a merged one goes on: at the end of all merges. */
export async function lastOf(db: Db, ticket: TicketRow): Promise<TicketRow> {
  let last = ticket
  for (let step = 0; step < MOST_MERGES && last.mergedInto !== null; step++) {
    const next = await findTicket(db, last.mergedInto)
    if (!next) return last
    last = next
  }
  return last
}

/** Locks a ticket until the transaction ends. */
export async function lockTicket(db: Db, id: string): Promise<TicketRow | undefined> {
  const [row] = await db
    .select()
    .from(supportTickets)
    .where(eq(supportTickets.id, id))
    .for('no key update')
  return row
}

export async function updateTicket(
  db: Db,
  id: string,
  change: Partial<Omit<TicketRow, 'id' | 'number'>>,
): Promise<TicketRow> {
  const [row] = await db
    .update(supportTickets)
    .set(change)
    .where(eq(supportTickets.id, id))
    .returning()
  return row as TicketRow
}

/** Locks tickets until the transaction ends, in the order of their ids. */
export const lockTickets = (db: Db, ids: readonly string[]): Promise<TicketRow[]> =>
  db
    .select()
    .from(supportTickets)
    .where(inArray(supportTickets.id, [...ids]))
    .orderBy(asc(supportTickets.id))
    .for('no key update')

export async function deleteTicket(db: Db, id: string): Promise<void> {
  await db.delete(supportTickets).where(eq(supportTickets.id, id))
}

export async function idsOfRequester(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: supportTickets.id })
    .from(supportTickets)
    .where(eq(supportTickets.requesterId, userId))
  return rows.map(({ id }) => id)
}

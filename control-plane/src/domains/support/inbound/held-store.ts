import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportMessages } from '../tickets/tables.ts'

export interface HeldMail {
  readonly id: string
  readonly ticketId: string
  /** Its sender, for the audit record. */
  readonly name: string
}

const held = (id: string) => and(eq(supportMessages.id, id), eq(supportMessages.held, true))

export async function findHeld(db: Db, id: string): Promise<HeldMail | undefined> {
  const [row] = await db
    .select({ ticketId: supportMessages.ticketId, email: supportMessages.authorEmail })
    .from(supportMessages)
    .where(held(id))
  return row && { id, ticketId: row.ticketId, name: row.email ?? '' }
}

/** @returns false if somebody else has decided already */
export async function letIn(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .update(supportMessages)
    .set({ held: false })
    .where(held(id))
    .returning({ id: supportMessages.id })
  return rows.length > 0
}

/** @returns false if somebody else has decided already */
export async function deleteHeld(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .delete(supportMessages)
    .where(held(id))
    .returning({ id: supportMessages.id })
  return rows.length > 0
}

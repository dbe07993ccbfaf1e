import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { users } from '../../customers/tables.ts'
import { supportParticipants, supportTickets } from './tables.ts'

/** The accounts of addresses, by address. */
export async function findUserIds(
  db: Db,
  emails: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (emails.length === 0) return new Map()
  const rows = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(users.email, [...emails]))
  return new Map(rows.map(({ id, email }) => [email, id]))
}

/** Writes an account's new address into its tickets, and ends the reply addresses of the former one. */
export async function moveAddress(db: Db, userId: string, email: string): Promise<void> {
  const people = supportParticipants
  // Somebody who has been in copy under the new address as well takes part once from now on.
  await db.delete(people).where(
    sql`${people.id} in (select id from (
      select id, row_number() over (partition by ticket_id
        order by role = 'requester' desc, user_id = ${userId} desc nulls last, id) as place
      from ${people} where user_id = ${userId} or (email = ${email}
        and ticket_id in (select ticket_id from ${people} where user_id = ${userId}))
    ) ranked where place > 1)`,
  )
  await db
    .update(people)
    .set({ email, replyEpoch: sql`${people.replyEpoch} + 1` })
    .where(and(eq(people.userId, userId), ne(people.email, email)))
  await db
    .update(supportTickets)
    .set({ requesterEmail: email })
    .where(and(eq(supportTickets.requesterId, userId), ne(supportTickets.requesterEmail, email)))
}

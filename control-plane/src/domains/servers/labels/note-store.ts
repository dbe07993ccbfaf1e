import { THE_HOST } from '@lodge/shared/accounts.ts'
import type { ServerNotes } from '@lodge/shared/server-labels.ts'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { users } from '../../customers/tables.ts'
import { serverNotes } from './tables.ts'

/** The notes of a server; undefined if nobody has written any. */
export async function findNotes(db: Db, serverId: string): Promise<ServerNotes | undefined> {
  const [row] = await db
    .select({
      text: serverNotes.text,
      changedAt: serverNotes.changedAt,
      changedBy: sql<
        string | null
      >`case when ${users.role} = 'admin' then ${THE_HOST} else ${users.email} end`,
    })
    .from(serverNotes)
    .leftJoin(users, eq(users.id, serverNotes.changedBy))
    .where(eq(serverNotes.serverId, serverId))
  return row && { ...row, changedAt: row.changedAt.toISOString() }
}

export async function putNotes(
  db: Db,
  serverId: string,
  text: string,
  changedBy: string,
): Promise<void> {
  const now = sql`now()`
  await db
    .insert(serverNotes)
    .values({ serverId, text, changedBy })
    .onConflictDoUpdate({
      target: serverNotes.serverId,
      set: { text, changedBy, changedAt: now },
    })
}

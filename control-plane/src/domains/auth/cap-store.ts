import { eq, sql } from 'drizzle-orm'
import { defineCap, lockCap } from '../../db/cap.ts'
import type { Db } from '../../db/database.ts'
import { apiTokens, passkeys, sessions } from './tables.ts'

export const tokenCap = defineCap({
  name: 'API tokens',
  most: 100,
  present: () => sql`select from ${apiTokens}`,
  refusal: 'There are already 100 API tokens: revoke one first',
})

export const passkeyCap = defineCap({
  name: 'passkeys of an account',
  most: 20,
  present: (userId) => sql`select from ${passkeys} where ${eq(passkeys.userId, userId)}`,
  refusal: 'An account has at most 20 passkeys: remove one first',
})

/** Refuses nobody: the least recently used sessions end instead. */
export const sessionCap = defineCap({
  name: 'sessions of an account',
  most: 50,
  present: (userId) => sql`select from ${sessions} where ${eq(sessions.userId, userId)}`,
  refusal: 'An account has at most 50 sessions',
})

/**
 * Makes room for one more session.
 * @returns ids of the sessions ended for it
 */
export async function endOldestSessions(db: Db, userId: string): Promise<string[]> {
  await lockCap(db, sessionCap, userId)
  const { rows } = await db.execute<{ id: string }>(sql`
    delete from sessions where id in (select id from sessions where user_id = ${userId}
      order by last_seen_at desc, id desc offset ${sessionCap.most - 1}) returning id`)
  return rows.map((row) => row.id)
}

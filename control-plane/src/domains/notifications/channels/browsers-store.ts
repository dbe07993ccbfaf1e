import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { sessions } from '../../auth/tables.ts'
import { notificationChannels } from './tables.ts'

const ofBrowsers = (userId: string) =>
  sql`${notificationChannels.userId} = ${userId} and ${notificationChannels.kind} = 'web_push'`

/** Removes the browsers in which one of these sessions was. */
export async function deleteBrowsersOf(
  db: Db,
  userId: string,
  sessionIds: readonly string[],
): Promise<void> {
  const ended = sql.param([...sessionIds])
  await db
    .delete(notificationChannels)
    .where(sql`${ofBrowsers(userId)} and ${notificationChannels.sessionId} = any(${ended}::uuid[])`)
}

/** Removes the browsers of which no session is known any more, so that nobody can tell whose they are. */
export async function deleteForgottenBrowsers(db: Db, userId: string): Promise<void> {
  await db
    .delete(notificationChannels)
    .where(
      sql`${ofBrowsers(userId)} and not exists (select from ${sessions} where ${sessions.id} = ${notificationChannels.sessionId})`,
    )
}

/** Counts a browser as one of the session that followed another in it. */
export async function followSession(
  db: Db,
  userId: string,
  former: string,
  sessionId: string,
): Promise<void> {
  await db
    .update(notificationChannels)
    .set({ sessionId })
    .where(sql`${ofBrowsers(userId)} and ${notificationChannels.sessionId} = ${former}`)
}

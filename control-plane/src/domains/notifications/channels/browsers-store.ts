import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { sessions } from '../../auth/tables.ts'
import { notificationChannels } from './tables.ts'

const ofBrowsers = (userId: string) =>
  sql`${notificationChannels.userId} = ${userId} and ${notificationChannels.kind} = 'web_push'`

/** Removes the channels of browsers that one of these sessions was in. */
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

/**
 * Removes the channels of browsers whose sessions no longer exist, because nobody knows whose
 * browsers they are.
 */
export async function deleteForgottenBrowsers(db: Db, userId: string): Promise<void> {
  await db
    .delete(notificationChannels)
    .where(
      sql`${ofBrowsers(userId)} and not exists (select from ${sessions} where ${sessions.id} = ${notificationChannels.sessionId})`,
    )
}

/** Assigns a browser's channel to the session that followed another one in it. */
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

import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { subscriptions } from '../../plans/tables.ts'

export async function isSubscriptionOf(db: Db, id: string, userId: string): Promise<boolean> {
  const rows = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.id, id), eq(subscriptions.userId, userId)))
  return rows.length > 0
}

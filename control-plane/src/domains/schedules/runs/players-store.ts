import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { serverUsage } from '../../servers/tables.ts'

/** How many players are online, if the server has reported that within the last minutes. */
export async function playersOn(db: Db, metricKey: number): Promise<number | undefined> {
  const [row] = await db
    .select({ online: sql<number>`(${serverUsage.players} ->> 'online')::int` })
    .from(serverUsage)
    .where(
      sql`${eq(serverUsage.key, metricKey)}
        and (${serverUsage.players} ->> 'at')::timestamptz > now() - interval '10 minutes'`,
    )
  return row?.online
}

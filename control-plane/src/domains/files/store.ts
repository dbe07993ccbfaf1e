import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { jobs } from '../../jobs/board/tables.ts'

/** How many open jobs work on the files of a server. */
export async function openFileJobs(db: Db, serverId: string): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from ${jobs}
    where server_id = ${serverId}::uuid and ended_at is null and kind like 'files.%'`)
  return rows[0]?.count ?? 0
}

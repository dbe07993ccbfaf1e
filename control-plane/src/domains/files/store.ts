import { inArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { jobs } from '../../jobs/board/tables.ts'
import { users } from '../customers/tables.ts'

/** How many open jobs work on the files of a server. */
export async function openFileJobs(db: Db, serverId: string): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from ${jobs}
    where server_id = ${serverId}::uuid and ended_at is null and kind like 'files.%'`)
  return rows[0]?.count ?? 0
}

/** The addresses of accounts, by id. */
export async function emailsOf(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const found = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]))
  return new Map(found.map(({ id, email }) => [id, email]))
}

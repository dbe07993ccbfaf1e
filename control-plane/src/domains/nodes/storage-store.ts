import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'

/** How many servers of a node lie on each shared storage, by its id. */
export async function serversOnStorage(db: Db, nodeId: string): Promise<Record<string, number>> {
  const { rows } = await db.execute<{ id: string; servers: number }>(sql`
    select storage_id as id, count(*)::int as servers from servers
    where node_id = ${nodeId}::uuid and storage_id is not null group by storage_id`)
  return Object.fromEntries(rows.map(({ id, servers }) => [id, servers]))
}

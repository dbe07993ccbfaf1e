import type { ShownServer } from '@lodge/shared/servers.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { prepared, statement } from '../../db/prepared.ts'

/** The shared storages that nodes have, as rows with `id` and `name`. */
const ON_NODES: SQL = sql`nodes n
  cross join lateral jsonb_array_elements(coalesce(n.hardware->'storages', '[]')) one`

const storageOfServer = prepared<{ id: string | null; name: string | null }, { serverId: string }>(
  ['id', 'name'],
  // Only of a server on a storage are the nodes looked at.
  statement(sql`select s.storage_id, case when s.storage_id is not null then (
      select one->>'name' from ${ON_NODES} where one->>'id' = s.storage_id::text
      order by n.id <> s.node_id limit 1) end
    from servers s where s.id = ${sql.placeholder('serverId')}::uuid`),
)

/**
 * The shared storage that the files of a server lie on, by the name that its node has for it, or another; null
 * for the disk of its node. While no node has it, its id is its name.
 */
export async function storageOf(db: Db, serverId: string): Promise<ShownServer['storage']> {
  const [row] = await storageOfServer(db, { serverId })
  if (!row || row.id === null) return null
  return { id: row.id, name: row.name ?? row.id }
}

/** Ids of the storages with a name like this, which nodes have now. */
export const storagesNamed = (pattern: string): SQL =>
  sql`(select (one->>'id')::uuid from ${ON_NODES} where one->>'name' ilike ${pattern})`

/** How many servers of a node lie on each shared storage, by its id. */
export async function countOnStorages(db: Db, nodeId: string): Promise<Record<string, number>> {
  const { rows } = await db.execute<{ id: string; servers: number }>(sql`
    select storage_id as id, count(*)::int as servers from servers
    where node_id = ${nodeId}::uuid and storage_id is not null group by storage_id`)
  return Object.fromEntries(rows.map(({ id, servers }) => [id, servers]))
}

import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { ONLINE } from '../../fleet/online.ts'

/** Excludes the node that stores the repository: it never gets the key. */
const KEEPER = sql.raw(`
  ${ONLINE} and nodes.capabilities && '{container.backups,machine.backups}'::text[]
  and nodes.id is distinct from r.storage_node_id`)

/**
 * Assigns a repository whose node was removed to a connected one, permanently.
 * @param preferred chosen if it is connected
 * @returns its node now; undefined if there is none
 */
export async function adoptRepository(
  db: Db,
  id: string,
  preferred: string,
): Promise<string | undefined> {
  const { rows } = await db.execute<{ nodeId: string | null }>(sql`
    update backup_repositories r set node_id = coalesce(r.node_id, (
      select nodes.id from nodes where ${KEEPER}
      order by nodes.id <> ${preferred}::uuid, nodes.id limit 1))
    where r.id = ${id}::uuid returning r.node_id as "nodeId"`)
  return rows[0]?.nodeId ?? undefined
}

/** Assigns repositories of removed nodes that still have something to delete. @returns how many */
export async function adoptOrphans(db: Db): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(sql`
    update backup_repositories r set node_id = (
      select nodes.id from nodes where ${KEEPER} order by nodes.id limit 1)
    where r.id in (
        select o.id from backup_repositories o where o.node_id is null and (o.needs_prune or exists (
          select from server_backups b where b.repository_id = o.id
            and (b.leftover or b.server_id is null and b.state <> 'creating')))
        limit 20)
      and exists (select from nodes where ${KEEPER})
    returning r.id`)
  return rows.length
}

/** Empty repositories of removed nodes, with the connected node that stores them. */
export async function emptyOrphans(db: Db): Promise<{ id: string; storageNodeId: string }[]> {
  const { rows } = await db.execute<{ id: string; storageNodeId: string }>(sql`
    select r.id, r.storage_node_id as "storageNodeId" from backup_repositories r
    join nodes on nodes.id = r.storage_node_id
    where r.node_id is null and ${sql.raw(ONLINE)} and not exists (
      select from server_backups b where b.repository_id = r.id
        and not (b.leftover or b.server_id is null and b.state <> 'creating'))
    order by r.id limit 20`)
  return rows
}

export async function deleteRepository(db: Db, id: string): Promise<void> {
  await db.execute(sql`delete from backup_repositories where id = ${id}::uuid`)
}

export interface KeptThere extends Record<string, unknown> {
  readonly backups: number
  readonly servers: number
  readonly storedBytes: number
}

/** Backups of servers on other nodes that this node stores, and that are lost with it. */
export async function keptOnNode(db: Db, nodeId: string): Promise<KeptThere> {
  const { rows } = await db.execute<KeptThere>(sql`
    select count(*)::int as backups, count(distinct b.server_id)::int as servers,
      coalesce(sum(b.stored_bytes), 0)::float8 as "storedBytes"
    from server_backups b join backup_repositories r on r.id = b.repository_id
    join servers s on s.id = b.server_id
    where b.state = 'good' and s.node_id <> ${nodeId}::uuid
      and (r.storage_node_id = ${nodeId}::uuid or r.place = 'node' and r.node_id = ${nodeId}::uuid)`)
  return rows[0] ?? { backups: 0, servers: 0, storedBytes: 0 }
}

/**
 * Forgets the repositories that a node stores itself; those that it filled elsewhere are left to
 * other nodes.
 */
export async function leaveNode(db: Db, nodeId: string): Promise<void> {
  await db.execute(sql`
    delete from backup_repositories where place = 'node' and node_id = ${nodeId}::uuid`)
  // Nobody adds to them any more; changing the address lets their new node have a repository of its
  // own at the same place.
  await db.execute(sql`
    update backup_repositories set node_id = null, address = address || '#' || id
    where node_id = ${nodeId}::uuid and place <> 'node'`)
}

import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { ONLINE } from '../../fleet/online.ts'

/** Not the node that keeps the repository, which never has its key. */
const KEEPER = sql.raw(`
  ${ONLINE} and nodes.capabilities && '{container.backups,machine.backups}'::text[]
  and nodes.id is distinct from r.storage_node_id`)

/**
 * Hands a repository whose node was removed over to a connected one, for good.
 * @param preferred taken if it can
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

/** Hands repositories of removed nodes over in which something is to be deleted. @returns how many */
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

/** Repositories of removed nodes that hold nothing any more, with the connected node that keeps them. */
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

/** Backups of servers elsewhere that are gone with this node, because it keeps them. */
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

/** What a node keeps for itself goes with it; what it made elsewhere is for others to take over. */
export async function leaveNode(db: Db, nodeId: string): Promise<void> {
  await db.execute(sql`
    delete from backup_repositories where place = 'node' and node_id = ${nodeId}::uuid`)
  // Nobody adds to them any more, so that whoever takes one over can have its own there, too.
  await db.execute(sql`
    update backup_repositories set node_id = null, address = address || '#' || id
    where node_id = ${nodeId}::uuid and place <> 'node'`)
}

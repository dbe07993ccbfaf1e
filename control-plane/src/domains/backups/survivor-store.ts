import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { ONLINE } from '../../fleet/online.ts'

/** An intact backup that can be restored even if the node of its server is lost. */
export interface Survivor {
  readonly serverId: string
  readonly backupId: string
  readonly backupName: string
  readonly repositoryId: string
  readonly snapshotId: string
  readonly sizeBytes: number
  readonly createdAt: Date
  /** The node that stores it; null: a bucket. */
  readonly keptOnId: string | null
  readonly keptOn: string | null
  /** Whether only the node that stores it can reach it. */
  readonly onlyThere: boolean
}

/**
 * The newest such backup of each server of a node: in a bucket, or on another node that is connected.
 */
export async function survivorsOf(db: Db, nodeId: string): Promise<ReadonlyMap<string, Survivor>> {
  const { rows } = await db.execute<Omit<Survivor, 'createdAt'> & { createdAt: Date | string }>(sql`
    select distinct on (s.id) s.id as "serverId", b.id as "backupId", b.name as "backupName",
      r.id as "repositoryId", b.snapshot_id as "snapshotId", b.size_bytes::float8 as "sizeBytes",
      b.created_at as "createdAt", nodes.id as "keptOnId", nodes.name as "keptOn",
      r.place = 'node' as "onlyThere"
    from servers s
      join server_backups b on b.server_id = s.id and b.state = 'good' and b.damaged_at is null
      join backup_repositories r on r.id = b.repository_id
      left join nodes on r.place <> 's3' and nodes.id = coalesce(r.storage_node_id, r.node_id)
    where s.node_id = ${nodeId}::uuid
      and (r.place = 's3' or nodes.id <> s.node_id and ${sql.raw(ONLINE)})
    order by s.id, b.created_at desc, b.id desc`)
  return new Map(rows.map((row) => [row.serverId, { ...row, createdAt: new Date(row.createdAt) }]))
}

interface Exposure {
  /** Servers on shared storages, of which nothing is lost. */
  readonly shared: number
  readonly storageIds: readonly string[]
  readonly unprotected: number
  readonly oldestAt: Date | null
}

/** What the loss of each of these nodes would cost, from the database alone. */
export async function exposureOf(
  db: Db,
  nodeIds: readonly string[],
): Promise<ReadonlyMap<string, Exposure>> {
  const { rows } = await db.execute<{
    nodeId: string
    shared: number
    storageIds: string[] | null
    unprotected: number
    oldest: Date | string | null
  }>(sql`
    with newest as (
      select s.id, s.node_id, s.storage_id, s.storage_id is not null as shared, (
        select max(b.created_at) from server_backups b
        join backup_repositories r on r.id = b.repository_id
        where b.server_id = s.id and b.state = 'good' and b.damaged_at is null and (r.place = 's3'
          or coalesce(r.storage_node_id, r.node_id) is distinct from s.node_id)) as at
      from servers s where s.node_id = any(${sql.param([...nodeIds])}::uuid[]))
    select node_id as "nodeId", (count(*) filter (where shared))::int as shared,
      array_agg(distinct storage_id) filter (where shared) as "storageIds",
      (count(*) filter (where at is null and not shared))::int as unprotected,
      min(at) filter (where not shared) as oldest
    from newest group by node_id`)
  return new Map(
    rows.map(({ nodeId, shared, storageIds, unprotected, oldest }) => [
      nodeId,
      {
        ...{ shared, storageIds: storageIds ?? [], unprotected },
        oldestAt: oldest === null ? null : new Date(oldest),
      },
    ]),
  )
}

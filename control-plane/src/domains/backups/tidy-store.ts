import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { ONLINE } from '../../fleet/online.ts'
import { backupRepositories, serverBackups } from './tables.ts'

/** Skips repositories whose storing node is offline. */
export const REACHABLE = sql.raw(`(r.storage_node_id is null
  or exists (select from nodes where nodes.id = r.storage_node_id and ${ONLINE}))`)

export interface Leftover extends Record<string, unknown> {
  readonly repositoryId: string
  readonly nodeId: string
  readonly backupIds: string[]
}

/**
 * Backups whose data a connected node still has to delete: failed ones, rotated ones, and those of
 * deleted servers. Jobs that are making or deleting a backup clean up themselves. In random order, so
 * that repositories that do not answer hold up no others.
 */
export async function leftovers(db: Db): Promise<Leftover[]> {
  const { rows } = await db.execute<Leftover>(sql`
    select r.id as "repositoryId", r.node_id as "nodeId", (array_agg(b.id))[1:200] as "backupIds"
    from server_backups b
    join backup_repositories r on r.id = b.repository_id
    join nodes on nodes.id = r.node_id
    where (b.leftover or b.server_id is null and b.state <> 'creating') and ${sql.raw(ONLINE)}
      and ${REACHABLE}
    group by r.id order by random() limit 20`)
  return rows
}

/**
 * Queues the deletion of data that a repository may contain although no backup of a server refers to
 * it. Idempotent.
 */
export async function deleteLater(
  db: Db,
  repositoryId: string,
  backupIds: readonly string[],
): Promise<void> {
  // A repository that is gone took its data with it.
  const [kept] = await db
    .select({ id: backupRepositories.id })
    .from(backupRepositories)
    .where(eq(backupRepositories.id, repositoryId))
    .for('key share')
  if (!kept) return
  await db
    .insert(serverBackups)
    .values(
      backupIds.map((id) => ({
        ...{ id, repositoryId, name: '', reservedMb: 0, leftover: true },
        state: 'deleting' as const,
      })),
    )
    .onConflictDoNothing()
}

/** Removes the rows of deleted backups and of those of deleted servers; failed ones stay visible. */
export async function dropForgotten(db: Db, ids: readonly string[]): Promise<void> {
  const given = sql.param([...ids])
  await db.execute(sql`
    with gone as (
      delete from server_backups where id = any(${given}::uuid[])
        and (state = 'deleting' or server_id is null) returning repository_id),
    kept as (
      update server_backups set leftover = false
      where id = any(${given}::uuid[]) and state = 'failed' and server_id is not null
      returning repository_id)
    update backup_repositories set needs_prune = true
    where id in (select repository_id from gone union select repository_id from kept)`)
}

/** No prune has begun within the last hour: a repository is pruned no more often. */
export const PRUNE_DUE = sql.raw(`(r.pruned_at is null or r.pruned_at < now() - interval '1 hour')`)

/**
 * Repositories of connected nodes that nobody is writing to and that need a prune: of each node the one
 * that has waited longest.
 * @param busy nodes that are left out
 */
export async function prunable(
  db: Db,
  busy: readonly string[],
): Promise<{ id: string; nodeId: string }[]> {
  const { rows } = await db.execute<{ id: string; nodeId: string }>(sql`
    select distinct on (r.node_id) r.id, r.node_id as "nodeId" from backup_repositories r
    join nodes on nodes.id = r.node_id
    where r.needs_prune and r.node_id <> all(${sql.param([...busy])}::uuid[]) and ${sql.raw(ONLINE)}
      and ${REACHABLE} and ${PRUNE_DUE}
      and not exists (select from server_backups b join jobs j on j.server_id = b.server_id
        where b.repository_id = r.id and j.ended_at is null and j.kind like 'backup.%')
    order by r.node_id, r.pruned_at nulls first`)
  return rows
}

/**
 * Claims a repository to prune it. `needsPrune` stays set until `endPrune`, so that another instance
 * prunes if this one is killed; it does so after an hour, as after a failure.
 * @returns what `endPrune` wants; undefined if another instance has claimed it
 */
export async function claimPrune(db: Db, id: string): Promise<string | undefined> {
  const { rows } = await db.execute<{ claim: string }>(sql`
    update backup_repositories r set pruned_at = clock_timestamp()
    where r.id = ${id}::uuid and r.needs_prune and ${PRUNE_DUE}
    returning r.xmin::text as claim`)
  return rows[0]?.claim
}

/**
 * Records the end of a prune. A deletion meanwhile has rewritten the row even if `needsPrune` was set
 * already, so `claim` no longer matches and the next prune frees that space.
 */
export async function endPrune(db: Db, id: string, claim: string): Promise<void> {
  await db.execute(sql`
    update backup_repositories set needs_prune = false
    where id = ${id}::uuid and xmin::text = ${claim}`)
}

/** @returns how many rows of old failed backups were deleted */
export async function deleteOldFailed(db: Db, days: number): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    with gone as (delete from server_backups
      where state = 'failed' and not leftover and finished_at < now() - ${days} * interval '1 day'
      returning 1)
    select count(*)::int as count from gone`)
  return rows[0]?.count ?? 0
}

/** Marks a repository as needing a prune. */
export async function markForPrune(db: Db, repositoryId: string): Promise<void> {
  await db.execute(
    sql`update backup_repositories set needs_prune = true where id = ${repositoryId}`,
  )
}

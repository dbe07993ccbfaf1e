import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { users } from '../customers/tables.ts'
import { nodes } from '../nodes/tables.ts'
import { type BackupRow, backupRepositories, type RepositoryRow, serverBackups } from './tables.ts'

export interface ListedBackup {
  readonly backup: BackupRow
  readonly place: RepositoryRow['place']
  readonly keptOnNode: string | null
  readonly createdBy: string | null
}

const listed = {
  backup: serverBackups,
  place: backupRepositories.place,
  keptOnNode: nodes.name,
  createdBy: users.email,
}

const selectListed = (db: Db) =>
  db
    .select(listed)
    .from(serverBackups)
    .innerJoin(backupRepositories, eq(backupRepositories.id, serverBackups.repositoryId))
    .leftJoin(nodes, eq(nodes.id, backupRepositories.storageNodeId))
    .leftJoin(users, eq(users.id, serverBackups.createdById))

/** The newest first; one more than `limit` shows that there are more. */
export function listOfServer(
  db: Db,
  serverId: string,
  limit: number,
  after: readonly [createdAt: string, id: string] | undefined,
): Promise<ListedBackup[]> {
  return selectListed(db)
    .where(
      and(
        eq(serverBackups.serverId, serverId),
        // Only the host sees its failed ones.
        sql`not (${serverBackups.byHost} and ${serverBackups.state} = 'failed')`,
        after &&
          sql`(date_trunc('milliseconds', ${serverBackups.createdAt}), ${serverBackups.id})
            < (${after[0]}::timestamptz, ${after[1]}::uuid)`,
      ),
    )
    .orderBy(
      desc(sql`date_trunc('milliseconds', ${serverBackups.createdAt})`),
      desc(serverBackups.id),
    )
    .limit(limit + 1)
}

export async function findListed(
  db: Db,
  serverId: string,
  id: string,
): Promise<ListedBackup | undefined> {
  const [row] = await selectListed(db).where(
    and(eq(serverBackups.serverId, serverId), eq(serverBackups.id, id)),
  )
  return row
}

/** Locked until the transaction ends. */
export async function lockBackup(
  db: Db,
  serverId: string,
  id: string,
): Promise<BackupRow | undefined> {
  const [row] = await db
    .select()
    .from(serverBackups)
    .where(and(eq(serverBackups.id, id), eq(serverBackups.serverId, serverId)))
    .for('no key update')
  return row
}

export async function findBackup(db: Db, id: string): Promise<BackupRow | undefined> {
  const [row] = await db.select().from(serverBackups).where(eq(serverBackups.id, id))
  return row
}

export async function insertBackup(db: Db, row: typeof serverBackups.$inferInsert): Promise<void> {
  await db.insert(serverBackups).values(row)
}

export async function updateBackup(
  db: Db,
  id: string,
  change: Partial<BackupRow>,
): Promise<BackupRow | undefined> {
  const [row] = await db
    .update(serverBackups)
    .set(change)
    .where(eq(serverBackups.id, id))
    .returning()
  return row
}

/** Size of the newest complete backup of a server. */
export async function lastGoodBytes(db: Db, serverId: string): Promise<number | undefined> {
  const [row] = await db
    .select({ sizeBytes: serverBackups.sizeBytes })
    .from(serverBackups)
    .where(and(eq(serverBackups.serverId, serverId), eq(serverBackups.state, 'good')))
    .orderBy(desc(serverBackups.createdAt))
    .limit(1)
  return row?.sizeBytes ?? undefined
}

/**
 * The complete, unlocked backups with at least `keep` newer ones of these. A damaged one replaces none.
 * @param these a condition on `server_backups`
 */
export const beyond = (keep: number, these: SQL): SQL => sql`
  select id from (
    select id, count(*) filter (where damaged_at is null) over (
      order by created_at desc, id desc rows between unbounded preceding and 1 preceding) as newer
    from server_backups where state = 'good' and not locked and ${these}) ranked
  where newer >= ${keep}`

/**
 * Marks for deletion the unlocked backups beyond the newest `keep` of schedules that set no number of
 * their own.
 * @returns how many
 */
export async function rotate(db: Db, serverId: string, keep: number): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(sql`
    update server_backups set state = 'deleting', leftover = true, reserved_mb = 0
    where id in (${beyond(keep, sql`server_id = ${serverId}::uuid and rotated`)})
    returning id`)
  return rows.length
}

export async function findRepository(db: Db, id: string): Promise<RepositoryRow | undefined> {
  const [row] = await db.select().from(backupRepositories).where(eq(backupRepositories.id, id))
  return row
}

export async function findRepositoryAt(
  db: Db,
  place: Pick<RepositoryRow, 'ownerId' | 'address'> & { readonly nodeId: string },
): Promise<RepositoryRow | undefined> {
  const [row] = await db
    .select()
    .from(backupRepositories)
    .where(
      and(
        eq(backupRepositories.ownerId, place.ownerId),
        eq(backupRepositories.nodeId, place.nodeId),
        eq(backupRepositories.address, place.address),
      ),
    )
  return row
}

export async function insertRepository(db: Db, row: RepositoryRow): Promise<void> {
  await db.insert(backupRepositories).values(row)
}

/** Complete backups of a server that only its current node stores. */
export async function keptHereOnly(db: Db, serverId: string): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from server_backups b
    join backup_repositories r on r.id = b.repository_id
    join servers s on s.id = b.server_id
    where b.server_id = ${serverId}::uuid and b.state = 'good' and r.place = 'node'
      and r.node_id = s.node_id`)
  return rows[0]?.count ?? 0
}

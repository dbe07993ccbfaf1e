import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { ONLINE } from '../../../fleet/online.ts'
import { type StorageCopyRow, storageCopies } from './tables.ts'

export async function findStorageCopy(
  db: Db,
  serverId: string,
): Promise<StorageCopyRow | undefined> {
  const [row] = await db.select().from(storageCopies).where(eq(storageCopies.serverId, serverId))
  return row
}

export async function insertStorageCopy(
  db: Db,
  row: typeof storageCopies.$inferInsert,
): Promise<void> {
  await db.insert(storageCopies).values(row)
}

export async function updateStorageCopy(
  db: Db,
  serverId: string,
  change: Partial<StorageCopyRow>,
): Promise<void> {
  await db.update(storageCopies).set(change).where(eq(storageCopies.serverId, serverId))
}

export async function deleteStorageCopy(db: Db, serverId: string): Promise<void> {
  await db.delete(storageCopies).where(eq(storageCopies.serverId, serverId))
}

/** A copy that its node can delete now, and where its server lies, unless that is gone or elsewhere. */
export type DueCopy = Pick<
  StorageCopyRow,
  'serverId' | 'nodeId' | 'kind' | 'storageId' | 'placementGeneration' | 'tries'
> & { readonly isHere: boolean; readonly liesOn: string | null }

export async function dueStorageCopies(db: Db): Promise<DueCopy[]> {
  const { rows } = await db.execute<DueCopy & Record<string, unknown>>(sql`
    select c.server_id as "serverId", c.node_id as "nodeId", c.kind, c.storage_id as "storageId",
      c.placement_generation::float8 as "placementGeneration", c.tries,
      s.id is not null as "isHere", s.storage_id as "liesOn"
    from storage_copies c join nodes on nodes.id = c.node_id
      left join servers s on s.id = c.server_id and s.node_id = c.node_id
    where c.try_at <= now() and ${sql.raw(ONLINE)}
      and not exists (select from jobs j where j.server_id = c.server_id
        and j.kind = 'server.storage' and j.ended_at is null)
    order by c.try_at, c.server_id limit 50`)
  return rows
}

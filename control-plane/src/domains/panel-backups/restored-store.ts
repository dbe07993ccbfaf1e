import type pg from 'pg'
import type { FoundCopy } from './copy/copies.ts'

/**
 * In a restored database, the backup that it comes from is still in progress: marks it as complete,
 * so that its job ends without making another one. Does nothing in a schema without the table.
 */
export async function finishRestored(client: pg.Client, copy: FoundCopy): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('public.panel_backups') is not null as there`,
  )
  if (!rows[0]?.there) return
  await client.query(
    `update panel_backups set state = 'good', snapshot_id = $2, size_bytes = coalesce(size_bytes, 0),
       stored_bytes = coalesce(stored_bytes, 0), finished_at = coalesce(finished_at, created_at)
     where id = $1 and state = 'running'`,
    [copy.backupId, copy.snapshotId],
  )
}

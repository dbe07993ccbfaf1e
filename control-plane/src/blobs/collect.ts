import { type SQL, sql } from 'drizzle-orm'
import { type Db, inOneTransaction } from '../db/database.ts'
import type { BlobBackend } from './backend.ts'

/** Rows hidden per statement, so that none holds locks for long. */
const AT_ONCE = 1_000

/**
 * Removes unreferenced blobs. They are hidden first, so that nobody relies on bytes being deleted;
 * a crash in between leaves a hidden row, and the next run resumes it. Concurrent uploads of the
 * same bytes wait for the row.
 */
export async function collect(
  db: Db,
  backend: Pick<BlobBackend, 'delete'>,
  graceSeconds: number,
): Promise<number> {
  const old = sql`touched_at <= now() - make_interval(secs => ${graceSeconds})`
  await hideUnreferenced(db, old)
  let removed = 0
  while (removed < AT_ONCE && (await removeOne(db, backend, old))) removed += 1
  return removed
}

/**
 * Locks first and looks for references in a second statement: its snapshot is newer than the locks, so it
 * sees the reference of everybody who held such a row before. In one statement it would not.
 */
const hideUnreferenced = (db: Db, old: SQL): Promise<void> =>
  inOneTransaction(db, async (tx) => {
    const { rows } = await tx.execute<{ sha256: string }>(sql`
      select sha256 from blobs b where kept_at is not null and ${old}
        and not exists (select from blob_references r where r.sha256 = b.sha256)
      order by touched_at limit ${AT_ONCE} for update skip locked`)
    const candidates = `{${rows.map(({ sha256 }) => sha256).join(',')}}`
    await tx.execute(sql`
      update blobs b set kept_at = null where sha256 = any(${candidates}::text[])
        and not exists (select from blob_references r where r.sha256 = b.sha256)`)
  })

/** The row stays locked until its bytes are deleted. */
const removeOne = (db: Db, backend: Pick<BlobBackend, 'delete'>, old: SQL): Promise<boolean> =>
  inOneTransaction(db, async (tx) => {
    const { rows } = await tx.execute<{ sha256: string }>(sql`
      select sha256 from blobs where kept_at is null and ${old}
      order by touched_at limit 1 for update skip locked`)
    const [row] = rows
    if (!row) return false
    await backend.delete(row.sha256)
    await tx.execute(sql`delete from blobs where sha256 = ${row.sha256}`)
    return true
  })

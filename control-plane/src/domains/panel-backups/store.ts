import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { type PanelBackupRow, panelBackups } from './tables.ts'

const SHOWN_FAILED = 20

/** All stored rows: the settings and `SHOWN_FAILED` bound their number. */
export const newestBackups = (db: Db): Promise<PanelBackupRow[]> =>
  db.select().from(panelBackups).orderBy(desc(panelBackups.createdAt), desc(panelBackups.id))

export async function findBackup(db: Db, id: string): Promise<PanelBackupRow | undefined> {
  const [row] = await db.select().from(panelBackups).where(eq(panelBackups.id, id))
  return row
}

export async function findRunning(db: Db): Promise<PanelBackupRow | undefined> {
  const [row] = await db.select().from(panelBackups).where(eq(panelBackups.state, 'running'))
  return row
}

export const insertBackup = (db: Db, row: typeof panelBackups.$inferInsert): Promise<unknown> =>
  db.insert(panelBackups).values(row)

/** Ends a backup in progress; false if it is not in progress. */
export async function endBackup(
  db: Db,
  id: string,
  change: Partial<PanelBackupRow>,
): Promise<boolean> {
  const rows = await db
    .update(panelBackups)
    .set(change)
    .where(and(eq(panelBackups.id, id), eq(panelBackups.state, 'running')))
    .returning({ id: panelBackups.id })
  return rows.length > 0
}

export const setJob = (db: Db, id: string, jobId: string): Promise<unknown> =>
  db.update(panelBackups).set({ jobId }).where(eq(panelBackups.id, id))

export async function lastGoodAt(db: Db): Promise<Date | null> {
  const [row] = await db
    .select({ at: panelBackups.createdAt })
    .from(panelBackups)
    .where(eq(panelBackups.state, 'good'))
    .orderBy(desc(panelBackups.createdAt))
    .limit(1)
  return row?.at ?? null
}

/** The newest one that ended without being cancelled. */
export async function newestEnded(db: Db): Promise<PanelBackupRow | undefined> {
  const [row] = await db
    .select()
    .from(panelBackups)
    .where(
      and(
        ne(panelBackups.state, 'running'),
        sql`${panelBackups.failure}->>'code' is distinct from 'cancelled'`,
      ),
    )
    .orderBy(desc(panelBackups.createdAt), desc(panelBackups.id))
    .limit(1)
  return row
}

export async function lastScheduledAt(db: Db): Promise<Date | null> {
  const [row] = await db
    .select({ at: panelBackups.createdAt })
    .from(panelBackups)
    .where(eq(panelBackups.scheduled, true))
    .orderBy(desc(panelBackups.createdAt))
    .limit(1)
  return row?.at ?? null
}

/** Complete backups at a place beyond the newest `keep`. */
export async function beyond(db: Db, address: string, keep: number): Promise<string[]> {
  const rows = await db
    .select({ id: panelBackups.id })
    .from(panelBackups)
    .where(and(eq(panelBackups.address, address), eq(panelBackups.state, 'good')))
    .orderBy(desc(panelBackups.createdAt), desc(panelBackups.id))
    .offset(keep)
  return rows.map(({ id }) => id)
}

/** Failed backups at a place, which may have left something there. */
export async function failedAt(db: Db, address: string): Promise<string[]> {
  const rows = await db
    .select({ id: panelBackups.id })
    .from(panelBackups)
    .where(and(eq(panelBackups.address, address), eq(panelBackups.state, 'failed')))
  return rows.map(({ id }) => id)
}

export async function deleteBackups(db: Db, ids: readonly string[]): Promise<void> {
  await db.execute(sql`delete from panel_backups where id = any(${`{${ids.join(',')}}`}::uuid[])`)
}

/** Deletes failures that were shown for a while. */
export async function deleteOldFailed(db: Db): Promise<void> {
  await db.execute(sql`
    delete from panel_backups where state = 'failed' and id not in (
      select id from panel_backups where state = 'failed' order by created_at desc limit ${SHOWN_FAILED})`)
}

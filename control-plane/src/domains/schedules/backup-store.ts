import { and, asc, desc, eq } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { serverBackups } from '../backups/tables.ts'
import { scheduleBackups } from './tables.ts'

export async function insertScheduleBackup(
  db: Db,
  scheduleId: string,
  backupId: string,
): Promise<void> {
  await db.insert(scheduleBackups).values({ scheduleId, backupId })
}

const rotated = and(eq(serverBackups.state, 'good'), eq(serverBackups.locked, false))

/** The complete, unlocked backups that a schedule made, beyond the newest `keep`. */
export async function backupsBeyond(db: Db, scheduleId: string, keep: number): Promise<string[]> {
  const rows = await db
    .select({ id: serverBackups.id })
    .from(scheduleBackups)
    .innerJoin(serverBackups, eq(serverBackups.id, scheduleBackups.backupId))
    .where(and(eq(scheduleBackups.scheduleId, scheduleId), rotated))
    .orderBy(desc(serverBackups.createdAt), desc(serverBackups.id))
    .offset(keep)
  return rows.map(({ id }) => id)
}

/** The oldest unlocked backup of a server that any schedule made. */
export async function oldestScheduled(db: Db, serverId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ id: serverBackups.id })
    .from(serverBackups)
    .where(and(eq(serverBackups.serverId, serverId), eq(serverBackups.scheduled, true), rotated))
    .orderBy(asc(serverBackups.createdAt), asc(serverBackups.id))
    .limit(1)
  return row?.id
}

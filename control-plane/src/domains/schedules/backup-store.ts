import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { beyond } from '../backups/index.ts'
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
  const made = sql`id in (select backup_id from schedule_backups where schedule_id = ${scheduleId}::uuid)`
  const { rows } = await db.execute<{ id: string }>(sql`${beyond(keep, made)}
    order by newer`)
  return rows.map(({ id }) => id)
}

/** The oldest unlocked backup of a server that any schedule made. */
export async function oldestScheduled(
  db: Db,
  serverId: string,
): Promise<{ id: string; reservedMb: number } | undefined> {
  const [row] = await db
    .select({ id: serverBackups.id, reservedMb: serverBackups.reservedMb })
    .from(serverBackups)
    .where(and(eq(serverBackups.serverId, serverId), eq(serverBackups.scheduled, true), rotated))
    // A damaged one is the least loss.
    .orderBy(isNull(serverBackups.damagedAt), asc(serverBackups.createdAt), asc(serverBackups.id))
    .limit(1)
  return row
}

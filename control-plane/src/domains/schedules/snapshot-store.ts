import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { vmSnapshots } from '../vms/tables.ts'
import { scheduleSnapshots } from './tables.ts'

export async function insertScheduleSnapshot(
  db: Db,
  scheduleId: string,
  snapshotId: string,
): Promise<void> {
  await db.insert(scheduleSnapshots).values({ scheduleId, snapshotId })
}

/** The complete snapshots that a schedule made, beyond the newest `keep`. */
export async function snapshotsBeyond(db: Db, scheduleId: string, keep: number): Promise<string[]> {
  const rows = await db
    .select({ id: vmSnapshots.id, state: vmSnapshots.state })
    .from(scheduleSnapshots)
    .innerJoin(vmSnapshots, eq(vmSnapshots.id, scheduleSnapshots.snapshotId))
    .where(eq(scheduleSnapshots.scheduleId, scheduleId))
    .orderBy(desc(vmSnapshots.id))
  return rows
    .filter(({ state }) => state === 'ready')
    .slice(keep)
    .map(({ id }) => id)
}

/** A name that no snapshot of the machine has: with a number if it is taken. */
export async function freeName(db: Db, serverId: string, name: string): Promise<string> {
  const rows = await db
    .select({ name: vmSnapshots.name })
    .from(vmSnapshots)
    .where(eq(vmSnapshots.serverId, serverId))
  const taken = new Set(rows.map((row) => row.name.toLowerCase()))
  let free = name
  for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${name} (${number})`
  return free
}

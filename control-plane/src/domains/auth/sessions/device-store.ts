import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { knownDevices } from './tables.ts'

/** @returns whether the device is new, and whether the account had any before */
export async function noteDevice(
  db: Db,
  userId: string,
  deviceHash: Buffer,
): Promise<{ isNew: boolean; hadOthers: boolean }> {
  const [noted] = await db
    .insert(knownDevices)
    .values({ userId, deviceHash })
    .onConflictDoUpdate({
      target: [knownDevices.userId, knownDevices.deviceHash],
      set: { seenAt: sql`now()` },
    })
    .returning({
      isNew: sql<boolean>`xmax = 0`,
      // Sees the rows from before this statement.
      hadOthers: sql<boolean>`exists (select 1 from known_devices as other where other.user_id = ${userId})`,
    })
  return noted ?? { isNew: false, hadOthers: true }
}

export async function deleteForgottenDevices(db: Db): Promise<number> {
  const rows = await db
    .delete(knownDevices)
    .where(sql`${knownDevices.seenAt} < now() - interval '400 days'`)
    .returning({ userId: knownDevices.userId })
  return rows.length
}

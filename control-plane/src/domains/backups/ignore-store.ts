import { eq } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { serverBackupIgnores } from './tables.ts'

/** The patterns set for the server itself. */
export async function findIgnored(
  db: Db,
  serverId: string,
): Promise<readonly string[] | undefined> {
  const [row] = await db
    .select({ patterns: serverBackupIgnores.patterns })
    .from(serverBackupIgnores)
    .where(eq(serverBackupIgnores.serverId, serverId))
  return row?.patterns
}

export async function putIgnored(
  db: Db,
  serverId: string,
  patterns: readonly string[],
): Promise<void> {
  await db
    .insert(serverBackupIgnores)
    .values({ serverId, patterns })
    .onConflictDoUpdate({ target: serverBackupIgnores.serverId, set: { patterns } })
}

export async function dropIgnored(db: Db, serverId: string): Promise<void> {
  await db.delete(serverBackupIgnores).where(eq(serverBackupIgnores.serverId, serverId))
}

import type { Db } from '../../db/database.ts'
import { Problem } from '../../problem.ts'
import { type Reader, readersOf } from './verify-store.ts'

/** Why nobody can read a backup now. */
function hindranceOf(reader: Reader | undefined): Problem | null {
  if (!reader)
    return new Problem(
      'node_unavailable',
      'No connected node can read the backup now: try again once the node that keeps it is connected',
    )
  if (!reader.online)
    return new Problem(
      'node_unavailable',
      `The node ${reader.name} is not connected: try again when it is back`,
      { retryAfterSeconds: 15 },
    )
  if (reader.able) return null
  return new Problem(
    'unsupported_on_node',
    `The agent of ${reader.name} is too old to verify backups: update it first`,
    { fields: { missing: ['backups'] } },
  )
}

/**
 * The node that reads a backup.
 * @throws {Problem} node_unavailable, unsupported_on_node
 */
export async function requireReader(db: Db, backupId: string): Promise<Reader> {
  const reader = (await readersOf(db, [backupId])).get(backupId)
  const hindrance = hindranceOf(reader)
  if (!reader || hindrance) throw hindrance
  return reader
}

/** Why none of these backups can be read now, in words; null if one of them can. */
export async function whyNoReader(db: Db, backupIds: readonly string[]): Promise<string | null> {
  const readers = backupIds.length > 0 ? await readersOf(db, backupIds) : new Map<string, Reader>()
  const hindrances = backupIds.map((id) => hindranceOf(readers.get(id)))
  return hindrances.includes(null) ? null : (hindrances[0]?.message ?? null)
}

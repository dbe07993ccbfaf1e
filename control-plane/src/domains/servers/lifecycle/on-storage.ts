import type { Db } from '../../../db/database.ts'
import { invalid } from '../../../http/input.ts'
import { havingStorage } from '../../nodes/index.ts'

/**
 * The nodes that have a shared storage, for a new server on it.
 * @throws {Problem} validation_failed
 */
export async function nodesWithStorage(
  db: Db,
  storageId: string,
  nodeId: string | undefined,
): Promise<string[]> {
  const ids = await havingStorage(db, storageId)
  if (ids.length === 0)
    throw invalid([
      { pointer: '/storageId', detail: 'is not a shared storage that a node has now' },
    ])
  if (nodeId !== undefined && !ids.includes(nodeId))
    throw invalid([{ pointer: '/nodeId', detail: 'does not have this shared storage now' }])
  return ids
}

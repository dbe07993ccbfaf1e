import type { Db } from '../../../db/database.ts'
import { findNode, isLost, isOnline } from '../../nodes/index.ts'

/** Whether a node is not connected, but its return is still waited for. */
export async function isAway(db: Db, nodeId: string): Promise<boolean> {
  const node = await findNode(db, nodeId)
  return node !== undefined && !isOnline(node) && !(await isLost(db, nodeId))
}

/** The first of these nodes whose return is waited for; null: none. */
export async function firstAway(db: Db, nodeIds: readonly string[]): Promise<string | null> {
  for (const nodeId of nodeIds) if (await isAway(db, nodeId)) return nodeId
  return null
}

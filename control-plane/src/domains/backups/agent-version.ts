import { IGNORES_FILES, KEEPS_REPLACED, VERIFIES_BACKUPS } from '@lodge/shared/node-abilities.ts'
import type { Db } from '../../db/database.ts'
import { findNode } from '../nodes/index.ts'

/** Whether the agent of a node has a capability. */
const does =
  (capability: string) =>
  async (db: Db, nodeId: string): Promise<boolean> =>
    (await findNode(db, nodeId))?.capabilities.includes(capability) ?? false

/** Whether the agent of a node leaves files out; one of an earlier version copies all of them. */
export const leavesOut = does(IGNORES_FILES)

/** Whether the agent of a node keeps what restored files replace. */
export const keepsReplaced = does(KEEPS_REPLACED)

/** Whether the agent of a node reads a backup back to verify it. */
export const readsBack = does(VERIFIES_BACKUPS)

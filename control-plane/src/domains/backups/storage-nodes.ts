import type { StoredBackupSettings } from '@lodge/shared/backups.ts'
import { KEEPS_BACKUPS } from '@lodge/shared/node-abilities.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { invalid } from '../../http/input.ts'
import { Problem } from '../../problem.ts'
import { findNode, isOnline, type NodeRow } from '../nodes/index.ts'

/** The node that stores the backups of a node's servers; undefined where the settings name none. */
export async function storageNodeOf(
  db: Db,
  { storageNodeIds }: Pick<StoredBackupSettings, 'storageNodeIds'>,
  nodeId: string,
): Promise<NodeRow | undefined> {
  const id = storageNodeIds.find((id) => id !== nodeId)
  return id === undefined ? undefined : await findNode(db, id)
}

/** Why nothing can be stored on another node now, in words; null if it can. */
export function whyNoStorage(node: NodeRow | undefined): string | null {
  if (!node) return 'No second node keeps backups, so those of servers on this one have no place'
  if (!node.capabilities.includes(KEEPS_BACKUPS)) return tooOld(node)
  if (!isOnline(node)) return `The node ${node.name}, which keeps the backups, is not connected`
  const { preflight } = node
  if (preflight.some(({ id, state }) => id === 'disk' && state === 'failed'))
    return `The disk of the node ${node.name}, which keeps the backups, is full`
  return null
}

const tooOld = ({ name }: NodeRow): string =>
  `The agent of ${name} is too old to keep backups of other nodes: update it`

/** @throws {Problem} node_unavailable, invalid_state */
export function requireStorage(node: NodeRow | undefined): void {
  const why = whyNoStorage(node)
  if (why === null) return
  if (node && !isOnline(node))
    throw new Problem('node_unavailable', `${why}: try again when it is back`, {
      retryAfterSeconds: 60,
    })
  throw new Problem('invalid_state', `${why}: ask the host`)
}

/** @throws {Problem} validation_failed */
export async function requireStorageNodes(
  { db }: Pick<Ctx, 'db'>,
  ids: readonly string[],
): Promise<void> {
  for (const [at, id] of ids.entries()) {
    const node = await findNode(db, id)
    const pointer = `/storageNodeIds/${at}`
    if (!node) throw invalid([{ pointer, detail: 'is no node' }])
    // A node that never connected has reported no capabilities yet.
    if (node.capabilities.length > 0 && !node.capabilities.includes(KEEPS_BACKUPS))
      throw invalid([{ pointer, detail: tooOld(node) }])
  }
}

import type { Services } from '../../../services.ts'
import { hasBeenSetBack, lookAtDatabase } from '../../nodes/index.ts'
import { withheldFrom } from './findings-store.ts'

/** What may be sent to nodes. */
export interface Sendable {
  /** Whether this server's desired state may be sent to this node. */
  mayHave(nodeId: string, serverId: string): boolean
  /** Whether a list of its desired states names all, so that the node stops what is not on it. */
  isWhole(nodeId: string): boolean
}

const EVERYTHING: Sendable = { mayHave: () => true, isWhole: () => true }

/**
 * What may be sent to these nodes, as the database is at this moment: ask after the desired states
 * were read. A database that was set back since counts, too.
 */
export async function sendableTo(
  services: Services,
  nodeIds: readonly string[],
): Promise<Sendable> {
  await lookAtDatabase(services)
  if (!hasBeenSetBack(services)) return EVERYTHING
  const withheld = await withheldFrom(services.db, nodeIds)
  return {
    mayHave(nodeId, serverId) {
      const node = withheld.get(nodeId)
      return node?.isCompared === true && !node.servers.has(serverId)
    },
    isWhole(nodeId) {
      const node = withheld.get(nodeId)
      return node === undefined || (node.isCompared && node.servers.size === 0)
    },
  }
}

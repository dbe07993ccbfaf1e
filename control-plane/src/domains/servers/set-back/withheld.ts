import type { Services } from '../../../services.ts'
import { hasBeenSetBack, lookAtDatabase } from '../../nodes/index.ts'
import { withheldFrom } from './findings-store.ts'

/** Decides what may be sent to nodes. */
export interface Sendable {
  /** Whether this server's desired state may be sent to this node. */
  mayHave(nodeId: string, serverId: string): boolean
  /**
   * Whether its list of desired states is complete, so that the node stops everything that is not on
   * it.
   */
  isWhole(nodeId: string): boolean
}

const EVERYTHING: Sendable = { mayHave: () => true, isWhole: () => true }

/**
 * What may be sent to these nodes as of this moment: call it after reading the desired states. It
 * also notices a database that was set back since.
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

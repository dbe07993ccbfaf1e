import type { Identity } from '../enrollment/identity.ts'
import { bootMs } from '../guard/boot-clock.ts'
import type { Journal } from '../journal/journal.ts'
import { releasedPlacement } from '../journal/released.ts'
import type { Leases } from '../lease/leases.ts'
import { askToBoot, type BootAnswer } from './ask.ts'

/** Asks the control plane whether a server may boot in its place on this node, in the present epoch. */
export const permitsFor =
  (given: { identity: Identity; journal: Journal; leases: Leases }) =>
  async (serverId: string, placementGeneration: number): Promise<BootAnswer> => {
    const { identity, journal, leases } = given
    // Denied here as well, so that a server given to another node never runs twice.
    if (placementGeneration <= releasedPlacement(journal, serverId))
      return { kind: 'deny', why: 'it was given to another node' }
    const { epoch: nodeEpoch } = leases
    return await askToBoot({ identity, serverId, placementGeneration, nodeEpoch, uptimeMs: bootMs })
  }

import type { Transfer } from '@lodge/driver/capabilities/transfer.ts'
import { DriverError, type Progress } from '@lodge/driver/driver.ts'
import { MachineManifest } from '@lodge/shared/machine-copy.ts'
import { MachineSpec, type WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { Reach, TellWay } from '../direct/reach.ts'
import type { AnyDriver } from '../drivers.ts'
import type { Journal } from '../journal/journal.ts'
import { releasedPlacement } from '../journal/released.ts'
import { discardPlace, removalEnded } from '../places.ts'
import type { Servers } from '../reconcile/servers.ts'
import type { StorageHolds } from '../storage/holds.ts'
import { copyReader } from './copy-reader.ts'
import { document, type ImportMachine } from './machine-tasks.ts'

export interface MovesOptions {
  readonly reach: Reach
  readonly driver: AnyDriver
  readonly transfer: Transfer<WorkloadSpec>
  readonly journal: Journal
  readonly servers: Servers
  readonly storages: StorageHolds
}

/** Imports machines from another node and discards those given to one. */
export function moves({ reach, driver, transfer, journal, servers, storages }: MovesOptions) {
  return {
    async importMachine(
      serverId: string,
      work: ImportMachine,
      onProgress: (progress: Progress) => void,
      signal: AbortSignal,
      tellWay: TellWay,
    ): Promise<void> {
      const manifest = document(MachineManifest, work.manifest)
      const spec = document(MachineSpec, work.machineSpec)
      if (manifest.serverId !== serverId || manifest.uuid !== spec.uuid) {
        throw new DriverError('invalid_spec', 'The copy is of another machine.')
      }
      await removalEnded(journal, serverId)
      // A late import must not revive a placement that was given away.
      if (work.placementGeneration <= releasedPlacement(journal, serverId)) {
        throw new DriverError('not_permitted', 'This node has given the machine away since.')
      }
      // Of one that changes its storage: whatever an earlier placement left there is not deleted from now on.
      const { placementGeneration } = work
      await storages.take({ serverId, placementGeneration, spec })
      const { sessionId, ticket, address, direct } = work
      const relay = {
        sessionId,
        ticket,
        address,
        serverId,
        kind: 'copy',
        mayWrite: false,
        person: '',
      }
      const reader = copyReader(async () => {
        const { socket, isDirect } = await reach({ relay, direct })
        tellWay(isDirect)
        return socket
      })
      const server = { serverId, generation: 0, run: 0 }
      try {
        await transfer.import(server, spec, manifest, reader.read, onProgress, signal)
      } finally {
        reader.close()
      }
      // Only a complete import becomes a server here.
      await servers.imported(serverId)
    },

    discard: (serverId: string, placementGeneration: number): Promise<void> =>
      discardPlace({ driver, journal, servers }, serverId, placementGeneration),
  }
}

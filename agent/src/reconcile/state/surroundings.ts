import type { Driver, RecoveredWorkload } from '@lodge/driver/driver.ts'
import type { ServerEvent, ServerProgress } from '@lodge/proto/server.ts'
import type { ConfigFile } from '@lodge/shared/container-spec.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { Logger } from 'pino'
import type { BootAnswer } from '../../boot/ask.ts'
import type { Clock } from '../../clock.ts'
import type { ServerConsole } from '../../console/console.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Leases } from '../../lease/leases.ts'
import type { StorageHolds } from '../../storage/holds.ts'
import type { Semaphore } from './semaphore.ts'

/** What all servers on one runtime share. */
export interface Surroundings {
  readonly driver: Driver<WorkloadSpec>
  readonly clock: Clock
  readonly journal: Journal
  readonly log: Logger
  /** Separate pools, so that long work never delays a start; stopping needs no place. */
  readonly semaphores: {
    readonly make: Semaphore
    readonly start: Semaphore
    readonly install: Semaphore
  }
  /**
   * Edits config files in a data folder; throws an Error whose message suits the server's owner.
   */
  readonly configure: (dataFolder: string, files: readonly ConfigFile[]) => Promise<void>
  /** False when the node's disk is so full that nothing new may be created. */
  readonly hasRoom: () => Promise<boolean>
  readonly leases: Leases
  /** Which node has the files of servers on shared storages. */
  readonly storages: StorageHolds
  /** Asks the control plane whether this server may boot now. */
  readonly askToBoot: (serverId: string, placementGeneration: number) => Promise<BootAnswer>
  /** The runtime's current state of one server. */
  readonly look: (serverId: string) => Promise<RecoveredWorkload | undefined>
  /** Whether another server that runs here has, or may have, a port of this one. */
  readonly sharesPort: (serverId: string) => boolean
  readonly console: (serverId: string) => ServerConsole
  readonly installLog: (serverId: string) => ServerConsole
  /** Announces that a server's observation has changed. */
  readonly changed: (serverId: string) => void
  readonly progress: (progress: ServerProgress) => void
  /** Announces an event added to a server's history. */
  readonly happened: (event: ServerEvent) => void
  /** Announces that a server was forgotten. */
  readonly forgotten: (serverId: string) => void
  /** Announces that a report was written to the journal. */
  readonly reported: () => void
}

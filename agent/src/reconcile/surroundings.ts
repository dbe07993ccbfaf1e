import type { Driver, RecoveredWorkload } from '@lodge/driver/driver.ts'
import type { ServerEvent, ServerProgress } from '@lodge/proto/server.ts'
import type { ConfigFile } from '@lodge/shared/container-spec.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { Logger } from 'pino'
import type { BootAnswer } from '../boot/ask.ts'
import type { Clock } from '../clock.ts'
import type { ServerConsole } from '../console/console.ts'
import type { Journal } from '../journal/journal.ts'
import type { Semaphore } from './semaphore.ts'

/** What every server of an agent shares. */
export interface Surroundings {
  readonly driver: Driver<WorkloadSpec>
  readonly clock: Clock
  readonly journal: Journal
  readonly log: Logger
  /** Separate pools, so that nothing long keeps a start waiting; ends need no place at all. */
  readonly semaphores: {
    readonly make: Semaphore
    readonly start: Semaphore
    readonly install: Semaphore
  }
  /** Edits configuration files in a data folder; throws an Error whose message is fit for the owner. */
  readonly configure: (dataFolder: string, files: readonly ConfigFile[]) => Promise<void>
  /** False when the disk of the node is so full that nothing new may be made. */
  readonly hasRoom: () => Promise<boolean>
  /** Asks the control plane whether this machine may boot now. */
  readonly askToBoot: (serverId: string, placementGeneration: number) => Promise<BootAnswer>
  /** What the runtime says of one server now. */
  readonly look: (serverId: string) => Promise<RecoveredWorkload | undefined>
  readonly console: (serverId: string) => ServerConsole
  readonly installLog: (serverId: string) => ServerConsole
  /** Another observation of this server is worth telling. */
  readonly changed: (serverId: string) => void
  readonly progress: (progress: ServerProgress) => void
  /** Something was written into the history of a server. */
  readonly happened: (event: ServerEvent) => void
  /** Nothing is kept of this server any more. */
  readonly forgotten: (serverId: string) => void
  /** A report was written into the journal. */
  readonly reported: () => void
}

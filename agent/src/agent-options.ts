import type { BackupStore } from '@lodge/driver/backup-store.ts'
import type { LeaseTimes } from '@lodge/shared/leases/times.ts'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { AnyDriver } from './drivers.ts'
import type { Identity } from './enrollment/identity.ts'
import type { Guard } from './guard/keeper.ts'
import type { LogTail } from './log-tail.ts'
import type { Replacement } from './update/updater.ts'

export interface AgentOptions {
  readonly config: Config
  readonly identity: Identity
  /** One for containers and one for machines, or one that runs both. A kind may have none. */
  readonly drivers: readonly AnyDriver[]
  /** Where backups of servers go; without it this node makes none. */
  readonly backupStore?: BackupStore
  readonly log: Logger
  /** The newest entries of `log`, for the panel. */
  readonly logTail?: LogTail
  readonly clock?: Clock
  /** Ends servers when the lease has ended; without one this node holds no leases. */
  readonly guard?: Guard
  /** Default `LEASE_TIMES`. */
  readonly leaseTimes?: LeaseTimes
  readonly aloneAfterMs?: number
  /** Identifies the current boot of the machine; read from the kernel by default. */
  readonly bootId?: string
  /**
   * Called each time the control plane accepts this node; servers can be placed on it from then on.
   */
  readonly welcomed?: () => void
  /** Called when, after that, it is also known which servers run. */
  readonly healthy?: () => void
  /** Without it this agent does not update itself. */
  readonly replacement?: Replacement
}

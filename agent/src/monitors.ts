import type { Virtualization } from '@lodge/driver/capabilities/virtualization.ts'
import type { DriverHealth } from '@lodge/proto/fleet.ts'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type AnyDriver, healthOf } from './drivers.ts'
import { hardwareMonitor } from './hardware/monitor.ts'
import { virtualizationMonitor } from './machines/virtualization.ts'
import { preflightMonitor } from './preflight/monitor.ts'
import type { StorageHolds } from './storage/holds.ts'

/** What the agent reports about its node: the state of its engines, its checks and its hardware. */
export class Monitors {
  readonly preflight: ReturnType<typeof preflightMonitor>
  readonly virtualization: ReturnType<typeof virtualizationMonitor>
  readonly hardware: ReturnType<typeof hardwareMonitor>
  readonly #drivers: readonly AnyDriver[]
  readonly #log: Logger
  #answering = ''

  constructor(given: {
    config: Config
    drivers: readonly AnyDriver[]
    storages: StorageHolds
    /** What the driver of machines needs of this node; undefined without such a driver. */
    host: Virtualization | undefined
    log: Logger
  }) {
    const { config, drivers, storages, host, log } = given
    this.#drivers = drivers
    this.#log = log
    this.virtualization = virtualizationMonitor(host)
    this.preflight = preflightMonitor(config, drivers, this.virtualization.found)
    this.hardware = hardwareMonitor(config.data, storages.all, log)
  }

  /**
   * Reports driver health. When an engine comes or goes, the capability checks are outdated, so it
   * repeats them.
   */
  async health(): Promise<DriverHealth[]> {
    const found = await healthOf(this.#drivers)
    const now = JSON.stringify(found.map(({ kind, healthy }) => [kind, healthy]))
    if (this.#answering !== '' && this.#answering !== now) {
      void this.recheck().catch((error: unknown) => {
        this.#log.warn({ err: error }, 'the capability checks of this node failed')
      })
    }
    this.#answering = now
    return found
  }

  /** Repeats the capability checks, and looks for shared storages that were mounted since. */
  async recheck(): Promise<void> {
    await Promise.all([this.preflight.run(), this.virtualization.run(), this.hardware.recheck()])
  }
}

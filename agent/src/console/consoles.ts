import type { Logger } from 'pino'
import type { AnyDriver } from '../drivers.ts'
import { ServerConsole } from './console.ts'

export type ConsoleKind = 'console' | 'install_log'

/** The consoles of all servers: of each its own, and its installer's. */
export class Consoles {
  readonly #driverOf: (serverId: string) => AnyDriver
  readonly #log: Logger
  readonly #made: Readonly<Record<ConsoleKind, Map<string, ServerConsole>>> = {
    console: new Map(),
    install_log: new Map(),
  }

  constructor(driverOf: (serverId: string) => AnyDriver, log: Logger) {
    this.#driverOf = driverOf
    this.#log = log
  }

  of(serverId: string, kind: ConsoleKind): ServerConsole {
    const known = this.#made[kind].get(serverId)
    if (known) return known
    const source = kind === 'console' ? 'run' : 'install'
    const made = new ServerConsole(this.#driverOf(serverId), serverId, source, this.#log)
    this.#made[kind].set(serverId, made)
    return made
  }

  forget(serverId: string): void {
    for (const made of Object.values(this.#made)) made.delete(serverId)
  }

  close(): void {
    for (const made of Object.values(this.#made)) for (const output of made.values()) output.close()
  }
}

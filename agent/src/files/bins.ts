import type { Duplex } from 'node:stream'
import type { Files } from '@lodge/driver/capabilities/files.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import type { BinSweep } from '@lodge/shared/deleted-files.ts'
import { fileHeaders } from '@lodge/shared/files.ts'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Journal } from '../journal/journal.ts'
import { askHelper } from './ask-helper.ts'
import type { BinState } from './helper/bin/bin.ts'

const SETTING = 'bins'
const SWEEP_MS = 60_000
/** From this share of the disk limit on, the oldest deletions go. */
const TOO_FULL = 0.95

export interface BinsOptions {
  readonly journal: Journal
  readonly clock: Clock
  readonly log: Logger
  readonly filesOf: (serverId: string) => Files | undefined
  readonly connect: (serverId: string) => Promise<Duplex>
}

/**
 * Sweeps the bins of this node's servers: deletes what has expired, and frees space where a server
 * fills its disk. It remembers which servers have a bin, so that no helper is started for the others.
 */
export class Bins {
  readonly #options: BinsOptions
  readonly #due: Map<string, number>
  #cancel = () => {}
  #stopped = false

  constructor(options: BinsOptions) {
    this.#options = options
    const text = options.journal.setting(SETTING) ?? '{}'
    this.#due = new Map(Object.entries(z.record(z.string(), z.number()).parse(JSON.parse(text))))
  }

  start(): void {
    if (this.#stopped) return
    this.#cancel = this.#options.clock.after(SWEEP_MS, () => {
      void this.sweepDue().finally(() => this.start())
    })
  }

  stop(): void {
    this.#stopped = true
    this.#cancel()
  }

  /** Called when a helper reports the state of its bin. */
  changed(serverId: string, { dueMs }: BinState): void {
    if (this.#stopped || (this.#due.get(serverId) ?? null) === dueMs) return
    if (dueMs === null) this.#due.delete(serverId)
    else this.#due.set(serverId, dueMs)
    const { journal } = this.#options
    // The helper says it again when somebody next works with these files.
    journal.attempt(() =>
      journal.saveSetting(SETTING, JSON.stringify(Object.fromEntries(this.#due))),
    )
  }

  /** Empties a server's bin as far as needed to free this many bytes. */
  async makeRoom(serverId: string, needBytes: number): Promise<void> {
    if (this.#due.has(serverId)) await this.#sweep(serverId, needBytes)
  }

  /** Never throws. */
  async sweepDue(): Promise<void> {
    for (const serverId of [...this.#due.keys()]) {
      try {
        if (await this.#isDue(serverId)) await this.#sweep(serverId, 0)
      } catch (error) {
        if (error instanceof DriverError && error.code === 'not_found')
          this.changed(serverId, { dueMs: null })
        else this.#options.log.warn({ err: error, serverId }, 'could not sweep deleted files')
      }
    }
  }

  async #isDue(serverId: string): Promise<boolean> {
    if ((this.#due.get(serverId) ?? Number.POSITIVE_INFINITY) <= this.#options.clock.nowMs())
      return true
    const files = this.#options.filesOf(serverId)
    if (!files) throw new DriverError('not_found', 'The server has no files on this node.')
    const { usedBytes, limitBytes } = await files.open(serverId)
    return usedBytes !== null && limitBytes !== null && usedBytes > limitBytes * TOO_FULL
  }

  async #sweep(serverId: string, needBytes: number): Promise<void> {
    const socket = await this.#options.connect(serverId)
    try {
      const body = JSON.stringify({ needBytes } satisfies z.input<typeof BinSweep>)
      const response = await askHelper(socket, '/v1/bin/sweep', body, fileHeaders([], []))
      response.resume()
    } finally {
      socket.destroy()
    }
  }
}

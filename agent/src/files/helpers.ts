import type { Duplex } from 'node:stream'
import type { Files } from '@lodge/driver/capabilities/files.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import { collectAfter } from '@lodge/shared/local/collector.ts'
import type { Logger } from 'pino'
import type { BinState } from './helper/bin/bin.ts'
import { HelperProcess } from './helper-process.ts'
import { findSandbox } from './sandbox.ts'

/** A helper without connections ends after this long. */
const IDLE_MS = 60_000
const MOST = 24
/** How often a helper hears what its server uses. */
const MEASURE_MS = 15_000

export interface HelpersOptions {
  readonly filesOf: (serverId: string) => Files | undefined
  readonly log: Logger
  /** Told when the bin of a server has changed. */
  readonly onBin?: (serverId: string, state: BinState) => void
  /** How the sandbox is found; what tests replace. */
  readonly sandbox?: typeof findSandbox
}

interface Running {
  readonly process: HelperProcess
  connections: number
  idle: NodeJS.Timeout | undefined
  readonly measuring: NodeJS.Timeout
  usedMs: number
}

/** A helper from the moment that somebody asks for it. */
interface Slot {
  running: Promise<Running>
  /** It may hold the data open from now on. */
  holds: boolean
  /** It was ended before it was running. */
  doomed: boolean
}

/** TLS yields 16 KiB at a time: what arrives in one turn of the event loop leaves in one system call. */
function pipeTogether(from: Duplex, to: Duplex): void {
  let corked = false
  from.on('data', () => {
    if (corked) return
    corked = true
    to.cork()
    process.nextTick(() => {
      corked = false
      to.uncork()
    })
  })
  from.pipe(to)
}

/** The helper processes of this node: one for each server whose files are in use. */
export class Helpers {
  readonly #options: HelpersOptions
  readonly #slots = new Map<string, Slot>()
  #closed = false

  constructor(options: HelpersOptions) {
    this.#options = options
  }

  /**
   * Opens a connection to the file service of a server, starting it if necessary.
   * @throws {DriverError}
   */
  async connect(serverId: string): Promise<Duplex> {
    if (this.#closed) throw new Error('the agent is stopping')
    const running = await this.#of(serverId)
    running.connections += 1
    running.usedMs = performance.now()
    clearTimeout(running.idle)
    const leave = () => {
      running.connections -= 1
      if (running.connections > 0) return
      running.idle = setTimeout(() => running.process.end(), IDLE_MS).unref()
    }
    try {
      const socket = await running.process.connect()
      socket.once('close', leave)
      socket.on('error', () => socket.destroy())
      return socket
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Splices a relay to the file service. Never throws. */
  async serve(serverId: string, relay: Duplex): Promise<void> {
    try {
      const socket = await this.connect(serverId)
      const hangUp = () => {
        relay.destroy()
        socket.destroy()
      }
      relay.on('error', hangUp).once('close', hangUp)
      socket.once('close', hangUp)
      for (const end of [relay, socket]) collectAfter(end)
      socket.pipe(relay)
      pipeTogether(relay, socket)
    } catch (error) {
      this.#options.log.warn({ err: error, serverId }, 'could not serve the files of a server')
      relay.destroy()
    }
  }

  /** Ends the helper of a server, before its data is unmounted, replaced or removed. */
  async end(serverId: string): Promise<void> {
    const slot = this.#slots.get(serverId)
    if (!slot) return
    slot.doomed = true
    this.#slots.delete(serverId)
    // One that still waits for the data may be waiting for whoever asks for this.
    if (!slot.holds) return
    const running = await slot.running.catch(() => undefined)
    if (!running) return
    const ended = new Promise<void>((resolve) => running.process.onExit(resolve))
    running.process.end()
    await ended
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#slots.keys()].map((serverId) => this.end(serverId)))
  }

  #of(serverId: string): Promise<Running> {
    const known = this.#slots.get(serverId)
    if (known) return known.running
    const { promise, resolve, reject } = Promise.withResolvers<Running>()
    const slot: Slot = { running: promise, holds: false, doomed: false }
    this.#slots.set(serverId, slot)
    promise.catch(() => this.#forget(serverId, slot))
    this.#start(serverId, slot).then(resolve, reject)
    return promise
  }

  #forget(serverId: string, slot: Slot): void {
    if (this.#slots.get(serverId) === slot) this.#slots.delete(serverId)
  }

  async #start(serverId: string, slot: Slot): Promise<Running> {
    const { log, filesOf } = this.#options
    const files = filesOf(serverId)
    if (!files) throw new DriverError('unsupported', 'This node gives no access to files.')
    await this.#makeRoom(slot)
    const sandbox = await (this.#options.sandbox ?? findSandbox)()
    const bubblewrap = 'bubblewrap' in sandbox ? sandbox.bubblewrap : undefined
    const opened = await files.open(serverId)
    if (slot.doomed) throw new Error('the files of the server were taken away meanwhile')
    slot.holds = true
    const process = await HelperProcess.start(opened, bubblewrap, {
      log: (line) => log.warn({ serverId }, `the file service: ${line.slice(0, 500)}`),
      onBin: (state) => this.#options.onBin?.(serverId, state),
    })
    const measure = () => {
      files.open(serverId).then(
        (now) => process.tell(now),
        () => process.end(),
      )
    }
    const running: Running = {
      process,
      connections: 0,
      idle: undefined,
      measuring: setInterval(measure, MEASURE_MS).unref(),
      usedMs: performance.now(),
    }
    process.onExit(() => {
      clearInterval(running.measuring)
      clearTimeout(running.idle)
      this.#forget(serverId, slot)
    })
    return running
  }

  /** Ends the helper that has been idle for longest when there are too many. */
  async #makeRoom(except: Slot): Promise<void> {
    const others = [...this.#slots].filter(([, slot]) => slot !== except)
    if (others.length < MOST) return
    const settled = await Promise.all(
      others.map(async ([serverId, { running }]) => ({
        serverId,
        running: await running.catch(() => undefined),
      })),
    )
    const [idle] = settled
      .filter(({ running }) => running?.connections === 0)
      .toSorted((one, two) => (one.running?.usedMs ?? 0) - (two.running?.usedMs ?? 0))
    if (!idle) {
      const message = 'Too many people work with files of this node: try again in a minute.'
      throw new DriverError('runtime_unavailable', message, { retryable: true })
    }
    await this.end(idle.serverId)
  }
}

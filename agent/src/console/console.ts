import type { Console } from '@lodge/driver/capabilities/console.ts'
import type { Logger } from 'pino'
import type { AnyDriver } from '../drivers.ts'
import { consoleOf } from './driver-console.ts'
import { Ring } from './ring.ts'

const RING_BYTES = 256 * 1024
const TAIL_LINES = 1000

/**
 * The output of one server or of its installer, as the agent keeps it: the newest bytes, plus
 * listeners that are called synchronously and must not block. Output from before the agent started
 * is fetched from the runtime on the first read.
 */
export class ServerConsole {
  readonly #console: Console
  readonly #serverId: string
  readonly #source: 'run' | 'install'
  readonly #log: Logger
  readonly ring = new Ring(RING_BYTES)
  readonly #listeners = new Set<(chunk: Uint8Array) => void>()
  #following: AbortController | null = null
  #runStart = 0
  /** The runtime may have output from before the first byte of the ring. */
  #earlier = true
  #filling: Promise<void> = Promise.resolve()

  constructor(
    driver: Pick<AnyDriver, 'console'>,
    serverId: string,
    source: 'run' | 'install',
    log: Logger,
  ) {
    this.#console = consoleOf(driver)
    this.#serverId = serverId
    this.#source = source
    this.#log = log
  }

  /** Starts following the output; does nothing when it already does. */
  follow(): void {
    if (this.#following) return
    const following = new AbortController()
    this.#following = following
    this.#console
      .follow(this.#serverId, (chunk) => this.heard(chunk), following.signal)
      .catch((error: unknown) => {
        if (!following.signal.aborted) {
          this.#log.warn({ err: error, serverId: this.#serverId }, 'the console was lost')
        }
      })
      .finally(() => {
        if (this.#following === following) this.#following = null
      })
  }

  /** Marks the start of a run: from here on the ring holds all of its output. */
  newRun(): void {
    this.#earlier = false
    this.#runStart = this.ring.end
  }

  listen(listener: (chunk: Uint8Array) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Prepends the output from before the agent followed it; all readers wait until that is done. */
  fill(): Promise<void> {
    if (this.#earlier) {
      this.#earlier = false
      this.#filling = this.#prependEarlier()
    }
    return this.#filling
  }

  async #prependEarlier(): Promise<void> {
    const lines = await this.#console.tail(this.#serverId, TAIL_LINES, this.#source).catch(() => [])
    const heard = this.ring.read(this.ring.start, RING_BYTES).bytes
    const before = withoutOverlap(lines, new TextDecoder().decode(heard))
    if (before.length === 0) return
    this.ring.clear()
    this.ring.push(Buffer.from(`${before.join('\r\n')}\r\n`))
    this.ring.push(heard)
  }

  /**
   * The newest lines of the current or last run, from memory if it has any, else from the runtime.
   * Never throws.
   */
  async lastLines(count: number): Promise<string[]> {
    const from = Math.max(this.#runStart, this.ring.end - count * 512)
    const text = new TextDecoder().decode(this.ring.read(from, RING_BYTES).bytes)
    const lines = text.split(/\r?\n/).filter((line) => line !== '')
    if (!this.#earlier && lines.length > 0) return lines.slice(-count)
    const kept = await this.#console.tail(this.#serverId, count, this.#source).catch(() => [])
    return [...kept].slice(-count)
  }

  close(): void {
    this.#following?.abort()
    this.#following = null
    this.#listeners.clear()
  }

  /** Adds a chunk of output. */
  heard(chunk: Uint8Array): void {
    this.ring.push(chunk)
    for (const listener of this.#listeners) {
      try {
        listener(chunk)
      } catch (error) {
        this.#log.error({ err: error, serverId: this.#serverId }, 'a console listener failed')
      }
    }
  }
}

/** The lines of `kept` that `heard` does not begin with: the two recordings overlap at the seam. */
export function withoutOverlap(kept: readonly string[], heard: string): string[] {
  const lines = heard.split(/\r?\n/)
  const [first] = lines
  if (first === undefined || heard === '') return [...kept]
  const most = Math.min(kept.length, lines.length)
  for (let overlap = most; overlap > 0; overlap -= 1) {
    const end = kept.slice(-overlap)
    if (end.every((line, index) => line === lines[index])) return kept.slice(0, -overlap)
  }
  return [...kept]
}

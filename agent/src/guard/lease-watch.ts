import type { Trace } from '@lodge/driver/trace.ts'
import { endProcesses } from './end.ts'
import { isAlive, processesOf } from './processes.ts'

/** What the guard must not forget while the machine is up. */
export interface GuardState {
  /** The lease ends then, on the boot clock; until a lease is granted, it has ended. */
  readonly deadlineMs: number
  readonly servers: readonly { readonly serverId: string; readonly traces: readonly Trace[] }[]
}

export const NOTHING_GUARDED: GuardState = { deadlineMs: 0, servers: [] }

/** How one server was ended. */
export interface Ended {
  readonly serverId: string
  /** Of the lease that had ended. */
  readonly deadlineMs: number
  /** When its processes were found, on the boot clock. */
  readonly foundMs: number
  /** How long it took until nothing of it was left; null while something is. */
  readonly tookMs: number | null
  /** The most processes that were found at once. */
  readonly processes: number
}

export interface LeaseWatchOptions {
  readonly state: GuardState
  readonly bootMs: () => number
  /** Keeps the state; it must be there again when this returns, also for another process. */
  readonly save: (state: GuardState) => void
  /** A server was ended, or something of it is still left after `GIVE_NOTICE_MS`. */
  readonly ended: (ended: Ended) => void
}

/** A server that does not end within this is reported as left. */
const GIVE_NOTICE_MS = 5_000

/**
 * Holds the lease of a node against its guarded servers: once it has ended, they are ended too, and
 * whatever is started of them afterwards, until there is another lease.
 */
export class LeaseWatch {
  readonly #options: LeaseWatchOptions
  readonly #servers: Map<string, readonly Trace[]>
  readonly #ending = new Map<string, Ended & { noticed: boolean }>()
  #deadlineMs: number

  constructor(options: LeaseWatchOptions) {
    this.#options = options
    this.#deadlineMs = options.state.deadlineMs
    this.#servers = new Map(options.state.servers.map((one) => [one.serverId, one.traces]))
  }

  get state(): GuardState {
    const servers = [...this.#servers].map(([serverId, traces]) => ({ serverId, traces }))
    return { deadlineMs: this.#deadlineMs, servers }
  }

  get isOver(): boolean {
    return this.#options.bootMs() >= this.#deadlineMs
  }

  /** Something that was ended may still be there. */
  get isEnding(): boolean {
    return this.#ending.size > 0
  }

  /** Grants move the end of the lease only forward: they may arrive late, twice or out of order. */
  renew(deadlineMs: number): void {
    if (deadlineMs <= this.#deadlineMs) return
    this.#deadlineMs = deadlineMs
    this.#save()
  }

  /** From now on this server runs under the lease alone. */
  guard(serverId: string, traces: readonly Trace[]): void {
    this.#servers.set(serverId, traces)
    this.#save()
    this.look()
  }

  /** It may run without a lease from now on, or is no longer here. */
  release(serverId: string): void {
    if (!this.#servers.delete(serverId)) return
    this.#ending.delete(serverId)
    this.#save()
  }

  /** Ends the lease at once, whatever was granted before. */
  fence(): void {
    this.#deadlineMs = Math.min(this.#deadlineMs, this.#options.bootMs())
    this.look()
    this.#save()
  }

  /** The guarded servers of which something runs. */
  running(): string[] {
    return [...processesOf(this.#servers)]
      .filter(([, { pids }]) => pids.some(isAlive))
      .map(([serverId]) => serverId)
  }

  /** Ends what may not run now. Called again and again. */
  look(): void {
    if (this.#servers.size === 0 || !this.isOver) {
      this.#ending.clear()
      return
    }
    const foundMs = this.#options.bootMs()
    const found = processesOf(this.#servers)
    const alive = new Set<string>()
    for (const [serverId, processes] of found) {
      const pids = processes.pids.filter(isAlive)
      endProcesses(processes)
      if (pids.length === 0) continue
      alive.add(serverId)
      const known = this.#ending.get(serverId)
      const count = Math.max(known?.processes ?? 0, pids.length)
      const deadlineMs = this.#deadlineMs
      this.#ending.set(serverId, {
        ...{ serverId, deadlineMs, foundMs, tookMs: null, noticed: false, ...known },
        processes: count,
      })
    }
    for (const [serverId, one] of this.#ending) {
      const tookMs = this.#options.bootMs() - one.foundMs
      const { noticed, ...ended } = one
      if (!alive.has(serverId)) {
        this.#ending.delete(serverId)
        this.#options.ended({ ...ended, tookMs })
      } else if (!noticed && tookMs >= GIVE_NOTICE_MS) {
        one.noticed = true
        this.#options.ended(ended)
      }
    }
  }

  #save(): void {
    this.#options.save(this.state)
  }
}

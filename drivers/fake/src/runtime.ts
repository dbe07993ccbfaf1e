import { constants } from 'node:os'
import { Broadcaster } from '@lodge/driver/broadcaster.ts'
import type { SnapshotInfo } from '@lodge/driver/capabilities/snapshots.ts'
import {
  DriverError,
  type DriverEvent,
  type Exit,
  type ExitCause,
  type ServerRef,
} from '@lodge/driver/driver.ts'
import type { PortPublication, Signal } from '@lodge/shared/container-spec.ts'
import type { MachineManifest } from '@lodge/shared/machine-copy.ts'
import { isMachine, type MachineSpec, type WorkloadSpec } from '@lodge/shared/machine-spec.ts'

const KEPT_LINES = 2000

/** One made-up workload. */
export interface FakeWorkload {
  readonly server: ServerRef
  readonly fingerprint: string
  spec: WorkloadSpec
  startedAt: Date | null
  lastExit: Exit | null
  running: boolean
  /** Ignores every signal but SIGKILL. */
  deaf: boolean
  readonly inputs: string[]
}

/** A workload that has been made and not yet started. */
export const idleWorkload = (
  server: ServerRef,
  fingerprint: string,
  spec: WorkloadSpec,
): FakeWorkload => ({
  server,
  fingerprint,
  spec,
  startedAt: null,
  lastExit: null,
  running: false,
  deaf: false,
  inputs: [],
})

/** The made-up contents of a machine: each part is some text, so that copies can be compared. */
export interface FakeMachine {
  spec: MachineSpec
  readonly parts: Map<string, string>
  readonly snapshots: Map<string, { info: SnapshotInfo; parts: ReadonlyMap<string, string> }>
  /** Copies under way keep it from starting. */
  copying: number
}

/** What the world knows of one server. */
export interface FakeServer {
  record: ServerRef & { readonly fingerprint: string }
  workload: FakeWorkload | null
  readonly lines: { run: string[]; install: string[] }
  /** The last line so far, while its end has not come. */
  rest: string
}

/**
 * The made-up engine that lives on when a driver object goes: several drivers may share one, as an
 * agent before and after its restart share a real engine.
 */
export class FakeRuntime {
  readonly servers = new Map<string, FakeServer>()
  readonly machines = new Map<string, FakeMachine>()
  /** What an import has fetched so far. */
  readonly imports = new Map<string, { manifest: MachineManifest; parts: Map<string, string> }>()
  /** Fingerprints and sizes of the media in the cache. */
  readonly media = new Map<string, number>()
  readonly broadcaster = new Broadcaster()
  readonly #listeners = new Set<(event: DriverEvent) => void>()
  #away = false

  /** Throws `runtime_unavailable` while the engine is away. */
  check(): void {
    if (this.#away)
      throw new DriverError('runtime_unavailable', 'The engine is away.', { retryable: true })
  }

  get away(): boolean {
    return this.#away
  }

  /** Cuts every connection; what runs goes on. */
  drop(): void {
    this.#away = true
  }

  /** The engine is back: every reader of events is told `reset`. */
  restore(): void {
    if (!this.#away) return
    this.#away = false
    this.tell({ kind: 'reset' })
  }

  listen(listener: (event: DriverEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** What happens while the engine is away is heard by nobody. */
  tell(event: DriverEvent): void {
    if (this.#away) return
    for (const listener of this.#listeners) listener(event)
  }

  print(serverId: string, text: string): void {
    const server = this.servers.get(serverId)
    if (!server) return
    const lines = (server.rest + text).split('\n')
    server.rest = lines.pop() ?? ''
    server.lines.run.push(...lines)
    if (server.lines.run.length > KEPT_LINES)
      server.lines.run.splice(0, server.lines.run.length - KEPT_LINES)
    this.broadcaster.hand(serverId, new TextEncoder().encode(text))
  }

  /** Ends a workload. Nothing happens when it does not run. */
  end(
    serverId: string,
    how: { code: number; signal?: Signal; outOfMemory?: boolean; cause?: ExitCause },
  ): void {
    const workload = this.servers.get(serverId)?.workload
    if (!workload?.running) return
    const at = new Date()
    const outOfMemory = how.outOfMemory ?? false
    if (outOfMemory) this.tell({ kind: 'out-of-memory', serverId, at })
    workload.running = false
    const cause = isMachine(workload.spec) ? { cause: how.cause ?? causeOf(how) } : {}
    workload.lastExit = { code: how.code, signal: how.signal ?? null, outOfMemory, at, ...cause }
    this.tell({ kind: 'exited', serverId, exit: workload.lastExit })
  }

  endBySignal(serverId: string, signal: Signal): void {
    const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1] ?? 9
    this.end(serverId, { code: 128 + number, signal })
  }

  /** The server whose running workload holds this port, if any. */
  holderOfPort(port: PortPublication): string | null {
    for (const [serverId, { workload }] of this.servers) {
      if (!workload?.running || isMachine(workload.spec)) continue
      const taken = workload.spec.ports.some(
        (own) =>
          own.hostPort === port.hostPort &&
          own.protocol === port.protocol &&
          own.hostAddress === port.hostAddress,
      )
      if (taken) return serverId
    }
    return null
  }
}

const causeOf = ({ code, signal }: { code: number; signal?: Signal }): ExitCause => {
  if (signal === 'SIGKILL') return 'ended'
  return code === 0 || signal === 'SIGTERM' ? 'shutdown' : 'panic'
}

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

/** One fake workload. */
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

/** A workload that was created but not yet started. */
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

/** The contents of a fake machine: each part is a short text, so that copies can be compared. */
export interface FakeMachine {
  spec: MachineSpec
  readonly parts: Map<string, string>
  readonly snapshots: Map<string, { info: SnapshotInfo; parts: ReadonlyMap<string, string> }>
  /** Number of copies under way; they keep it from starting. */
  copying: number
}

/** What is beside the data of a fake server. */
export interface FakeExchange {
  staged: {
    readonly restoreId: string
    complete: boolean
    readonly ignored?: readonly string[]
  } | null
  swapped: { readonly restoreId: string; inPlace: 'restored' | 'former' } | null
}

/** The runtime's state of one server. */
export interface FakeServer {
  record: ServerRef & { readonly fingerprint: string }
  workload: FakeWorkload | null
  readonly lines: { run: string[]; install: string[] }
  /** The current line, not yet terminated. */
  rest: string
}

/**
 * The fake engine, which outlives driver objects: several can share one, as an agent before and
 * after a restart shares a real engine.
 */
export class FakeRuntime {
  readonly servers = new Map<string, FakeServer>()
  readonly machines = new Map<string, FakeMachine>()
  /** What an import has downloaded so far. */
  readonly imports = new Map<string, { manifest: MachineManifest; parts: Map<string, string> }>()
  /** Fingerprints and sizes of the cached media. */
  readonly media = new Map<string, number>()
  /** Contents of data folders, by path. */
  readonly folders = new Map<string, string>()
  /** The data folders of servers on shared storages. */
  readonly shared = new Map<string, string>()
  /** What those of machines contain, by path. Nodes that share a storage share this. */
  readonly disks = new Map<string, Pick<FakeMachine, 'parts' | 'snapshots'>>()
  /** Whole copies that are not in place, by server and folder, with the parts of machines. */
  readonly copies = new Map<string, Partial<Pick<FakeMachine, 'parts'>>>()
  readonly exchanges = new Map<string, FakeExchange>()
  /** What backups left out, by snapshot. */
  readonly leftOut = new Map<string, readonly string[]>()
  /** What restores left as it was, by server. */
  readonly carried = new Map<string, readonly string[]>()
  /** Contents of backups, by repository and snapshot. */
  readonly repositories = new Map<string, Map<string, string>>()
  readonly broadcaster = new Broadcaster()
  readonly #listeners = new Set<(event: DriverEvent) => void>()
  #away = false

  /** Throws `runtime_unavailable` while the engine is unavailable. */
  check(): void {
    if (this.#away)
      throw new DriverError('runtime_unavailable', 'The engine is away.', { retryable: true })
  }

  get away(): boolean {
    return this.#away
  }

  /** Cuts every connection; workloads keep running. */
  drop(): void {
    this.#away = true
  }

  /** Makes the engine available again and sends `reset` to every reader of events. */
  restore(): void {
    if (!this.#away) return
    this.#away = false
    this.tell({ kind: 'reset' })
  }

  listen(listener: (event: DriverEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Emits an event. Events while the engine is unavailable are lost, as with a real engine. */
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

  /** Ends a workload. Does nothing when it is not running. */
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

import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { BackupStore } from '@lodge/driver/backup-store.ts'
import type { Capability } from '@lodge/driver/capabilities.ts'
import {
  DriverError,
  type DriverEvent,
  type DriverWith,
  type ExitCause,
} from '@lodge/driver/driver.ts'
import { specFingerprint } from '@lodge/driver/fingerprint.ts'
import { type SharedStorages, sharedStorages } from '@lodge/driver/storage/shared-storages.ts'
import type { Signal } from '@lodge/shared/container-spec.ts'
import { isMachine, type WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { NetworkOpening } from '@lodge/shared/network-opening.ts'
import { fakeBackupStore } from './backup-store.ts'
import { fakeBackups } from './backups.ts'
import { fakeConsole } from './console.ts'
import { defaultKnobs } from './default-knobs.ts'
import { fakeFiles, makeDataFolder } from './files.ts'
import { fakeInstalls } from './installer.ts'
import type { FakeKnobs } from './knobs.ts'
import { fakeMachines, requireBootable, shapeMachine } from './machines.ts'
import { pause } from './pause.ts'
import { play } from './play.ts'
import { programOf } from './program.ts'
import { queue } from './queue.ts'
import { fakeRelocation } from './relocation.ts'
import { FakeRuntime, idleWorkload } from './runtime.ts'
import { checkSpec } from './spec.ts'

export interface FakeOptions extends Partial<FakeKnobs> {
  /** Shares the state of another driver object. */
  readonly runtime?: FakeRuntime
  /** Creates data folders here; without it they are only paths. */
  readonly dataRoot?: string
  /** File systems that other nodes have mounted, too. */
  readonly storages?: SharedStorages
}

type Capable = DriverWith<Capability, WorkloadSpec>

export interface FakeDriver extends Capable {
  readonly knobs: FakeKnobs
  readonly runtime: FakeRuntime
  /** Where the agent keeps backups of its servers. */
  readonly backupStore: BackupStore
  /** Ends a workload as a crash would. */
  crash(
    serverId: string,
    how?: { code?: number; signal?: Signal; outOfMemory?: boolean; cause?: ExitCause },
  ): void
  /** Prints this as the workload. */
  print(serverId: string, text: string): void
  /** Removes the workload externally; the data is kept. */
  lose(serverId: string): void
  /** The networks last opened for workloads; null before the first call. */
  opened(): readonly NetworkOpening[] | null
  /** Every input line so far. */
  inputs(serverId: string): readonly string[]
  /** Makes the engine unavailable until `restoreRuntime`; workloads keep running. */
  dropRuntime(): void
  restoreRuntime(): void
}

/** A driver whose servers are entries of a map, for tests of scale and of faults. */
export function fakeDriver(options: FakeOptions = {}): FakeDriver {
  const { runtime = new FakeRuntime(), dataRoot, storages, ...given } = options
  const knobs: FakeKnobs = { ...defaultKnobs(), ...given }
  const own = (serverId: string) => join(dataRoot ?? '/var/lib/lodge-fake', serverId)
  const folder = (serverId: string) => runtime.shared.get(serverId) ?? own(serverId)
  const relocation = fakeRelocation({
    ...{ runtime, knobs, own, folder },
    storages: storages ?? sharedStorages(new Map()),
    hasFolders: dataRoot !== undefined,
  })
  const place = relocation.follow
  const installs = fakeInstalls({
    runtime,
    knobs,
    remember,
    folder,
    hasFolders: dataRoot !== undefined,
    place,
  })
  const files = fakeFiles(runtime, knobs, folder)
  let opened: readonly NetworkOpening[] | null = null

  function remember(
    server: { serverId: string; generation: number; run: number },
    fingerprint: string,
  ) {
    const { serverId, generation, run } = server
    const record = { serverId, generation, run, fingerprint }
    const known = runtime.servers.get(serverId)
    if (known) known.record = record
    const entry = known ?? { record, workload: null, lines: { run: [], install: [] }, rest: '' }
    runtime.servers.set(serverId, entry)
    return entry
  }

  /** Does what the workload's program does right after its start. */
  async function live(serverId: string, startedAt: Date): Promise<void> {
    const workload = runtime.servers.get(serverId)?.workload
    if (!workload) return
    const isThisRun = () => workload.running && workload.startedAt === startedAt
    const print = (text: string) => isThisRun() && runtime.print(serverId, text)
    const { spec } = workload
    const program = programOf(spec)
    for (const line of knobs.output) print(`${line}\n`)
    if (program) {
      await play(program, {
        print,
        environment: isMachine(spec) ? {} : spec.environment,
        folder: folder(serverId),
      })
      if (program.kind === 'deaf') workload.deaf = true
      if (program.kind === 'exit' && isThisRun()) runtime.end(serverId, { code: program.code })
      if (program.kind === 'grow' && isThisRun()) {
        runtime.end(serverId, { code: 137, signal: 'SIGKILL', outOfMemory: true })
      }
    }
    if (knobs.exitAfterMs === null) return
    await delay(knobs.exitAfterMs, undefined, { ref: false })
    if (isThisRun()) runtime.end(serverId, { code: knobs.exitCode })
  }

  const driver: FakeDriver = {
    kind: 'fake',
    runs: ['container', 'machine'],
    ...fakeMachines(runtime, knobs, remember, place),
    backups: fakeBackups(runtime, folder),
    relocation: relocation.offered,
    backupStore: fakeBackupStore(runtime, knobs),
    knobs,
    runtime,

    async probe() {
      return runtime.away ? { ok: false, why: 'The engine is away.' } : { ok: true, version: '1.0' }
    },

    async recover() {
      runtime.check()
      return [...runtime.servers.values()].map(({ record, workload }) => ({
        ...record,
        fingerprint: workload?.fingerprint ?? record.fingerprint,
        running: workload?.running ?? false,
        startedAt: workload?.startedAt ?? null,
        lastExit: workload && !workload.running ? workload.lastExit : null,
        exists: workload !== null,
      }))
    },

    async apply(server, spec, _onProgress, signal) {
      runtime.check()
      checkSpec(server.serverId, spec)
      await pause(knobs.applyDelayMs, signal)
      if (knobs.applyError) throw knobs.applyError
      const fingerprint = specFingerprint(spec)
      const present = runtime.servers.get(server.serverId)?.workload ?? null
      const keep = present !== null && (present.running || present.fingerprint === fingerprint)
      const restartRequired = keep && present.fingerprint !== fingerprint
      if (restartRequired) return { restartRequired, diskLimit: knobs.diskLimit }
      await place(server.serverId, spec)
      if (dataRoot !== undefined) await makeDataFolder(folder(server.serverId))
      const entry = remember(server, fingerprint)
      if (isMachine(spec)) await shapeMachine(runtime, knobs, server.serverId, spec)
      if (keep) present.spec = spec
      else entry.workload = idleWorkload(server, fingerprint, spec)
      return { restartRequired: false, diskLimit: knobs.diskLimit }
    },

    async start(serverId, signal, permit) {
      runtime.check()
      const workload = runtime.servers.get(serverId)?.workload
      if (!workload) throw new DriverError('not_found', 'There is no such server.')
      if (workload.running) return
      if (isMachine(workload.spec)) requireBootable(runtime, serverId, permit)
      await place(serverId, workload.spec)
      await pause(knobs.startDelayMs, signal)
      if (knobs.startError) throw knobs.startError
      const ports = isMachine(workload.spec) ? [] : workload.spec.ports
      const busy = ports.find((port) => runtime.holderOfPort(port) !== null)
      if (busy) {
        const message = `Port ${busy.hostPort} is in use on this machine.`
        throw new DriverError('port_in_use', message, { retryable: true })
      }
      const at = new Date()
      workload.startedAt = at
      workload.running = true
      workload.deaf = knobs.deaf
      runtime.tell({ kind: 'started', serverId, at })
      void live(serverId, at)
    },

    async signal(serverId, signal) {
      runtime.check()
      const workload = runtime.servers.get(serverId)?.workload
      if (!workload?.running || (workload.deaf && signal !== 'SIGKILL')) return
      if (ENDING.has(signal)) runtime.endBySignal(serverId, signal)
    },

    async kill(serverId) {
      runtime.check()
      installs.end(serverId)
      runtime.endBySignal(serverId, 'SIGKILL')
    },

    async remove(serverId, andShared) {
      if (knobs.removeError) throw knobs.removeError
      await driver.kill(serverId)
      await files.release(serverId)
      const known = runtime.servers.get(serverId)
      runtime.servers.delete(serverId)
      runtime.machines.delete(serverId)
      runtime.imports.delete(serverId)
      runtime.exchanges.delete(serverId)
      for (const key of runtime.copies.keys())
        if (key.startsWith(`${serverId} `)) runtime.copies.delete(key)
      const data = folder(serverId)
      const isKept = runtime.shared.delete(serverId) && !andShared
      if (!isKept) {
        for (const place of ['', '.restore', '.former']) runtime.folders.delete(`${data}${place}`)
        // Folders within the data, such as what restored files have replaced.
        for (const one of runtime.folders.keys())
          if (one.startsWith(`${data}/`)) runtime.folders.delete(one)
        runtime.disks.delete(data)
      }
      if (known?.workload) runtime.tell({ kind: 'removed', serverId, at: new Date() })
      // On a storage, beside the data lies who has them.
      const place = data === own(serverId) ? data : dirname(data)
      if (dataRoot !== undefined && !isKept) await rm(place, { recursive: true, force: true })
    },

    events(signal) {
      const events = queue<DriverEvent>(signal)
      const stop = runtime.listen(events.push)
      signal.addEventListener('abort', stop, { once: true })
      return events.read()
    },

    async sample() {
      runtime.check()
      const at = new Date()
      const running = [...runtime.servers].filter(([, { workload }]) => workload?.running)
      return running.map(([serverId]) => ({
        serverId,
        at,
        cpuPercent: knobs.cpuPercent,
        memoryBytes: knobs.memoryBytes,
        networkRxBytes: 0,
        networkTxBytes: 0,
        diskBytes: knobs.diskBytes,
      }))
    },

    installer: installs.installer,
    console: fakeConsole(runtime, knobs),
    files,

    images: {
      report: async () => knobs.images,
      mirrors: async () => [],
      async freeNow() {
        const { count, bytes, unusedCount: removed, unusedBytes: freedBytes } = knobs.images
        knobs.images = {
          count: count - removed,
          bytes: bytes - freedBytes,
          unusedCount: 0,
          unusedBytes: 0,
        }
        return { removed, freedBytes }
      },
    },
    networks: {
      async open(networks) {
        opened = networks
      },
    },
    opened: () => opened,
    // Its workloads are no processes.
    tracesOf: async () => [],
    dataFolder: folder,

    crash(serverId, how = {}) {
      runtime.end(serverId, { code: how.code ?? 1, ...how })
    },
    print: (serverId, text) => runtime.print(serverId, text),
    lose(serverId) {
      const server = runtime.servers.get(serverId)
      if (!server?.workload) return
      runtime.endBySignal(serverId, 'SIGKILL')
      server.workload = null
      runtime.tell({ kind: 'removed', serverId, at: new Date() })
    },
    inputs: (serverId) => runtime.servers.get(serverId)?.workload?.inputs ?? [],
    dropRuntime: () => runtime.drop(),
    restoreRuntime: () => runtime.restore(),
  }
  return driver
}

const ENDING = new Set<Signal>(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGABRT', 'SIGKILL'])

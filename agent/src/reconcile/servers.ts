import type { WorkloadKind, WorkloadSample } from '@lodge/driver/driver.ts'
import type { DesiredServer, ServerObserved } from '@lodge/proto/server.ts'
import { isMachine } from '@lodge/shared/machine-spec.ts'
import { adoptedPlacement, releasedPlacement } from '../journal/released.ts'
import type { AskedServer } from '../players/player-watch.ts'
import { Runtime, type RuntimeOptions } from './runtime.ts'
import { ServerReconciler } from './server-reconciler.ts'
import {
  type DesiredState,
  desiredFromDocument,
  readDesired,
  withOwnPower,
} from './state/desired-state.ts'
import { Memory } from './state/memory.ts'
import { observe } from './state/observe.ts'
import type { Surroundings } from './state/surroundings.ts'
import { judgeDisk } from './steps/disk-full.ts'

/**
 * Observation numbers are reserved in the journal in blocks, so that they keep growing across
 * restarts without a write for each.
 */
const OBSERVATIONS = 10_000
/** How often to look whether a workload still runs, in case its end is not told. */
const LOOK_MS = 5_000

export interface ServersOptions extends Omit<Surroundings, 'look' | 'sharesPort' | 'driver'> {
  /** The driver for each kind of server; one driver may run both. */
  readonly drivers: Readonly<Record<WorkloadKind, RuntimeOptions['driver']>>
  /** The machine has rebooted since the journal was last written. */
  readonly rebooted: boolean
  /** After a reboot, start servers without confirmation once the control plane is away. */
  readonly offlineStart: boolean
}

/** All servers of the node, each with a reconciler on the runtime of its kind. */
export class Servers {
  readonly #options: ServersOptions
  readonly #reconcilers = new Map<string, ServerReconciler>()
  readonly #runtimes: Readonly<Record<WorkloadKind, Runtime>>
  #named = new Set<string>()
  #observation: number
  #reserved = 0

  constructor(options: ServersOptions) {
    this.#options = options
    const { journal, clock, log, drivers, rebooted, ...rest } = options
    const shared = { ...rest, journal, clock, log }
    const runtimeOf = (driver: RuntimeOptions['driver']) =>
      new Runtime({ driver, shared, reconcilers: this.#reconcilers, rebooted })
    const container = runtimeOf(drivers.container)
    const machine = drivers.machine === drivers.container ? container : runtimeOf(drivers.machine)
    this.#runtimes = { container, machine }
    this.#observation = Math.max(Number(journal.setting('observation') ?? 0), clock.nowMs() * 1000)
    for (const [serverId, document] of journal.servers()) {
      const memory = Memory.safeParse(document)
      if (memory.success) this.#restore(serverId, memory.data)
      else log.warn({ serverId }, 'the journal entry of a server cannot be read')
    }
  }

  /** Each runtime once. */
  get runtimes(): Runtime[] {
    return [...new Set(Object.values(this.#runtimes))]
  }

  /** Resolves when the inventory of every runtime has been read. */
  get recovered(): Promise<unknown> {
    return Promise.all(this.runtimes.map(({ recovered }) => recovered))
  }

  /** Resolves when it is known whether this server runs. */
  async knows(serverId: string): Promise<void> {
    const around = this.find(serverId)?.around
    await this.runtimes.find((runtime) => runtime.around === around)?.recovered
  }

  /** The servers of one runtime. */
  of(runtime: Runtime): ServerReconciler[] {
    return [...this.#reconcilers.values()].filter(({ around }) => around === runtime.around)
  }

  reconcilers(): Iterable<ServerReconciler> {
    return this.#reconcilers.values()
  }

  find(serverId: string): ServerReconciler | undefined {
    return this.#reconcilers.get(serverId)
  }

  /** Starts every runtime; each acts once its inventory has been read. */
  start(): void {
    for (const runtime of this.runtimes) runtime.start()
  }

  /** Stops watching; servers keep running. */
  async stop(): Promise<void> {
    for (const reconciler of this.#reconcilers.values()) reconciler.close()
    await Promise.all(this.runtimes.map((runtime) => runtime.stop()))
  }

  /** Applies a desired state received from the control plane. */
  setDesired(message: DesiredServer): void {
    this.#named.add(message.serverId)
    const known = this.#reconcilers.get(message.serverId)
    const desired = readDesired(message, known?.desired ?? null)
    if (this.#isGivenAway(desired)) return
    const reconciler = known ?? this.#add(message.serverId, desired.kind)
    // Its files came from another node: as with an adopted one, the newest installation is theirs.
    if (!known && this.#cameHere(desired)) reconciler.memory.installed = -1
    reconciler.setFailover(message.failover)
    reconciler.setDesired(desired)
  }

  /** Those whose runtime was told to boot them, by an earlier agent, too, and has not answered. */
  booting(): string[] {
    return [...this.#reconcilers].flatMap(([serverId, { memory }]) =>
      memory.booting ? [serverId] : [],
    )
  }

  /** What servers under the lease of this node may do has changed. */
  leaseChanged(): void {
    for (const reconciler of this.#reconcilers.values())
      if (reconciler.isUnderLease) reconciler.wake()
  }

  /**
   * Whether a desired state refers to a placement given to another node. One that was in flight
   * during the move must not create a second copy here.
   */
  #isGivenAway({ serverId, removed, placementGeneration }: DesiredState): boolean {
    const newest = releasedPlacement(this.#options.journal, serverId)
    return !removed && placementGeneration <= newest
  }

  #cameHere({ serverId, placementGeneration }: DesiredState): boolean {
    return adoptedPlacement(this.#options.journal, serverId) === placementGeneration
  }

  /** A new stream begins: restarts the list of servers named on it. */
  newRound(): void {
    this.#named = new Set()
  }

  /**
   * The control plane has sent its full list. Servers not on it are stopped, but their data is
   * kept.
   */
  endRound(): void {
    const named = this.#named
    this.#named = new Set()
    for (const [serverId, reconciler] of this.#reconcilers) {
      if (named.has(serverId)) continue
      if (reconciler.memory.gone || this.#hasNothing(reconciler)) {
        this.#forget(serverId, reconciler)
        continue
      }
      if (!reconciler.disowned) {
        this.#options.log.warn(
          { serverId },
          'this server is no longer assigned to this node: stopping it and keeping its data',
        )
      }
      reconciler.setDesired(null)
    }
  }

  /** Its runtime has said so. Before that, it may have it, and has to stay guarded. */
  #hasNothing(reconciler: ServerReconciler): boolean {
    const { facts, memory, work } = reconciler
    const isHere = facts.exists || facts.running || work !== null || memory.booting
    return this.#isKnown(reconciler) && !isHere
  }

  /** Adopts a machine imported from another node, stopped, with its disks as they were there. */
  async imported(serverId: string): Promise<void> {
    await this.#runtimes.machine.takeIn(serverId)
  }

  /** Another node has it: stops it, as its owner would, and keeps what it has. */
  async superseded(serverId: string, signal: AbortSignal): Promise<void> {
    const reconciler = this.#reconcilers.get(serverId)
    if (!reconciler) return
    if (!reconciler.disowned) reconciler.setDesired(null)
    const running = () => reconciler.facts.running || reconciler.memory.booting
    while (running() && !signal.aborted)
      await reconciler.ends.wait(this.#options.clock, running, LOOK_MS, signal)
    signal.throwIfAborted()
  }

  /** Forgets a server after everything of it has been removed. */
  discarded(serverId: string): void {
    const reconciler = this.#reconcilers.get(serverId)
    if (reconciler) this.#forget(serverId, reconciler)
  }

  /**
   * The control plane is away. After a reboot the node then starts what it last was to run, if it may.
   * It asks first, because its servers may have been brought back elsewhere meanwhile.
   */
  alone(): void {
    const { rebooted, offlineStart } = this.#options
    if (!rebooted || !offlineStart) return
    for (const reconciler of this.#reconcilers.values()) {
      reconciler.confirmed = true
      reconciler.wake()
    }
  }

  /** Applies resource samples of the node's servers. */
  measured(samples: readonly WorkloadSample[]): void {
    for (const { serverId, diskBytes } of samples) {
      const reconciler = this.#reconcilers.get(serverId)
      if (reconciler && diskBytes !== null) judgeDisk(reconciler, diskBytes)
    }
  }

  /** How to query a server's players, and its ports; undefined when not configured. */
  playersOf(serverId: string): AskedServer | undefined {
    const reconciler = this.#reconcilers.get(serverId)
    const query = reconciler?.desired?.query
    const spec = reconciler?.spec
    return query && spec && !isMachine(spec) ? { query, ports: spec.ports } : undefined
  }

  /** A server whose state is known and whose desired state is the newest that was received. */
  settledServer(serverId: string): ServerReconciler | undefined {
    const reconciler = this.#reconcilers.get(serverId)
    if (!reconciler?.desired || reconciler.desired.removed) return undefined
    return reconciler.confirmed && this.#isKnown(reconciler) ? reconciler : undefined
  }

  observation(serverId: string): ServerObserved | undefined {
    const reconciler = this.#reconcilers.get(serverId)
    return reconciler && this.#isKnown(reconciler) ? observe(reconciler, this.#number()) : undefined
  }

  /** Observations of the servers whose runtime has answered; the state of the others is unknown. */
  inventory(): ServerObserved[] {
    return [...this.#reconcilers.values()]
      .filter((reconciler) => this.#isKnown(reconciler))
      .map((reconciler) => observe(reconciler, this.#number()))
  }

  #isKnown(reconciler: ServerReconciler): boolean {
    return this.runtimes.some(
      ({ around, isRecovered }) => isRecovered && around === reconciler.around,
    )
  }

  #restore(serverId: string, memory: Memory): void {
    const { rebooted, journal, log } = this.#options
    let desired: ReturnType<typeof desiredFromDocument> | null = null
    try {
      desired = memory.desired === null ? null : desiredFromDocument(memory.desired)
    } catch (error) {
      log.warn({ err: error, serverId }, 'the last desired state of a server cannot be read')
    }
    const { around } = this.#runtimes[desired?.kind ?? memory.kind]
    const reconciler = new ServerReconciler(serverId, around, memory)
    this.#reconcilers.set(serverId, reconciler)
    if (memory.desired === null) return
    // Another node has it: what was desired here before counts no more.
    if (desired && desired.placementGeneration <= releasedPlacement(journal, serverId)) return
    reconciler.desired = desired && withOwnPower(desired, memory)
    reconciler.spec = desired?.spec ?? null
    reconciler.confirmed = !rebooted
  }

  #add(serverId: string, kind: WorkloadKind): ServerReconciler {
    const runtime = this.#runtimes[kind]
    const reconciler = new ServerReconciler(serverId, runtime.around)
    reconciler.memory.kind = kind
    this.#reconcilers.set(serverId, reconciler)
    if (runtime.isRecovered) reconciler.ready()
    return reconciler
  }

  #forget(serverId: string, reconciler: ServerReconciler): void {
    reconciler.close()
    this.#reconcilers.delete(serverId)
    const { journal } = this.#options
    // A later agent that still finds it there forgets it in the same way.
    journal.attempt(() => journal.forgetServer(serverId))
    if (reconciler.isUnderLease)
      this.#options.leases.release(serverId).catch((error: unknown) => {
        // It hears of it when it answers again.
        this.#options.log.warn({ err: error, serverId }, 'the guard did not release a server')
      })
    this.#options.console(serverId).close()
    this.#options.installLog(serverId).close()
    this.#options.forgotten(serverId)
  }

  #number(): number {
    this.#observation += 1
    if (this.#observation > this.#reserved) {
      const { journal } = this.#options
      const until = this.#observation + OBSERVATIONS
      // Without it, numbers go on with the time.
      if (journal.attempt(() => journal.saveSetting('observation', String(until))))
        this.#reserved = until
    }
    return this.#observation
  }
}

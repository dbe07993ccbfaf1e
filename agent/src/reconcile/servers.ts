import type { WorkloadSample } from '@lodge/driver/driver.ts'
import type { DesiredServer, ServerObserved } from '@lodge/proto/server.ts'
import { releasedPlacement } from '../journal/released.ts'
import { judgeDisk } from './disk-full.ts'
import { Keeper } from './keeper.ts'
import { Memory } from './memory.ts'
import { observe } from './observe.ts'
import { Runtime, type RuntimeOptions } from './runtime.ts'
import type { Surroundings } from './surroundings.ts'
import { readWish, type Wish, type WorkloadKind, wishFromDocument } from './wish.ts'

/** Observation numbers are reserved in the journal in blocks, so that they grow over every restart. */
const OBSERVATIONS = 10_000

export interface ServersOptions extends Omit<Surroundings, 'look' | 'driver'> {
  /** What runs each kind of server; one driver may run both. */
  readonly drivers: Readonly<Record<WorkloadKind, RuntimeOptions['driver']>>
  /** The machine has booted since the journal was last written. */
  readonly rebooted: boolean
  /** Start after a reboot without the control plane's word. */
  readonly offlineStart: boolean
}

/** All servers of the node: one keeper each, on the runtime of its kind. */
export class Servers {
  readonly #options: ServersOptions
  readonly #keepers = new Map<string, Keeper>()
  readonly #runtimes: Readonly<Record<WorkloadKind, Runtime>>
  #named = new Set<string>()
  #observation: number
  #reserved = 0

  constructor(options: ServersOptions) {
    this.#options = options
    const { journal, clock, log, drivers, rebooted, ...rest } = options
    const shared = { ...rest, journal, clock, log }
    const runtimeOf = (driver: RuntimeOptions['driver']) =>
      new Runtime({ driver, shared, keepers: this.#keepers, rebooted })
    const container = runtimeOf(drivers.container)
    const machine = drivers.machine === drivers.container ? container : runtimeOf(drivers.machine)
    this.#runtimes = { container, machine }
    this.#observation = Math.max(Number(journal.setting('observation') ?? 0), clock.nowMs() * 1000)
    for (const [serverId, document] of journal.servers()) {
      const memory = Memory.safeParse(document)
      if (memory.success) this.#restore(serverId, memory.data)
      else log.warn({ serverId }, 'what was remembered of a server cannot be read')
    }
  }

  /** Each runtime once. */
  get runtimes(): Runtime[] {
    return [...new Set(Object.values(this.#runtimes))]
  }

  /** Resolves when every runtime has told what it keeps. */
  get recovered(): Promise<unknown> {
    return Promise.all(this.runtimes.map(({ recovered }) => recovered))
  }

  /** The servers of one runtime. */
  of(runtime: Runtime): Keeper[] {
    return [...this.#keepers.values()].filter(({ around }) => around === runtime.around)
  }

  keepers(): Iterable<Keeper> {
    return this.#keepers.values()
  }

  find(serverId: string): Keeper | undefined {
    return this.#keepers.get(serverId)
  }

  /** Takes in what the runtimes keep, each as soon as it answers, and then acts. */
  start(): void {
    for (const runtime of this.runtimes) runtime.start()
  }

  /** Servers keep running; only the watching ends. */
  async stop(): Promise<void> {
    for (const keeper of this.#keepers.values()) keeper.close()
    await Promise.all(this.runtimes.map((runtime) => runtime.stop()))
  }

  /** A wish was received. */
  wish(desired: DesiredServer): void {
    this.#named.add(desired.serverId)
    const known = this.#keepers.get(desired.serverId)
    const wish = readWish(desired, known?.wish ?? null)
    if (this.#isGivenAway(wish)) return
    const keeper = known ?? this.#add(desired.serverId, wish.kind)
    keeper.setWish(wish)
  }

  /** A wish that was on its way while the machine was given to another node makes no second one here. */
  #isGivenAway({ serverId, kind, removed, placementGeneration }: Wish): boolean {
    const newest = releasedPlacement(this.#options.journal, serverId)
    return kind === 'machine' && !removed && placementGeneration <= newest
  }

  /** A new stream begins: wishes are counted anew. */
  newRound(): void {
    this.#named = new Set()
  }

  /** Everything wished was named: the rest is not ours to keep running, but its data is kept. */
  endRound(): void {
    const named = this.#named
    this.#named = new Set()
    for (const [serverId, keeper] of this.#keepers) {
      if (named.has(serverId)) continue
      if (keeper.memory.gone || !(keeper.facts.exists || keeper.facts.running || keeper.work)) {
        this.#forget(serverId, keeper)
        continue
      }
      if (!keeper.disowned) {
        this.#options.log.warn(
          { serverId },
          'nobody wishes this server here: it is stopped and its data is kept',
        )
      }
      keeper.setWish(null)
    }
  }

  /** A machine was brought here from another node: it is stopped, and its disk is as it was there. */
  async imported(serverId: string): Promise<void> {
    await this.#runtimes.machine.takeIn(serverId)
  }

  /** Nothing of this server is here any more. */
  discarded(serverId: string): void {
    const keeper = this.#keepers.get(serverId)
    if (keeper) this.#forget(serverId, keeper)
  }

  /** Takes in what the servers of the node use now. */
  measured(samples: readonly WorkloadSample[]): void {
    for (const { serverId, diskBytes } of samples) {
      const keeper = this.#keepers.get(serverId)
      if (keeper && diskBytes !== null) judgeDisk(keeper, diskBytes)
    }
  }

  observation(serverId: string): ServerObserved | undefined {
    const keeper = this.#keepers.get(serverId)
    return keeper && this.#isKnown(keeper) ? observe(keeper, this.#number()) : undefined
  }

  /** Of the servers whose runtime has answered; the others are not known to be running or not. */
  inventory(): ServerObserved[] {
    return [...this.#keepers.values()]
      .filter((keeper) => this.#isKnown(keeper))
      .map((keeper) => observe(keeper, this.#number()))
  }

  #isKnown(keeper: Keeper): boolean {
    return this.runtimes.some(({ around, isRecovered }) => isRecovered && around === keeper.around)
  }

  #restore(serverId: string, memory: Memory): void {
    const { rebooted, offlineStart, log } = this.#options
    let wish: ReturnType<typeof wishFromDocument> | null = null
    try {
      wish = memory.wish === null ? null : wishFromDocument(memory.wish)
    } catch (error) {
      log.warn({ err: error, serverId }, 'the last wish of a server cannot be read')
    }
    const { around } = this.#runtimes[wish?.kind ?? memory.kind]
    const keeper = new Keeper(serverId, around, memory)
    this.#keepers.set(serverId, keeper)
    if (memory.wish === null) return
    keeper.wish = wish
    keeper.spec = wish?.spec ?? null
    keeper.confirmed = !rebooted || offlineStart
  }

  #add(serverId: string, kind: WorkloadKind): Keeper {
    const runtime = this.#runtimes[kind]
    const keeper = new Keeper(serverId, runtime.around)
    keeper.memory.kind = kind
    this.#keepers.set(serverId, keeper)
    if (runtime.isRecovered) keeper.ready()
    return keeper
  }

  #forget(serverId: string, keeper: Keeper): void {
    keeper.close()
    this.#keepers.delete(serverId)
    this.#options.journal.forgetServer(serverId)
    this.#options.console(serverId).close()
    this.#options.installLog(serverId).close()
    this.#options.forgotten(serverId)
  }

  #number(): number {
    this.#observation += 1
    if (this.#observation > this.#reserved) {
      this.#reserved = this.#observation + OBSERVATIONS
      this.#options.journal.saveSetting('observation', String(this.#reserved))
    }
    return this.#observation
  }
}

import type { RecoveredWorkload, WorkloadSample } from '@lodge/driver/driver.ts'
import type { DesiredServer, ServerObserved } from '@lodge/proto/server.ts'
import { judgeDisk } from './disk-full.ts'
import { Keeper } from './keeper.ts'
import { Memory, newMemory } from './memory.ts'
import { observe } from './observe.ts'
import type { Surroundings } from './surroundings.ts'
import { readWish, wishFromDocument } from './wish.ts'

const RESYNC_MS = 30_000
const RETRY_MS = 2_000
/** Observation numbers are reserved in the journal in blocks, so that they grow over every restart. */
const OBSERVATIONS = 10_000

export interface ServersOptions extends Omit<Surroundings, 'look'> {
  /** The machine has booted since the journal was last written. */
  readonly rebooted: boolean
  /** Start after a reboot without the control plane's word. */
  readonly offlineStart: boolean
}

/** All servers of the node: one keeper each. */
export class Servers {
  readonly #options: ServersOptions
  readonly #around: Surroundings
  readonly #keepers = new Map<string, Keeper>()
  readonly #stop = new AbortController()
  readonly #recovered = Promise.withResolvers<void>()
  #named = new Set<string>()
  #observation: number
  #reserved = 0
  #looking: Promise<readonly RecoveredWorkload[]> | null = null
  #events: Promise<void> = Promise.resolve()

  constructor(options: ServersOptions) {
    this.#options = options
    this.#around = { ...options, look: (serverId) => this.#look(serverId) }
    const { journal, clock, log } = options
    this.#observation = Math.max(Number(journal.setting('observation') ?? 0), clock.nowMs() * 1000)
    for (const [serverId, document] of journal.servers()) {
      const memory = Memory.safeParse(document)
      if (memory.success) this.#restore(serverId, memory.data)
      else log.warn({ serverId }, 'what was remembered of a server cannot be read')
    }
  }

  /** Resolves when the runtime's inventory has been taken in once. */
  get recovered(): Promise<void> {
    return this.#recovered.promise
  }

  keepers(): Iterable<Keeper> {
    return this.#keepers.values()
  }

  find(serverId: string): Keeper | undefined {
    return this.#keepers.get(serverId)
  }

  /** Takes in what the runtime keeps, as soon as it answers, and then acts. */
  start(): void {
    this.#events = this.#follow()
    void this.#recover()
  }

  /** Servers keep running; only the watching ends. */
  async stop(): Promise<void> {
    this.#stop.abort()
    for (const keeper of this.#keepers.values()) keeper.close()
    await this.#events.catch(() => undefined)
  }

  /** A wish was received. */
  wish(desired: DesiredServer): void {
    this.#named.add(desired.serverId)
    const keeper = this.#keepers.get(desired.serverId) ?? this.#add(desired.serverId)
    keeper.setWish(readWish(desired, keeper.wish))
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

  /** Takes in what the servers of the node use now. */
  measured(samples: readonly WorkloadSample[]): void {
    for (const { serverId, diskBytes } of samples) {
      const keeper = this.#keepers.get(serverId)
      if (keeper && diskBytes !== null) judgeDisk(keeper, diskBytes)
    }
  }

  observation(serverId: string): ServerObserved | undefined {
    const keeper = this.#keepers.get(serverId)
    return keeper ? observe(keeper, this.#number()) : undefined
  }

  inventory(): ServerObserved[] {
    return [...this.#keepers.values()].map((keeper) => observe(keeper, this.#number()))
  }

  #restore(serverId: string, memory: Memory): void {
    const { rebooted, offlineStart, log } = this.#options
    const keeper = new Keeper(serverId, this.#around, memory)
    this.#keepers.set(serverId, keeper)
    if (memory.wish === null) return
    try {
      keeper.wish = wishFromDocument(memory.wish)
      keeper.spec = keeper.wish.spec
    } catch (error) {
      log.warn({ err: error, serverId }, 'the last wish of a server cannot be read')
    }
    keeper.confirmed = !rebooted || offlineStart
  }

  #add(serverId: string): Keeper {
    const keeper = new Keeper(serverId, this.#around)
    this.#keepers.set(serverId, keeper)
    if (this.#isRecovered) keeper.ready()
    return keeper
  }
  #isRecovered = false

  #forget(serverId: string, keeper: Keeper): void {
    keeper.close()
    this.#keepers.delete(serverId)
    this.#options.journal.forgetServer(serverId)
    this.#options.console(serverId).close()
    this.#options.installLog(serverId).close()
    this.#options.forgotten(serverId)
  }

  async #recover(): Promise<void> {
    const { driver, clock, log, rebooted } = this.#options
    const { signal } = this.#stop
    while (!signal.aborted) {
      try {
        const found = new Map((await driver.recover(signal)).map((item) => [item.serverId, item]))
        for (const workload of found.values()) this.#meet(workload)
        for (const [serverId, keeper] of this.#keepers) {
          const here = found.get(serverId)
          // What a reboot ended has not crashed.
          const wasUp = keeper.memory.phase === 'starting' || keeper.memory.phase === 'running'
          if (rebooted && wasUp && !here?.running) keeper.phase('stopped')
          keeper.adopt(here)
        }
        this.#isRecovered = true
        for (const keeper of this.#keepers.values()) keeper.ready()
        this.#recovered.resolve()
        this.#tick()
        return
      } catch (error) {
        if (signal.aborted) return
        log.warn({ err: error }, 'the runtime does not answer yet')
        await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve))
      }
    }
  }

  /** A workload that nothing is remembered of: the journal was lost, or somebody else's agent was here. */
  #meet(workload: RecoveredWorkload): void {
    const keeper = this.#keepers.get(workload.serverId)
    if (keeper) {
      if (
        workload.running &&
        (keeper.memory.phase === 'stopped' || keeper.memory.phase === 'crashed')
      ) {
        if (keeper.wish?.power === 'on') keeper.phase('running')
      }
      return
    }
    const memory = newMemory(this.#options.clock.nowMs())
    memory.installed = -1
    memory.run = workload.run
    memory.phase = workload.running ? 'running' : 'stopped'
    const adopted = new Keeper(workload.serverId, this.#around)
    Object.assign(adopted.memory, memory)
    this.#keepers.set(workload.serverId, adopted)
    if (workload.running) {
      adopted.report('adopted', { reason: 'The agent found the server running and took it over' })
    }
  }

  async #follow(): Promise<void> {
    const { driver, clock, log } = this.#options
    const { signal } = this.#stop
    while (!signal.aborted) {
      try {
        for await (const event of driver.events(signal)) {
          if (event.kind === 'reset') void this.#resync()
          else if (this.#isRecovered) this.#keepers.get(event.serverId)?.onEvent(event)
        }
      } catch (error) {
        if (signal.aborted) return
        log.warn({ err: error }, 'the events of the runtime were lost')
      }
      if (signal.aborted) return
      await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve))
      void this.#resync()
    }
  }

  #tick(): void {
    const cancel = this.#options.clock.after(RESYNC_MS, () => {
      void this.#resync().finally(() => {
        if (!this.#stop.signal.aborted) this.#tick()
      })
    })
    this.#stop.signal.addEventListener('abort', cancel, { once: true })
  }

  async #resync(): Promise<void> {
    if (!this.#isRecovered) return
    const idle = [...this.#keepers.values()].filter((keeper) => keeper.work === null)
    const before = new Map(idle.map((keeper) => [keeper, keeper.facts]))
    try {
      const found = new Map((await this.#listing()).map((item) => [item.serverId, item]))
      for (const [keeper, facts] of before) {
        // Whoever moved meanwhile knows better than this listing.
        if (keeper.work === null && keeper.facts === facts)
          keeper.resync(found.get(keeper.serverId))
      }
    } catch (error) {
      if (!this.#stop.signal.aborted)
        this.#options.log.warn({ err: error }, 'the runtime could not be asked')
    }
  }

  async #look(serverId: string): Promise<RecoveredWorkload | undefined> {
    // A listing under way may be older than what is asked for.
    if (this.#looking) await this.#looking.catch(() => undefined)
    return (await this.#listing()).find((item) => item.serverId === serverId)
  }

  /** One listing serves all who ask at the same moment. */
  #listing(): Promise<readonly RecoveredWorkload[]> {
    this.#looking ??= this.#options.driver.recover(this.#stop.signal).finally(() => {
      this.#looking = null
    })
    return this.#looking
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

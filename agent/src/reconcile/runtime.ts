import type { Driver, RecoveredWorkload } from '@lodge/driver/driver.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import { newMemory } from './memory.ts'
import { ServerReconciler } from './server-reconciler.ts'
import type { Surroundings } from './surroundings.ts'

const RESYNC_MS = 30_000
const RETRY_MS = 2_000

export interface RuntimeOptions {
  readonly driver: Driver<WorkloadSpec>
  readonly shared: Omit<Surroundings, 'look' | 'driver'>
  /** All reconcilers of the node; those of other runtimes are left alone. */
  readonly reconcilers: Map<string, ServerReconciler>
  /** The machine has booted since the journal was last written. */
  readonly rebooted: boolean
}

/**
 * One driver and the reconcilers of its servers: takes in what the runtime keeps as soon as it answers, and
 * what it tells from then on. A runtime that is away holds up nobody but its own servers.
 */
export class Runtime {
  readonly around: Surroundings
  readonly #options: RuntimeOptions
  readonly #stop = new AbortController()
  readonly #recovered = Promise.withResolvers<void>()
  #looking: Promise<readonly RecoveredWorkload[]> | null = null
  #events: Promise<void> = Promise.resolve()
  isRecovered = false

  constructor(options: RuntimeOptions) {
    this.#options = options
    const { driver, shared } = options
    this.around = { ...shared, driver, look: (serverId) => this.#look(serverId) }
  }

  get driver(): Driver<WorkloadSpec> {
    return this.#options.driver
  }

  /** Resolves when the runtime's inventory has been taken in once. */
  get recovered(): Promise<void> {
    return this.#recovered.promise
  }

  /** Takes in what the runtime keeps, as soon as it answers, and then acts. */
  start(): void {
    this.#events = this.#follow()
    void this.#recover()
  }

  /** Servers keep running; only the watching ends. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#events.catch(() => undefined)
  }

  /** A server came into the runtime by other ways than a desired state. */
  async takeIn(serverId: string): Promise<void> {
    const found = await this.#look(serverId)
    if (!found) return
    this.#meet(found)
    const reconciler = this.#options.reconcilers.get(serverId)
    reconciler?.adopt(found)
    reconciler?.save()
    reconciler?.ready()
  }

  #own(): ServerReconciler[] {
    return [...this.#options.reconcilers.values()].filter(
      (reconciler) => reconciler.around === this.around,
    )
  }

  #reconciler(serverId: string): ServerReconciler | undefined {
    const reconciler = this.#options.reconcilers.get(serverId)
    return reconciler?.around === this.around ? reconciler : undefined
  }

  async #recover(): Promise<void> {
    const { rebooted, shared } = this.#options
    const { signal } = this.#stop
    let told = ''
    while (!signal.aborted) {
      try {
        const listed = await this.driver.recover(signal)
        const found = new Map(listed.map((item) => [item.serverId, item]))
        for (const workload of found.values()) this.#meet(workload)
        for (const reconciler of this.#own()) {
          const here = found.get(reconciler.serverId)
          // What a reboot ended has not crashed.
          const wasUp =
            reconciler.memory.phase === 'starting' || reconciler.memory.phase === 'running'
          if (rebooted && wasUp && !here?.running) reconciler.phase('stopped')
          reconciler.adopt(here)
        }
        this.isRecovered = true
        for (const reconciler of this.#own()) reconciler.ready()
        this.#recovered.resolve()
        this.#tick()
        return
      } catch (error) {
        if (signal.aborted) return
        // It is away, or starts only now: where in our program that was noticed is of no use to anybody.
        const why = error instanceof Error ? error.message : String(error)
        if (why !== told)
          shared.log.warn({ driver: this.driver.kind, why }, 'waiting for the runtime')
        told = why
        await new Promise<void>((resolve) => shared.clock.after(RETRY_MS, resolve))
      }
    }
  }

  /** A workload that nothing is remembered of: the journal was lost, or somebody else's agent was here. */
  #meet(workload: RecoveredWorkload): void {
    const { reconcilers, shared } = this.#options
    if (reconcilers.has(workload.serverId)) {
      const reconciler = this.#reconciler(workload.serverId)
      const down = reconciler?.memory.phase === 'stopped' || reconciler?.memory.phase === 'crashed'
      if (workload.running && down && reconciler.desired?.power === 'on')
        reconciler.phase('running')
      return
    }
    const memory = newMemory(shared.clock.nowMs())
    memory.kind = this.driver.runs.includes('container') ? 'container' : 'machine'
    memory.installed = -1
    memory.run = workload.run
    memory.phase = workload.running ? 'running' : 'stopped'
    const adopted = new ServerReconciler(workload.serverId, this.around)
    Object.assign(adopted.memory, memory)
    reconcilers.set(workload.serverId, adopted)
    if (workload.running) {
      adopted.report('adopted', { reason: 'The agent found the server running and took it over' })
    }
  }

  async #follow(): Promise<void> {
    const { clock, log } = this.#options.shared
    const { signal } = this.#stop
    while (!signal.aborted) {
      try {
        for await (const event of this.driver.events(signal)) {
          if (event.kind === 'reset') this.#isBack()
          else if (this.isRecovered) this.#reconciler(event.serverId)?.onEvent(event)
        }
      } catch (error) {
        if (signal.aborted) return
        log.warn({ err: error, driver: this.driver.kind }, 'the events of the runtime were lost')
      }
      if (signal.aborted) return
      await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve))
      this.#isBack()
    }
  }

  /** What happened while it was away was told to nobody, and what failed by that need not wait longer. */
  #isBack(): void {
    if (!this.isRecovered) return
    void this.#resync()
    for (const reconciler of this.#own()) reconciler.retryNow()
  }

  #tick(): void {
    const cancel = this.#options.shared.clock.after(RESYNC_MS, () => {
      void this.#resync().finally(() => {
        if (!this.#stop.signal.aborted) this.#tick()
      })
    })
    this.#stop.signal.addEventListener('abort', cancel, { once: true })
  }

  async #resync(): Promise<void> {
    if (!this.isRecovered) return
    const settled = this.#own().filter(({ work }) => work === null || work === 'end')
    const before = new Map(settled.map((reconciler) => [reconciler, reconciler.facts]))
    try {
      const found = new Map((await this.#listing()).map((item) => [item.serverId, item]))
      for (const [reconciler, facts] of before) {
        // Whoever moved meanwhile knows better than this listing.
        if (reconciler.facts === facts) reconciler.resync(found.get(reconciler.serverId))
      }
    } catch (error) {
      if (this.#stop.signal.aborted) return
      const { log } = this.#options.shared
      log.warn({ err: error, driver: this.driver.kind }, 'the runtime could not be asked')
    }
  }

  async #look(serverId: string): Promise<RecoveredWorkload | undefined> {
    // A listing under way may be older than what is asked for.
    if (this.#looking) await this.#looking.catch(() => undefined)
    return (await this.#listing()).find((item) => item.serverId === serverId)
  }

  /** One listing serves all who ask at the same moment. */
  #listing(): Promise<readonly RecoveredWorkload[]> {
    this.#looking ??= this.driver.recover(this.#stop.signal).finally(() => {
      this.#looking = null
    })
    return this.#looking
  }
}

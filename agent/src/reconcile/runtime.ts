import type { Driver, RecoveredWorkload } from '@lodge/driver/driver.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import { ServerReconciler } from './server-reconciler.ts'
import { newMemory } from './state/memory.ts'
import { sharesPort } from './state/shares-port.ts'
import type { Surroundings } from './state/surroundings.ts'

const RESYNC_MS = 30_000
const RETRY_MS = 2_000
/** A runtime that starts beside the agent, as on a new machine, is nothing to warn of. */
const STARTS_WITHIN_MS = 30_000

export interface RuntimeOptions {
  readonly driver: Driver<WorkloadSpec>
  readonly shared: Omit<Surroundings, 'look' | 'sharesPort' | 'driver'>
  /** All reconcilers of the node; those of other runtimes are ignored. */
  readonly reconcilers: Map<string, ServerReconciler>
  /** The machine has rebooted since the journal was last written. */
  readonly rebooted: boolean
}

/**
 * One driver and the reconcilers of its servers. Reads the runtime's inventory as soon as it
 * answers and follows its events from then on. An unavailable runtime delays only its own servers.
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
    const { driver, shared, reconcilers } = options
    this.around = {
      ...shared,
      driver,
      look: (serverId) => this.#look(serverId),
      sharesPort: (serverId) => sharesPort(reconcilers, serverId),
    }
  }

  get driver(): Driver<WorkloadSpec> {
    return this.#options.driver
  }

  /** Resolves when the runtime's inventory has been read once. */
  get recovered(): Promise<void> {
    return this.#recovered.promise
  }

  /** Starts following the runtime, and acts once its inventory has been read. */
  start(): void {
    this.#events = this.#follow()
    void this.#recover()
  }

  /** Stops watching; servers keep running. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#events.catch(() => undefined)
  }

  /** Adopts a server that reached the runtime by other means than a desired state. */
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
    const beganAt = shared.clock.nowMs()
    let logged = ''
    while (!signal.aborted) {
      try {
        const listed = await this.driver.recover(signal)
        const found = new Map(listed.map((item) => [item.serverId, item]))
        for (const workload of found.values()) this.#meet(workload)
        for (const reconciler of this.#own()) {
          const here = found.get(reconciler.serverId)
          // A server ended by a reboot has not crashed.
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
        // Log without a stack: the runtime is unavailable or still starting, which is no fault of
        // ours.
        const why = error instanceof Error ? error.message : String(error)
        const level = shared.clock.nowMs() - beganAt < STARTS_WITHIN_MS ? 'info' : 'warn'
        if (`${level} ${why}` !== logged)
          shared.log[level]({ driver: this.driver.kind, why }, 'waiting for the runtime')
        logged = `${level} ${why}`
        await new Promise<void>((resolve) => shared.clock.after(RETRY_MS, resolve))
      }
    }
  }

  /** Adopts a workload missing from the journal: it was lost, or another agent was here. */
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

  /** Events from the outage were missed, so resync; retry at once what failed because of it. */
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

  /**
   * Compares the runtime's listing with the facts, because events can be lost. Work under way other
   * than a stop is left alone: its step would race with the listing.
   */
  async #resync(): Promise<void> {
    if (!this.isRecovered) return
    const settled = this.#own().filter(({ work }) => work === null || work === 'end')
    const before = new Map(settled.map((reconciler) => [reconciler, reconciler.facts]))
    try {
      const found = new Map((await this.#listing()).map((item) => [item.serverId, item]))
      for (const [reconciler, facts] of before) {
        // The facts changed during the listing and are newer than it.
        if (reconciler.facts === facts) reconciler.resync(found.get(reconciler.serverId))
      }
    } catch (error) {
      if (this.#stop.signal.aborted) return
      const { log } = this.#options.shared
      log.warn(
        { err: error, driver: this.driver.kind },
        'could not list the workloads of the runtime',
      )
    }
  }

  async #look(serverId: string): Promise<RecoveredWorkload | undefined> {
    // A listing under way may be older than this request.
    if (this.#looking) await this.#looking.catch(() => undefined)
    return (await this.#listing()).find((item) => item.serverId === serverId)
  }

  /** Shares one listing among concurrent callers. */
  #listing(): Promise<readonly RecoveredWorkload[]> {
    this.#looking ??= this.driver.recover(this.#stop.signal).finally(() => {
      this.#looking = null
    })
    return this.#looking
  }
}

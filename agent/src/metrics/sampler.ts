import type { WorkloadSample } from '@lodge/driver/driver.ts'
import type { NodeSample, ServerPlayers } from '@lodge/proto/server.ts'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { AnyDriver } from '../drivers.ts'
import type { Journal } from '../journal/journal.ts'
import { NodeSampler } from './node-sample.ts'
import { Rates } from './rates.ts'

/**
 * While the control plane is unreachable, only one batch per this interval is kept, so that samples
 * do not crowd events out of the journal.
 */
const AWAY_MS = 60_000
const DEADLINE_MS = 10_000

export interface SamplerOptions {
  readonly drivers: readonly AnyDriver[]
  readonly journal: Journal
  readonly clock: Clock
  readonly log: Logger
  readonly dataFolder: string
  readonly isConnected: () => boolean
  readonly reported: () => void
  /** The known players of these servers. */
  readonly players: (running: readonly WorkloadSample[]) => ReadonlyMap<string, ServerPlayers>
  /** Called with each batch of samples. */
  readonly measured: (samples: readonly WorkloadSample[]) => void
}

/** Periodically samples the node and its servers, and records the results as reports. */
export class Sampler {
  readonly #options: SamplerOptions
  readonly #node: NodeSampler
  readonly #rates = new Rates()
  readonly #stop = new AbortController()
  #everyMs = 5_000
  #keptMs = 0
  #cancel: () => void = () => undefined
  /** The newest samples, for the metrics page. */
  latest: { node: NodeSample; servers: readonly WorkloadSample[] } | null = null

  constructor(options: SamplerOptions) {
    this.#options = options
    this.#node = new NodeSampler(options.dataFolder)
  }

  start(): void {
    this.#next()
  }

  every(milliseconds: number): void {
    this.#everyMs = Math.max(1_000, milliseconds)
  }

  stop(): void {
    this.#stop.abort()
    this.#cancel()
  }

  #next(): void {
    if (this.#stop.signal.aborted) return
    this.#cancel = this.#options.clock.after(this.#everyMs, () => {
      void this.#measure().finally(() => this.#next())
    })
  }

  async #measure(): Promise<void> {
    const { drivers, clock, log, journal } = this.#options
    try {
      const nowMs = clock.nowMs()
      const node = await this.#node.sample(new Date(nowMs))
      const deadline = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(DEADLINE_MS)])
      // An unavailable driver costs only the samples of its own servers.
      const answers = await Promise.all(
        drivers.map((driver) =>
          driver.sample(deadline).catch((error: unknown) => {
            log.debug({ err: error, driver: driver.kind }, 'could not sample the servers')
            return []
          }),
        ),
      )
      const servers = answers.flat()
      this.latest = { node, servers }
      const samples = this.#rates.take(servers, this.#options.players(servers))
      if (this.#stop.signal.aborted) return
      this.#options.measured(servers)
      if (!this.#options.isConnected() && nowMs - this.#keptMs < AWAY_MS) return
      this.#keptMs = nowMs
      journal.append({ $case: 'metrics', value: { servers: samples, nodes: [node] } })
      this.#options.reported()
    } catch (error) {
      if (!this.#stop.signal.aborted) log.warn({ err: error }, 'could not sample the node')
    }
  }
}

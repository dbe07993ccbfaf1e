import type { Report } from '@lodge/proto/fleet.ts'
import type { ServerObserved, ServerProgress } from '@lodge/proto/server.ts'
import type { FleetHandlers } from './handlers.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const MAX_LOG_LINES = 500

type Domain = Pick<FleetHandlers, 'observed' | 'progress' | 'reports'>

/** Observations that may be handed over in one call; a complete list stands alone. */
interface Observations {
  readonly complete: boolean
  readonly servers: Map<string, ServerObserved>
}

/**
 * Gathers what one agent tells and hands it to the domains in batches: one call under way at a
 * time, in the order of arrival within each kind. Of two observations of one server only the newer
 * is handed over.
 */
export class Inbox {
  readonly #nodeId: string
  readonly #domain: Domain
  readonly #gatherMs: number
  readonly #applied: (through: number) => void
  readonly #failed: (error: unknown) => void
  readonly #idle: () => void
  #observations: Observations[] = []
  #reports: Report[] = []
  #progress = new Map<string, ServerProgress>()
  #newestReport: number
  #messages = 0
  #running: Promise<void> | undefined
  #active = false
  #closed = false

  constructor(
    nodeId: string,
    domain: Domain,
    given: {
      gatherMs: number
      reportThrough: number
      applied: (through: number) => void
      failed: (error: unknown) => void
      /** Everything taken in has been handed over. */
      idle: () => void
    },
  ) {
    this.#nodeId = nodeId
    this.#domain = domain
    this.#gatherMs = given.gatherMs
    this.#newestReport = given.reportThrough
    this.#applied = given.applied
    this.#failed = given.failed
    this.#idle = given.idle
  }

  /** Messages not handed over yet. */
  get waiting(): number {
    return this.#messages
  }

  inventory(servers: readonly ServerObserved[]): void {
    this.#observations.push({ complete: true, servers: byServer(servers) })
    this.#arrived()
  }

  observed(server: ServerObserved): void {
    if (!UUID.test(server.serverId)) return
    const last = this.#observations.at(-1)
    if (last && !last.complete) last.servers.set(server.serverId, server)
    else this.#observations.push({ complete: false, servers: byServer([server]) })
    this.#arrived()
  }

  /** Repeated reports are let go: they are either applied or about to be. */
  report(report: Report): void {
    if (report.sequence <= this.#newestReport) return
    this.#newestReport = report.sequence
    this.#reports.push(report)
    this.#arrived()
  }

  progress(progress: ServerProgress): void {
    if (!UUID.test(progress.serverId)) return
    const earlier = this.#progress.get(progress.serverId)
    const logLines = [...(earlier?.logLines ?? []), ...progress.logLines].slice(-MAX_LOG_LINES)
    this.#progress.set(progress.serverId, { ...progress, logLines })
    this.#arrived()
  }

  /** Lets the call under way finish; what was not handed over is told again by the agent's next session. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
  }

  #arrived(): void {
    this.#messages += 1
    if (this.#active) return
    this.#active = true
    this.#running = this.#run()
  }

  async #run(): Promise<void> {
    try {
      while (this.#messages > 0 && !this.#closed) {
        await this.#gather()
        if (!this.#closed) await this.#handOver()
      }
    } catch (error) {
      if (!this.#closed) this.#failed(error)
    } finally {
      this.#active = false
    }
    if (!this.#closed) this.#idle()
  }

  async #handOver(): Promise<void> {
    const observations = this.#observations
    const reports = this.#reports
    const progress = [...this.#progress.values()]
    this.#observations = []
    this.#reports = []
    this.#progress = new Map()
    this.#messages = 0
    for (const { servers, complete } of observations) {
      await this.#domain.observed(this.#nodeId, [...servers.values()], complete)
    }
    if (reports.length > 0) this.#applied(await this.#domain.reports(this.#nodeId, reports))
    if (progress.length > 0) await this.#domain.progress(this.#nodeId, progress)
  }

  #gather(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.#gatherMs))
  }
}

function byServer(servers: readonly ServerObserved[]): Map<string, ServerObserved> {
  const valid = servers.filter((server) => UUID.test(server.serverId))
  return new Map(valid.map((server) => [server.serverId, server]))
}

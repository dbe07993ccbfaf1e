import { setImmediate as breath, setTimeout as delay } from 'node:timers/promises'
import type { Report } from '@lodge/proto/fleet.ts'
import type { ServerObserved, ServerProgress } from '@lodge/proto/server.ts'
import type { FleetHandlers } from '../handlers.ts'
import { isLeap } from './report-numbers.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const MAX_LOG_LINES = 500

type Domain = Pick<FleetHandlers, 'observed' | 'progress' | 'reports'>

/** Observations delivered in one call; a complete list is delivered alone. */
interface Observations {
  readonly complete: boolean
  readonly servers: Map<string, ServerObserved>
}

type Kind = 'observations' | 'reports' | 'progress'

/**
 * Collects one agent's messages and delivers them to the domains in batches: one call per kind at a
 * time, in order of arrival, and no kind blocks another. Of two observations of one server, only
 * the newer is delivered.
 */
export class Inbox {
  readonly #nodeId: string
  readonly #domain: Domain
  readonly #gatherMs: number
  readonly #applied: (through: number) => void
  readonly #failed: (error: unknown) => void
  readonly #idle: () => void
  readonly #running = new Map<Kind, Promise<void>>()
  #observations: Observations[] = []
  #reports: Report[] = []
  #progress = new Map<string, ServerProgress>()
  #newestReport: number
  readonly #messages: Record<Kind, number> = { observations: 0, reports: 0, progress: 0 }
  readonly #handedMs: Record<Kind, number> = { observations: 0, reports: 0, progress: 0 }
  #closed = false

  constructor(
    nodeId: string,
    domain: Domain,
    given: {
      gatherMs: number
      reportThrough: number
      applied: (through: number) => void
      failed: (error: unknown) => void
      /** Called once everything received of this kind has been delivered. */
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

  /** Messages not yet delivered. */
  get waiting(): number {
    const { observations, reports, progress } = this.#messages
    return observations + reports + progress
  }

  inventory(servers: readonly ServerObserved[]): void {
    this.#observations.push({ complete: true, servers: byServer(servers) })
    this.#arrived('observations')
  }

  observed(server: ServerObserved): void {
    if (!UUID.test(server.serverId)) return
    const last = this.#observations.at(-1)
    if (last && !last.complete) last.servers.set(server.serverId, server)
    else this.#observations.push({ complete: false, servers: byServer([server]) })
    this.#arrived('observations')
  }

  /**
   * Ignores repeated reports, which are applied or about to be.
   * @returns false, without accepting it, for a report whose number cannot be the next
   */
  report(report: Report): boolean {
    if (report.sequence <= this.#newestReport) return true
    if (isLeap(report.sequence, this.#newestReport)) return false
    this.#newestReport = report.sequence
    this.#reports.push(report)
    this.#arrived('reports')
    return true
  }

  progress(progress: ServerProgress): void {
    if (!UUID.test(progress.serverId)) return
    const earlier = this.#progress.get(progress.serverId)
    const logLines = [...(earlier?.logLines ?? []), ...progress.logLines].slice(-MAX_LOG_LINES)
    this.#progress.set(progress.serverId, { ...progress, logLines })
    this.#arrived('progress')
  }

  /** Lets running calls finish; the agent's next session resends what was not delivered. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#running.values())
  }

  #arrived(kind: Kind): void {
    this.#messages[kind] += 1
    if (this.#running.has(kind) || this.#closed) return
    this.#running.set(kind, this.#run(kind))
  }

  async #run(kind: Kind): Promise<void> {
    try {
      while (this.#messages[kind] > 0 && !this.#closed) {
        // Reports are batched across nodes behind the handler.
        if (kind !== 'reports') await this.#gather(kind)
        if (this.#closed) break
        await this.#handOver(kind)
        this.#handedMs[kind] = performance.now()
      }
    } catch (error) {
      if (!this.#closed) this.#failed(error)
    } finally {
      this.#running.delete(kind)
    }
    if (!this.#closed) this.#idle()
  }

  async #handOver(kind: Kind): Promise<void> {
    this.#messages[kind] = 0
    if (kind === 'observations') {
      const observations = this.#observations
      this.#observations = []
      for (const { servers, complete } of observations)
        await this.#domain.observed(this.#nodeId, [...servers.values()], complete)
    } else if (kind === 'reports') {
      const reports = this.#reports
      this.#reports = []
      this.#applied(await this.#domain.reports(this.#nodeId, reports))
    } else {
      const progress = [...this.#progress.values()]
      this.#progress = new Map()
      await this.#domain.progress(this.#nodeId, progress)
    }
  }

  /** After a quiet time, deliver at once; batch what follows soon after. */
  #gather(kind: Kind): Promise<void> {
    const waitMs = this.#handedMs[kind] + this.#gatherMs - performance.now()
    return waitMs > 0 ? delay(waitMs) : breath()
  }
}

function byServer(servers: readonly ServerObserved[]): Map<string, ServerObserved> {
  const valid = servers.filter((server) => UUID.test(server.serverId))
  return new Map(valid.map((server) => [server.serverId, server]))
}

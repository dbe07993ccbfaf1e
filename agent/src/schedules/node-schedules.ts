import { randomUUID } from 'node:crypto'
import { LATE_SECONDS, newestDue, nextDue } from '@lodge/shared/cron/due.ts'
import {
  ALONE_AFTER_SECONDS,
  type ClaimOutcome,
  type NodeRun,
  type NodeSchedule,
} from '@lodge/shared/node-schedules.ts'
import { type ServerFacts, STILL_GOING, waitingResults } from '@lodge/shared/schedule-tasks.ts'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Journal } from '../journal/journal.ts'
import { type KeptRun, readSchedules } from '../journal/schedule-store.ts'
import type { ReconciledServer } from '../reconcile/state/reconciled-server.ts'
import { type PoweredServer, ScheduleRun } from './schedule-run.ts'
import { Solitude } from './solitude.ts'

const LOOK_MS = 30_000
/** Enough to find the newest of those that are not late. */
const MOST_DUE = 10

export interface NodeSchedulesOptions {
  readonly clock: Clock
  readonly journal: Journal
  readonly log: Logger
  /** For how long the control plane may be away; a default where it is left out. */
  readonly aloneAfterMs: number | undefined
  /** The node is alone from now on. */
  readonly alone: () => void
  /** A server whose state is known and which may be acted on. */
  readonly server: (serverId: string) => PoweredServer | undefined
  readonly facts: (server: ReconciledServer) => ServerFacts
  readonly type: (serverId: string, line: string, person: string) => Promise<void>
  readonly reported: () => void
}

/**
 * Runs the schedules of the node's servers while the node is alone. An occurrence is used once: by
 * this node, or by the control plane, which claims it here before it acts.
 */
export class NodeSchedules {
  readonly solitude: Solitude
  readonly #options: NodeSchedulesOptions
  readonly #texts = new Map<string, string>()
  readonly #schedules: Map<string, readonly NodeSchedule[]>
  /** When each schedule is due next, as far as it was looked for. */
  #nextMs = new WeakMap<NodeSchedule, number>()
  /** Runs under way, by schedule. */
  readonly #running = new Map<string, ScheduleRun>()
  #named = new Set<string>()
  #cancel: () => void = () => undefined
  #isStopped = false

  constructor(options: NodeSchedulesOptions) {
    this.#options = options
    const { clock, journal, aloneAfterMs: afterMs = ALONE_AFTER_SECONDS * 1_000 } = options
    this.#schedules = journal.schedules.documents()
    const began = () => {
      options.alone()
      this.#begin()
    }
    this.solitude = new Solitude({ clock, journal, afterMs, began })
  }

  /** Goes on with what an earlier agent has begun, once the servers are known. */
  start(recovered: Promise<unknown>): void {
    this.solitude.lost(false)
    const kept = this.#options.journal.schedules.runs()
    if (kept.length === 0) return
    void recovered.then(() => {
      for (const one of kept) if (!this.#isStopped) this.#run(one)
    })
  }

  stop(): void {
    this.#isStopped = true
    this.solitude.stop()
    this.#cancel()
    for (const run of this.#running.values()) run.halt()
  }

  /** @param refused the control plane does not accept the node */
  lost(refused: boolean): void {
    if (!this.#isStopped) this.solitude.lost(refused)
  }

  welcomed(): void {
    this.solitude.welcomed()
    this.#cancel()
    this.#named = new Set()
  }

  /** What this server does while the node is alone. */
  of(serverId: string): readonly NodeSchedule[] {
    return this.#schedules.get(serverId) ?? []
  }

  setDesired(serverId: string, document: string | undefined): void {
    this.#named.add(serverId)
    const { journal } = this.#options
    if (document === undefined) {
      this.#forget(serverId)
      return
    }
    if (this.#texts.get(serverId) === document) return
    // What is not written is written when it is sent again.
    if (journal.attempt(() => journal.schedules.save(serverId, document)))
      this.#texts.set(serverId, document)
    this.#schedules.set(serverId, readSchedules(document))
    this.changed(serverId)
  }

  /** The control plane has sent its full list; servers that are not on it are not its own. */
  endRound(): void {
    const named = this.#named
    this.#named = new Set()
    for (const serverId of [...this.#schedules.keys()])
      if (!named.has(serverId)) this.#forget(serverId)
  }

  /** Something about a server has changed. */
  changed(serverId: string): void {
    for (const run of this.#running.values()) if (run.serverId === serverId) run.look()
  }

  /** The control plane wants to run an occurrence. */
  claim(scheduleId: string, dueMs: number): ClaimOutcome {
    const { schedules } = this.#options.journal
    const user = schedules.userOf(scheduleId, dueMs)
    if (user !== undefined) return user === 'node' ? 'taken' : 'granted'
    if (this.#running.has(scheduleId)) return 'busy'
    schedules.use(scheduleId, dueMs, 'control plane')
    return 'granted'
  }

  #forget(serverId: string): void {
    if (!this.#schedules.delete(serverId)) return
    this.#texts.delete(serverId)
    const { journal } = this.#options
    journal.attempt(() => journal.schedules.forget(serverId))
    this.changed(serverId)
  }

  #begin(): void {
    const { log } = this.#options
    log.info('the control plane is away: schedules of this node run by themselves')
    this.#nextMs = new WeakMap()
    this.#look()
  }

  #look(): void {
    const { clock, log } = this.#options
    this.#cancel()
    if (this.#isStopped || !this.solitude.isAlone) return
    const nowMs = clock.nowMs()
    let nextMs = nowMs + LOOK_MS
    for (const [serverId, schedules] of this.#schedules) {
      for (const schedule of schedules) {
        try {
          nextMs = Math.min(nextMs, this.#lookAt(serverId, schedule, nowMs))
        } catch (error) {
          log.error({ err: error, scheduleId: schedule.id }, 'a schedule could not be run')
        }
      }
    }
    this.#cancel = clock.after(nextMs - nowMs, () => this.#look())
  }

  /** Runs a schedule if it is due. @returns when to look again */
  #lookAt(serverId: string, schedule: NodeSchedule, nowMs: number): number {
    const known = this.#nextMs.get(schedule)
    if (known !== undefined && nowMs < known) return known
    const { journal, server } = this.#options
    const timing = { ...schedule, anchoredAt: new Date(schedule.anchoredAt) }
    const floorMs = Math.max(
      Date.parse(schedule.from) - 1,
      journal.schedules.newest(schedule.id),
      this.solitude.sinceMs,
      nowMs - LATE_SECONDS * 1_000,
    )
    const now = new Date(nowMs)
    const due = newestDue(timing, new Date(floorMs + 1), now, MOST_DUE).at(-1)
    if (due && server(serverId)) this.#use(serverId, schedule, due)
    const nextMs = nextDue(timing, now)?.getTime() ?? Number.POSITIVE_INFINITY
    this.#nextMs.set(schedule, nextMs)
    return nextMs
  }

  /** Uses an occurrence; it is in the journal before anything is done. */
  #use(serverId: string, schedule: NodeSchedule, due: Date): void {
    const { clock, journal, log } = this.#options
    const { id: scheduleId, name, tasks } = schedule
    const isBusy = this.#running.has(scheduleId)
    const nowMs = clock.nowMs()
    const now = new Date(nowMs).toISOString()
    const run: NodeRun = {
      ...{ id: randomUUID(), scheduleId, serverId, dueAt: due.toISOString() },
      ...(isBusy
        ? { state: 'skipped', endedAt: now, detail: STILL_GOING, results: [] }
        : { state: 'running', endedAt: null, detail: null, results: waitingResults(tasks) }),
      startedAt: now,
    }
    const kept: KeptRun = { run, name, tasks, idleUntilMs: nowMs, ownRuns: 0 }
    const isOurs = journal.transaction(() => {
      const isNew = journal.schedules.use(scheduleId, due.getTime(), 'node')
      if (isNew) this.#keep(kept)
      return isNew
    })
    if (!isOurs || isBusy) return
    log.info({ scheduleId, serverId, due }, 'a schedule runs without the control plane')
    this.#run(kept)
  }

  #keep(kept: KeptRun): void {
    const { journal, reported } = this.#options
    journal.transaction(() => {
      journal.schedules.saveRun(kept)
      const document = JSON.stringify(kept.run)
      journal.append({ $case: 'scheduleRun', value: { document } })
    })
    reported()
  }

  #run(kept: KeptRun): void {
    const { scheduleId, serverId } = kept.run
    const { clock, facts, log, server, type } = this.#options
    const isKnown = () => this.#schedules.get(serverId)?.some(({ id }) => id === scheduleId)
    const run = new ScheduleRun(kept, {
      clock,
      facts,
      keep: (next) => this.#keep(next),
      server: () => (isKnown() ? server(serverId) : undefined),
      type: (line, person) => type(serverId, line, person),
    })
    this.#running.set(scheduleId, run)
    run
      .go()
      .then(() => log.info({ scheduleId, serverId }, 'a run of a schedule has ended'))
      .catch((error: unknown) => {
        log.error({ err: error, scheduleId }, 'a run of a schedule could not go on')
      })
      .finally(() => {
        if (this.#running.get(scheduleId) === run) this.#running.delete(scheduleId)
      })
  }
}

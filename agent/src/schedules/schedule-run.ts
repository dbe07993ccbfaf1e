import { DriverError } from '@lodge/driver/driver.ts'
import { LATE_SECONDS } from '@lodge/shared/cron/due.ts'
import type { NodeRun } from '@lodge/shared/node-schedules.ts'
import {
  alreadySo,
  closedResult,
  type ServerFacts,
  standingAfter,
  unmetCondition,
} from '@lodge/shared/schedule-tasks.ts'
import type { ScheduleTask, TaskResult } from '@lodge/shared/schedules.ts'
import type { Clock } from '../clock.ts'
import type { KeptRun } from '../journal/schedule-store.ts'
import type { PowerTask } from '../reconcile/state/own-power.ts'
import type { ReconciledServer } from '../reconcile/state/reconciled-server.ts'
import { DONE, failed, type Outcome, powerOutcome } from './power-outcome.ts'

/** A server whose power schedules can change. */
export interface PoweredServer extends ReconciledServer {
  changePower(action: PowerTask, journaled: () => void): void
}

export interface RunTools {
  readonly clock: Clock
  /** Commits how the run goes, to be told to the control plane. @throws if the journal cannot be written */
  readonly keep: (kept: KeptRun) => void
  /** The server, if its schedule may still act on it. */
  readonly server: () => PoweredServer | undefined
  readonly facts: (server: ReconciledServer) => ServerFacts
  readonly type: (line: string, person: string) => Promise<void>
}

const LOOK_MS = 1_000
const POWER_MS = 15 * 60_000
const COMMAND_MS = 10_000
const NOT_ITS_OWN = 'The schedule or its server was changed, held or moved meanwhile'

/** The agent ends, and leaves the run to the next one. */
class Halted extends Error {}
/** The schedule may not act any more. */
class Withdrawn extends Error {}

/**
 * One run of a schedule by the node. Each step is in the journal before it is done, so that a later
 * agent goes on from there and repeats nothing.
 */
export class ScheduleRun {
  readonly #tools: RunTools
  #kept: KeptRun
  #isHalted = false
  #wake: () => void = () => undefined

  constructor(kept: KeptRun, tools: RunTools) {
    this.#kept = kept
    this.#tools = tools
  }

  get serverId(): string {
    return this.#kept.run.serverId
  }

  /** Something about its server may have changed. */
  look(): void {
    this.#wake()
  }

  /** Stops here without ending the run. */
  halt(): void {
    this.#isHalted = true
    this.#wake()
  }

  /** Runs the tasks that are left. @throws if the journal cannot be written */
  async go(): Promise<void> {
    try {
      await this.#tasks()
    } catch (error) {
      if (error instanceof Halted) return
      if (!(error instanceof Withdrawn)) throw error
      this.#end('cancelled', error.message)
    }
  }

  async #tasks(): Promise<void> {
    const { tasks, idleUntilMs } = this.#kept
    // Somebody wanted this at that time, not whenever the node is up again.
    if (this.#nowMs() - idleUntilMs > LATE_SECONDS * 1_000) {
      this.#end('failed', 'The node was off in the middle of it')
      return
    }
    let standing = standingAfter(tasks, this.#ended())
    while (!standing.isOver) {
      const at = this.#ended().length
      const task = tasks[at]
      if (!task) break
      const outcome = await this.#task(task, at)
      this.#note(at, { ...outcome, endedAt: this.#now() })
      standing = standingAfter(tasks, this.#ended())
    }
    this.#end(standing.state, standing.detail)
  }

  /** The results of the tasks that have ended. */
  #ended(): TaskResult[] {
    const { results } = this.#kept.run
    const open = results.findIndex(({ endedAt, state }) => endedAt === null && state !== 'skipped')
    return open < 0 ? results : results.slice(0, open)
  }

  async #task(task: ScheduleTask, at: number): Promise<Outcome> {
    const isBegun = this.#kept.run.results[at]?.state === 'running'
    if (!isBegun) {
      const server = this.#server()
      const unmet = await unmetCondition(task.conditions, this.#tools.facts(server))
      if (unmet !== undefined) return { state: 'skipped', detail: unmet }
    }
    switch (task.action) {
      case 'power':
        return this.#power(task.power, at, isBegun)
      case 'command':
        return this.#command(task.command, at, isBegun)
      case 'wait': {
        if (!isBegun) this.#begin(at, task.seconds * 1_000)
        const untilMs =
          Date.parse(this.#kept.run.results[at]?.startedAt ?? '') + task.seconds * 1_000
        await this.#until(() => (this.#nowMs() >= untilMs ? DONE : undefined), untilMs)
        return DONE
      }
      default:
        return failed('The node cannot do this by itself')
    }
  }

  async #power(power: PowerTask, at: number, isBegun: boolean): Promise<Outcome> {
    if (!isBegun) {
      const server = this.#server()
      const already = alreadySo(power, this.#tools.facts(server).status)
      if (already !== undefined) {
        this.#begin(at, 0)
        return { state: 'done', detail: already }
      }
      const { ownRuns } = server.memory
      const isStart = power === 'start' || power === 'restart'
      server.changePower(power, () => {
        this.#begin(at, POWER_MS, isStart ? ownRuns + 1 : ownRuns)
      })
    }
    const { ownRuns } = this.#kept
    const untilMs = this.#nowMs() + POWER_MS
    return await this.#until(
      () => powerOutcome(this.#server(), power, ownRuns),
      untilMs,
      failed('It took too long'),
    )
  }

  async #command(command: string, at: number, isBegun: boolean): Promise<Outcome> {
    if (isBegun) return failed('It is not known whether it arrived: the agent ended meanwhile')
    if (!this.#server().facts.running) return failed('The server is not running')
    this.#begin(at, 0)
    const late = Promise.withResolvers<never>()
    const cancel = this.#tools.clock.after(COMMAND_MS, () =>
      late.reject(new DriverError('timeout', 'The server does not read its input')),
    )
    try {
      await Promise.race([this.#tools.type(command, `Schedule ${this.#kept.name}`), late.promise])
      return DONE
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error))
    } finally {
      cancel()
    }
  }

  /** Waits for an outcome. The schedule must be allowed to act all the while. */
  async #until(
    outcome: () => Outcome | undefined,
    untilMs: number,
    late: Outcome = DONE,
  ): Promise<Outcome> {
    for (;;) {
      this.#server()
      const found = outcome()
      if (found) return found
      const leftMs = untilMs - this.#nowMs()
      if (leftMs <= 0) return late
      await new Promise<void>((resolve) => {
        const cancel = this.#tools.clock.after(Math.min(leftMs, LOOK_MS), resolve)
        this.#wake = () => {
          cancel()
          resolve()
        }
      })
    }
  }

  /** @throws {Halted} {Withdrawn} */
  #server(): PoweredServer {
    if (this.#isHalted) throw new Halted()
    const server = this.#tools.server()
    if (!server) throw new Withdrawn(NOT_ITS_OWN)
    return server
  }

  #nowMs = (): number => this.#tools.clock.nowMs()
  #now = (): string => new Date(this.#nowMs()).toISOString()

  #begin(at: number, idleMs: number, ownRuns = 0): void {
    const idleUntilMs = this.#nowMs() + idleMs
    this.#note(at, { state: 'running', startedAt: this.#now() }, { idleUntilMs, ownRuns })
  }

  #note(at: number, change: Partial<TaskResult>, more: Partial<KeptRun> = {}): void {
    const results = this.#kept.run.results.map((result, index) =>
      index === at ? { ...result, ...change } : result,
    )
    this.#keep({ results }, { idleUntilMs: this.#nowMs(), ...more })
  }

  #end(state: NodeRun['state'], detail: string | null): void {
    const now = new Date(this.#nowMs())
    const results = this.#kept.run.results.map((one) => closedResult(one, now))
    this.#keep({ state, detail, results, endedAt: now.toISOString() })
  }

  #keep(change: Partial<NodeRun>, more: Partial<KeptRun> = {}): void {
    const kept = { ...this.#kept, ...more, run: { ...this.#kept.run, ...change } }
    this.#tools.keep(kept)
    this.#kept = kept
  }
}

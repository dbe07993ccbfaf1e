import { unmetCondition } from '@lodge/shared/schedule-tasks.ts'
import type { ScheduleTask } from '@lodge/shared/schedules.ts'
import type { User } from '../../../actor.ts'
import { type Ctx, contextFor } from '../../../context.ts'
import { Parked } from '../../../jobs/dispatch/parking.ts'
import { giveWay } from '../../../jobs/sagas/give-way.ts'
import { Permanent, type StepTools } from '../../../jobs/sagas/saga.ts'
import { Problem } from '../../../problem.ts'
import { findUser } from '../../customers/index.ts'
import { requireQuota } from '../../limits/index.ts'
import { findServer, loadServer, type SharedServer } from '../../servers/index.ts'
import { findAuthor } from '../author.ts'
import { requireTasks } from '../require-tasks.ts'
import type { KeptResult } from '../tables.ts'
import { kindOf } from '../tasks/index.ts'
import { factsOf } from './conditions.ts'
import { whyHeld } from './held.ts'
import type { Run } from './run-input.ts'
import { updateResult } from './run-store.ts'
import { waitForJob } from './wait-for-job.ts'

interface Placed {
  readonly at: number
  readonly task: ScheduleTask
  readonly result: KeptResult
}

/** Temporary obstacles: the task is retried until this much time has passed. */
const BUSY = ['node_unavailable', 'driver_unavailable', 'job_in_progress', 'hold_active']
const BUSY_MS = 10 * 60_000
const BUSY_LOOK_MS = 10_000
/** How long a fault of ours is retried before it counts as a failure. */
const FAULTY_MS = 30 * 60_000

/** Runs one task or continues it, and records how it went. */
export async function runTask(run: Run, placed: Placed, tools: StepTools): Promise<KeptResult> {
  const attempt = new Attempt(run, placed, tools)
  const outcome = await attempt.outcome()
  const ended = { ...attempt.result, ...outcome, endedAt: new Date().toISOString() }
  await tools.ctx.transaction(async (ctx) => {
    await updateResult(ctx.db, run.runId, placed.at, ended)
    await ctx.live.announce(ctx.db, { kind: 'schedules', id: run.serverId })
  })
  return ended
}

type Outcome = Pick<KeptResult, 'state' | 'detail'>

class Attempt {
  result: KeptResult
  readonly #run: Run
  readonly #placed: Placed
  readonly #tools: StepTools

  constructor(run: Run, placed: Placed, tools: StepTools) {
    this.#run = run
    this.#placed = placed
    this.#tools = tools
    this.result = placed.result
  }

  async outcome(): Promise<Outcome> {
    try {
      return await this.#go()
    } catch (error) {
      if (error instanceof Parked) throw error
      // A cancellation ends the run; a process that stops leaves it to the next one.
      await giveWay(this.#tools)
      if (error instanceof Permanent && error.code === 'cancelled') throw error
      if (error instanceof Permanent) return { state: 'failed', detail: error.message }
      return this.#afterFault(error)
    }
  }

  async #go(): Promise<Outcome> {
    const { ctx, server } = await this.#author()
    const { task, at } = this.#placed
    if (this.result.startedAt === null) {
      const unmet = await unmetCondition(
        task.conditions,
        factsOf({ ctx, tools: this.#tools, server }),
      )
      if (unmet !== undefined) return { state: 'skipped', detail: unmet }
      await this.#begin()
    }
    const detail = await kindOf(task).run(task as never, {
      ctx,
      server,
      tools: this.#tools,
      schedule: { id: this.#run.scheduleId, name: this.#run.scheduleName },
      startedAt: this.#startedAt,
      name: `task ${at}`,
      once: (part, make) => this.#once(ctx, part, make),
      finished: (job) => waitForJob(this.#tools, job, this.#startedAt),
    })
    return { state: 'done', detail: detail ?? null }
  }

  get #startedAt(): Date {
    return this.result.startedAt === null ? new Date() : new Date(this.result.startedAt)
  }

  /**
   * The author with their current rights.
   * @throws {Problem} if these no longer suffice: nothing is done with rights that nobody has
   */
  async #author(): Promise<{ ctx: Ctx<User>; server: SharedServer }> {
    const { serverId, authorId } = this.#run
    const actor = await findAuthor(this.#tools.ctx.db, authorId)
    if (!actor) throw new Problem('permission_required', NO_AUTHOR)
    const ctx = contextFor({ ...this.#tools.ctx }, actor)
    const server = await loadServer(ctx, serverId)
    if (!server) throw new Permanent('cancelled', 'The server is gone')
    const held = whyHeld(server.holds.map(({ kind }) => kind))
    if (held !== undefined) throw new Permanent('hold_active', held)
    try {
      requireTasks(actor, server, [this.#placed.task])
    } catch (error) {
      throw error instanceof Problem ? new Permanent(error.code, wordsFor(error)) : error
    }
    // Once in a run: where limits only warn, each check notifies people.
    if (this.#placed.at === 0 && this.result.startedAt === null)
      await requireCapability(ctx, server)
    return { ctx, server }
  }

  async #begin(): Promise<void> {
    const { at } = this.#placed
    const count = this.#run.tasks.length
    const begun = { ...this.result, state: 'running', startedAt: new Date().toISOString() } as const
    await updateResult(this.#tools.ctx.db, this.#run.runId, at, begun)
    this.result = begun
    await this.#tools.progress((100 * at) / count, `Task ${at + 1} of ${count}`)
  }

  async #once<Made extends object>(
    ctx: Ctx<User>,
    part: string,
    make: (ctx: Ctx<User>) => Promise<Made>,
  ): Promise<Made> {
    const known = this.result.begun?.[part]
    if (known !== undefined) return known as Made
    const { made, result } = await ctx.transaction(async (ctx) => {
      const made = await make(ctx)
      const jobId = 'id' in made && 'generation' in made ? String(made.id) : null
      const begun = { ...this.result.begun, [part]: made }
      const result = { ...this.result, begun, jobId: this.result.jobId ?? jobId }
      // The run was deleted meanwhile: rolls back what was made.
      if (!(await updateResult(ctx.db, this.#run.runId, this.#placed.at, result)))
        throw new Permanent('cancelled', 'The schedule was deleted')
      return { made, result }
    })
    this.result = result
    return made
  }

  /** When it was first tried; stored even if a fault occurs before it begins, so that retries end. */
  async #triedSince(): Promise<string> {
    const { startedAt, faultyAt = new Date().toISOString() } = this.result
    if (startedAt !== null) return startedAt
    if (this.result.faultyAt === undefined) {
      this.result = { ...this.result, faultyAt }
      await updateResult(this.#tools.ctx.db, this.#run.runId, this.#placed.at, this.result)
    }
    return faultyAt
  }

  async #afterFault(error: unknown): Promise<Outcome> {
    const elapsedMs = Date.now() - Date.parse(await this.#triedSince())
    if (error instanceof Problem && BUSY.includes(error.code) && elapsedMs < BUSY_MS) {
      await this.#tools.progress(null, `${error.message}. It is tried again`)
      const at = new Date(Date.now() + BUSY_LOOK_MS)
      await this.#tools.waitUntil({ kind: 'time', at }, async () => true)
    }
    if (error instanceof Problem && error.status < 500) return failed(error.message)
    if (error instanceof Problem && BUSY.includes(error.code)) return failed(error.message)
    if (elapsedMs < FAULTY_MS) throw error
    this.#tools.ctx.log.error({ err: error, runId: this.#run.runId }, 'a task of a schedule failed')
    return failed('It could not be done because of a fault of the panel')
  }
}

const failed = (detail: string): Outcome => ({ state: 'failed', detail })

const NO_AUTHOR =
  'Whoever chose these tasks cannot sign in any more: save them again, to run them with your rights'

const wordsFor = ({ code, message }: Problem): string =>
  code === 'permission_required' || code === 'not_found'
    ? 'Whoever chose this task may not do it any more: save the tasks again, to run them with your rights'
    : message

/** Whether the owner's account may have schedules at all; does not call the node. */
async function requireCapability(ctx: Ctx<User>, { id, ownerId }: SharedServer): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const owner = await findUser(ctx.db, ownerId)
    const row = await findServer(ctx.db, id)
    if (!owner || !row) throw new Permanent('cancelled', 'The server is gone')
    await requireQuota(ctx, owner, () => [{ capability: 'maySchedules' }], { of: row })
  })
}

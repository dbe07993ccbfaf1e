import { randomUUIDv7 } from 'node:crypto'
import { type JobKindName, jobKind } from '@lodge/shared/job-kinds.ts'
import type { Ctx } from '../context.ts'
import type { Db } from '../db/database.ts'
import { isDuplicate } from '../db/database.ts'
import type { LiveEvents } from '../live/live-events.ts'
import { Problem } from '../problem.ts'
import { dispatch } from './dispatch-store.ts'
import { JobDurations } from './durations.ts'
import type { Saga } from './saga.ts'
import {
  endJob,
  findJob,
  insertJob,
  insertJobDeferred,
  moveOpenJobs,
  openJobsThrough,
  updateJob,
  waitingJobsOf,
  waitingSteps,
} from './store.ts'
import type { JobRow } from './tables.ts'

interface About {
  readonly title: string
  readonly serverId?: string
  readonly nodeId?: string
  readonly ownerId?: string
}

/** Takes on work in the same transaction as the change it belongs to, and settles it. */
export class JobQueue {
  /** Of the jobs that ended in this process. */
  readonly durations = new JobDurations()
  readonly #live: LiveEvents
  /** Told, in the same transaction, of each job that failed and of long ones that are done. */
  ended: (db: Db, job: JobRow, failure: string | null) => Promise<void> = async () => undefined

  constructor(live: LiveEvents) {
    this.#live = live
  }

  /** Work in several steps that a worker runs and resumes. One at a time per server. */
  async enqueue<Input extends object>(
    ctx: Ctx,
    work: Saga<Input, never> | Saga<Input>,
    input: Input,
    about: About,
  ): Promise<JobRow> {
    try {
      const job = await this.#insert(ctx, insertJob, work.name, about, {
        input: { ...input } as Record<string, unknown>,
        steps: work.steps.map((one) => one.name),
      })
      await this.dispatch(ctx.db, job.id)
      return job
    } catch (error) {
      if (!isDuplicate(error, 'jobs_one_exclusive_per_server')) throw error
      throw new Problem(
        'job_in_progress',
        'Another job of this server is under way: wait for it or cancel it first',
      )
    }
  }

  /** Hands a saga to whichever worker is free; handing over twice has the effect of once. */
  async dispatch(db: Db, jobId: string): Promise<void> {
    await dispatch(db, jobId)
  }

  /** Work that is done when the node has reached `generation` of the server, or says that it cannot. */
  async awaitGeneration(
    ctx: Ctx,
    kind: JobKindName,
    generation: number,
    about: About & { readonly serverId: string },
    steps: readonly string[],
  ): Promise<JobRow> {
    return this.#insert(ctx, insertJobDeferred, kind, about, { generation, steps })
  }

  /** Work that cannot begin yet: `goOn` lets it wait for a generation, `endWaiting` ends it. */
  async putOff(
    ctx: Ctx,
    kind: JobKindName,
    waitsFor: string,
    about: About & { readonly serverId: string },
    steps: readonly string[],
  ): Promise<JobRow> {
    return this.#insert(ctx, insertJobDeferred, kind, about, { waitsFor, steps })
  }

  /** What it waited for has happened. @returns false when it was ended meanwhile */
  async goOn(db: Db, jobId: string, generation: number): Promise<boolean> {
    const job = await updateJob(db, jobId, { generation, waitsFor: null })
    if (job) await this.#live.announce(db, { kind: 'job', id: jobId })
    return job !== undefined
  }

  /** Ends a job that cannot begin yet. */
  async endWaiting(
    db: Db,
    jobId: string,
    state: 'superseded' | 'cancelled' | 'failed',
    failure: JobRow['failure'] = null,
  ): Promise<void> {
    const job = await findJob(db, jobId)
    if (!job || job.endedAt) return
    await updateJob(db, jobId, { steps: closedSteps(job, state) })
    await endJob(db, jobId, state, failure)
    await this.tellEnd(db, job, state, failure)
    await this.#live.announce(db, { kind: 'job', id: jobId })
  }

  /** Ends everything of a server that cannot begin yet: something else was decided. */
  async supersedeWaiting(db: Db, serverId: string): Promise<void> {
    for (const { id } of await waitingJobsOf(db, serverId))
      await this.endWaiting(db, id, 'superseded')
  }

  async #insert(
    ctx: Ctx,
    insert: typeof insertJobDeferred,
    kind: string,
    about: About,
    more: {
      input?: Record<string, unknown>
      generation?: number
      waitsFor?: string
      steps: readonly string[]
    },
  ): Promise<JobRow> {
    const job = await insert(ctx.db, {
      id: randomUUIDv7(),
      kind,
      title: about.title,
      state: 'waiting',
      serverId: about.serverId ?? null,
      nodeId: about.nodeId ?? null,
      ownerId: about.ownerId ?? null,
      startedBy: ctx.actor.kind === 'user' ? ctx.actor.id : null,
      generation: more.generation ?? null,
      waitsFor: more.waitsFor ?? null,
      input: more.input ?? {},
      steps: waitingSteps(more.steps),
      createdAt: new Date(),
    })
    await this.#live.announce(ctx.db, { kind: 'job', id: job.id })
    return job
  }

  /**
   * Ends what waited for a server's generation: the job of exactly that generation as the node says,
   * older ones as superseded.
   */
  async settle(
    db: Db,
    serverId: string,
    generation: number,
    failure: { code: string; detail: string } | null,
  ): Promise<void> {
    for (const job of await openJobsThrough(db, serverId, generation)) {
      const own = job.generation === generation
      const state = own ? (failure ? 'failed' : 'done') : 'superseded'
      await updateJob(db, job.id, {
        steps: closedSteps(job, state),
        percent: state === 'done' ? 100 : job.percent,
      })
      await endJob(db, job.id, state, own ? failure : null)
      await this.tellEnd(db, job, state, failure)
      this.durations.observe(job, state)
      await this.#live.announce(db, { kind: 'job', id: job.id })
    }
  }

  /** Lets people hear of an end that is worth it. */
  async tellEnd(db: Db, job: JobRow, state: string, failure: JobRow['failure']): Promise<void> {
    if (state === 'failed') await this.ended(db, job, failure?.detail ?? 'It failed')
    else if (state === 'done' && jobKind(job.kind).long) await this.ended(db, job, null)
  }

  /** A desired state was refined without replacing what open jobs wait for: they wait for its newer generation. */
  async follow(db: Db, serverId: string, from: number, to: number): Promise<void> {
    await moveOpenJobs(db, serverId, from, to)
  }

  /** Notes how far an open job has come. */
  async progress(db: Db, job: JobRow, change: Partial<JobRow>): Promise<void> {
    await updateJob(db, job.id, { state: 'running', ...change })
    await this.#live.announce(db, { kind: 'job', id: job.id })
  }
}

/** A step that is done: what it said of its end stays, how far it had come does not. */
export const doneStep = (step: JobRow['steps'][number]): JobRow['steps'][number] => ({
  ...step,
  state: 'done',
  percent: 100,
  detail: step.percent === 100 ? step.detail : null,
})

/** Steps of an ended job: nothing is left waiting or running. */
export function closedSteps(
  job: JobRow,
  state: 'done' | 'failed' | 'superseded' | 'cancelled',
): JobRow['steps'] {
  let broken = false
  return job.steps.map((step) => {
    if (step.state === 'done') return step
    if (state === 'done') return doneStep(step)
    const failedHere = state === 'failed' && !broken
    broken = true
    return { ...step, state: failedHere ? 'failed' : 'skipped' }
  })
}

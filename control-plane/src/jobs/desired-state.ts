import type { JobKindName } from '@lodge/shared/job-kinds.ts'
import type { NodeStep } from '@lodge/shared/job-words.ts'
import type { Db } from '../db/database.ts'
import type { About } from './board/about.ts'
import type { JobBoard } from './board/board.ts'
import { closedSteps } from './board/closed-steps.ts'
import {
  deferredJobsOf,
  endJob,
  findJob,
  insertJobDeferred,
  moveOpenJobs,
  openJobsThrough,
  updateJob,
} from './board/store.ts'
import type { JobRow } from './board/tables.ts'
import type { Within } from './board/within.ts'
import { wakeSagas } from './sagas/saga-store.ts'

type AboutServer = About & { readonly serverId: string }

/**
 * Jobs that wait for a node to reach a generation of a server's desired state. The node does the
 * work, its observations settle the job, and no worker is involved.
 */
export class DesiredStateJobs {
  readonly #board: JobBoard

  constructor(board: JobBoard) {
    this.#board = board
  }

  /**
   * Succeeds when the node has reached `generation`, fails when the node reports that it cannot.
   */
  awaitGeneration(
    ctx: Within,
    kind: JobKindName,
    generation: number,
    about: AboutServer,
    stepNames: readonly NodeStep[],
  ): Promise<JobRow> {
    return this.#board.insert(ctx, insertJobDeferred, kind, about, {
      runsAs: 'desired_state',
      generation,
      stepNames,
    })
  }

  /**
   * Records a job that cannot begin yet, with the reason for display. `begin` makes it wait for a
   * generation, `end` ends it.
   */
  defer(
    ctx: Within,
    kind: JobKindName,
    waitsFor: string,
    about: AboutServer,
    stepNames: readonly NodeStep[],
  ): Promise<JobRow> {
    return this.#board.insert(ctx, insertJobDeferred, kind, about, {
      runsAs: 'desired_state',
      waitsFor,
      stepNames,
    })
  }

  /**
   * Starts a deferred job whose condition is met.
   * @returns false if it was ended meanwhile
   */
  async begin(db: Db, jobId: string, generation: number): Promise<boolean> {
    const job = await updateJob(db, jobId, { generation, waitsFor: null })
    if (job) await this.#board.changed(db, jobId)
    return job !== undefined
  }

  /** Ends a job that no node ends: a deferred one, or one whose server is gone. */
  async end(
    db: Db,
    jobId: string,
    state: 'done' | 'superseded' | 'cancelled' | 'failed',
    failure: JobRow['failure'] = null,
  ): Promise<void> {
    const job = await findJob(db, jobId)
    if (!job || job.endedAt) return
    await updateJob(db, jobId, { steps: closedSteps(job, state) })
    await endJob(db, jobId, state, failure)
    await this.#board.tellEnd(db, job, state, failure)
    await this.#board.changed(db, jobId)
  }

  /** Ends all deferred jobs of a server, because a newer decision replaces them. */
  async supersedeDeferred(db: Db, serverId: string): Promise<void> {
    for (const { id } of await deferredJobsOf(db, serverId)) await this.end(db, id, 'superseded')
  }

  /**
   * Settles the jobs that wait for a server's generation: the job of exactly that generation with
   * the node's outcome, older ones as superseded. A parked saga is woken to check for itself.
   */
  async settle(
    db: Db,
    serverId: string,
    generation: number,
    failure: { code: string; detail: string } | null,
  ): Promise<void> {
    for (const job of await openJobsThrough(db, serverId, generation)) {
      if (job.runsAs === 'saga') {
        // Clear the registration with the wake-up, so that the next observation does not wake the
        // saga again.
        await updateJob(db, job.id, { generation: null })
        await wakeSagas(db, [job.id])
        continue
      }
      const own = job.generation === generation
      const state = own ? (failure ? 'failed' : 'done') : 'superseded'
      await updateJob(db, job.id, {
        steps: closedSteps(job, state),
        percent: state === 'done' ? 100 : job.percent,
      })
      await endJob(db, job.id, state, own ? failure : null)
      await this.#board.tellEnd(db, job, state, failure)
      this.#board.durations.observe(job, state)
      await this.#board.changed(db, job.id)
    }
  }

  /**
   * The desired state was refined without replacing what open jobs wait for: they now wait for the
   * newer generation.
   */
  async follow(db: Db, serverId: string, from: number, to: number): Promise<void> {
    await moveOpenJobs(db, serverId, from, to)
  }

  /** Records the progress of an open job. */
  async progress(db: Db, job: JobRow, change: Partial<JobRow>): Promise<void> {
    await updateJob(db, job.id, { state: 'running', ...change })
    await this.#board.changed(db, job.id)
  }
}

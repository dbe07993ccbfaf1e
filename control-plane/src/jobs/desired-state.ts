import type { JobKindName } from '@lodge/shared/job-kinds.ts'
import type { Db } from '../db/database.ts'
import type { About } from './about.ts'
import type { JobBoard } from './board.ts'
import { closedSteps } from './closed-steps.ts'
import { wakeSagas } from './saga-store.ts'
import {
  deferredJobsOf,
  endJob,
  findJob,
  insertJobDeferred,
  moveOpenJobs,
  openJobsThrough,
  updateJob,
} from './store.ts'
import type { JobRow } from './tables.ts'
import type { Within } from './within.ts'

type AboutServer = About & { readonly serverId: string }

/**
 * Jobs that wait for a node to reach a generation of a server's desired state. The node does the work
 * and no worker is involved; its observations settle the job.
 */
export class DesiredStateJobs {
  readonly #board: JobBoard

  constructor(board: JobBoard) {
    this.#board = board
  }

  /** Done when the node has reached `generation` of the server, failed when it says that it cannot. */
  awaitGeneration(
    ctx: Within,
    kind: JobKindName,
    generation: number,
    about: AboutServer,
    stepNames: readonly string[],
  ): Promise<JobRow> {
    return this.#board.insert(ctx, insertJobDeferred, kind, about, {
      runsAs: 'desired_state',
      generation,
      stepNames,
    })
  }

  /** Cannot begin yet, for a reason in words: `begin` lets it wait for a generation, `endDeferred` ends it. */
  defer(
    ctx: Within,
    kind: JobKindName,
    waitsFor: string,
    about: AboutServer,
    stepNames: readonly string[],
  ): Promise<JobRow> {
    return this.#board.insert(ctx, insertJobDeferred, kind, about, {
      runsAs: 'desired_state',
      waitsFor,
      stepNames,
    })
  }

  /** What it waited for has happened. @returns false when it was ended meanwhile */
  async begin(db: Db, jobId: string, generation: number): Promise<boolean> {
    const job = await updateJob(db, jobId, { generation, waitsFor: null })
    if (job) await this.#board.changed(db, jobId)
    return job !== undefined
  }

  /** Ends a job that cannot begin yet. */
  async endDeferred(
    db: Db,
    jobId: string,
    state: 'superseded' | 'cancelled' | 'failed',
    failure: JobRow['failure'] = null,
  ): Promise<void> {
    const job = await findJob(db, jobId)
    if (!job || job.endedAt) return
    await updateJob(db, jobId, { steps: closedSteps(job, state) })
    await endJob(db, jobId, state, failure)
    await this.#board.tellEnd(db, job, state, failure)
    await this.#board.changed(db, jobId)
  }

  /** Ends everything of a server that cannot begin yet: something else was decided. */
  async supersedeDeferred(db: Db, serverId: string): Promise<void> {
    for (const { id } of await deferredJobsOf(db, serverId))
      await this.endDeferred(db, id, 'superseded')
  }

  /**
   * Ends what waited for a server's generation: the job of exactly that generation as the node says,
   * older ones as superseded. A saga that is parked until then is woken and looks for itself.
   */
  async settle(
    db: Db,
    serverId: string,
    generation: number,
    failure: { code: string; detail: string } | null,
  ): Promise<void> {
    for (const job of await openJobsThrough(db, serverId, generation)) {
      if (job.runsAs === 'saga') {
        // The registration ends with the wake-up, so that the next observation does not wake it again.
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
   * The desired state was refined without replacing what open jobs wait for: they wait for its newer
   * generation.
   */
  async follow(db: Db, serverId: string, from: number, to: number): Promise<void> {
    await moveOpenJobs(db, serverId, from, to)
  }

  /** Notes how far an open job has come. */
  async progress(db: Db, job: JobRow, change: Partial<JobRow>): Promise<void> {
    await updateJob(db, job.id, { state: 'running', ...change })
    await this.#board.changed(db, job.id)
  }
}

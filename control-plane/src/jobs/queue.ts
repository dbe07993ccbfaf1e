import { jobKind } from '@lodge/shared/job-kinds.ts'
import type { Ctx } from '../context.ts'
import type { Db } from '../db/database.ts'
import { isDuplicate } from '../db/database.ts'
import type { LiveEvents } from '../live/live-events.ts'
import { Problem } from '../problem.ts'
import { authorityOf } from './authority.ts'
import { DesiredStateJobs } from './desired-state.ts'
import { dispatch } from './dispatch-store.ts'
import { type About, JobBoard } from './new-job.ts'
import type { Saga } from './saga.ts'
import { insertSaga, unparkFromNodes, wakeSagas } from './saga-store.ts'
import { insertJob, updateJob } from './store.ts'
import type { JobRow } from './tables.ts'

/** Takes on sagas, in the same transaction as the change they belong to; a worker runs them. */
export class SagaQueue {
  readonly #board: JobBoard

  constructor(board: JobBoard) {
    this.#board = board
  }

  /**
   * Work in several steps, with the rights of whoever asks for it.
   * @throws {Problem} job_in_progress while the server has an open job of the same concurrency group
   */
  async enqueue<Input extends object>(
    ctx: Ctx,
    work: Saga<Input, never> | Saga<Input>,
    input: Input,
    about: About,
  ): Promise<JobRow> {
    const { concurrencyGroup } = jobKind(work.name)
    try {
      const job = await this.#board.insert(ctx, insertJob, work.name, about, {
        runsAs: 'saga',
        concurrencyGroup: about.serverId === undefined ? null : concurrencyGroup,
        input: { ...input } as Record<string, unknown>,
        stepNames: work.steps.map((one) => one.name),
      })
      await insertSaga(ctx.db, { jobId: job.id, authority: authorityOf(ctx.actor) })
      await this.dispatch(ctx.db, job.id)
      return job
    } catch (error) {
      if (!isDuplicate(error, 'jobs_one_per_group')) throw error
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

  /** Asks for a saga to be rolled back. One that waits for something is told at once. */
  async cancel(db: Db, jobId: string): Promise<void> {
    await updateJob(db, jobId, { cancelRequested: true })
    await wakeSagas(db, [jobId])
    await this.#board.changed(db, jobId)
  }

  /** Wakes what waits for one of these nodes to connect. */
  async wakeForNodes(db: Db, nodeIds: readonly string[]): Promise<void> {
    await wakeSagas(db, await unparkFromNodes(db, nodeIds))
  }
}

/** The two ways of running a job, on one board that people read. */
export class JobQueue extends JobBoard {
  readonly sagas: SagaQueue
  readonly desiredState: DesiredStateJobs

  constructor(live: LiveEvents) {
    super(live)
    this.sagas = new SagaQueue(this)
    this.desiredState = new DesiredStateJobs(this)
  }
}

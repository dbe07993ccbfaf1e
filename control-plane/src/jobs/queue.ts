import { jobKind } from '@lodge/shared/job-kinds.ts'
import type { JobAuthority } from '../actor.ts'
import type { Db } from '../db/database.ts'
import { isDuplicate } from '../db/database.ts'
import type { LiveEvents } from '../live/live-events.ts'
import { Problem } from '../problem.ts'
import type { About } from './board/about.ts'
import { authorityOf } from './board/authority.ts'
import { JobBoard } from './board/board.ts'
import { insertJob, insertJobs, newJob, updateJob } from './board/store.ts'
import type { BrokenOff, JobRow } from './board/tables.ts'
import type { Within } from './board/within.ts'
import { DesiredStateJobs } from './desired-state.ts'
import { dispatch, dispatchAll } from './dispatch/dispatch-store.ts'
import { groupOf } from './sagas/groups.ts'
import {
  insertSaga,
  insertSagas,
  unparkFromNodes,
  updateSaga,
  wakeSagas,
} from './sagas/saga-store.ts'

/** In the time zone of the control plane's records, which every reader can convert. */
const inWords = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** Enqueues sagas in the transaction of the change they belong to; a worker runs them. */
export class SagaQueue {
  readonly #board: JobBoard

  constructor(board: JobBoard) {
    this.#board = board
  }

  /**
   * Enqueues a saga with the rights of the actor.
   * @param options.runAt earliest start; until then it excludes no other job of the server
   * @throws {Problem} job_in_progress while the server has an open job of the same concurrency
   * group
   */
  async enqueue<Input extends object>(
    ctx: Within,
    work: { readonly name: string; readonly steps: readonly { readonly name: string }[] },
    input: Input,
    about: About,
    options: { readonly runAt?: Date } = {},
  ): Promise<JobRow> {
    const { runAt = null } = options
    const mayStart = runAt === null
    try {
      const job = await this.#board.insert(ctx, insertJob, work.name, about, {
        runsAs: 'saga',
        concurrencyGroup: mayStart ? groupOf({ kind: work.name, ...about }) : null,
        waitsFor: mayStart ? null : `It begins at ${inWords(runAt)}`,
        input: { ...input } as Record<string, unknown>,
        stepNames: work.steps.map((one) => one.name),
      })
      await insertSaga(ctx.db, { jobId: job.id, authority: authorityOf(ctx.actor), runAt })
      await dispatch(ctx.db, job.id, runAt)
      return job
    } catch (error) {
      if (!isDuplicate(error, 'jobs_one_per_group')) throw error
      throw new Problem(
        'job_in_progress',
        'Another job of this server is running: wait for it, or cancel it first',
      )
    }
  }

  /** Enqueues many sagas of one kind that excludes nothing, in a few statements. */
  async enqueueAll<Input extends object>(
    db: Db,
    work: { readonly name: string; readonly steps: readonly { readonly name: string }[] },
    all: readonly {
      readonly id: string
      readonly input: Input
      readonly about: About
      readonly authority: JobAuthority
    }[],
  ): Promise<void> {
    if (jobKind(work.name).concurrencyGroup !== null)
      throw new Error(`jobs of the kind ${work.name} exclude each other: enqueue them one by one`)
    if (all.length === 0) return
    const stepNames = work.steps.map((one) => one.name)
    const rows = all.map(({ id, input, about, authority }) =>
      newJob(work.name, about, authority.userId, {
        ...{ id, runsAs: 'saga', stepNames },
        input: { ...input } as Record<string, unknown>,
      }),
    )
    await insertJobs(db, rows)
    await insertSagas(
      db,
      all.map(({ id, authority }) => ({ jobId: id, authority })),
    )
    const ids = all.map(({ id }) => id)
    await dispatchAll(db, ids)
    await this.#board.live.announceAll(db, 'job', ids)
  }

  /**
   * Requests the rollback of a saga. A parked one is woken at once.
   * @param brokenOff the fact that makes it fail; without it, a person cancelled it
   */
  async cancel(db: Db, jobId: string, brokenOff?: BrokenOff): Promise<void> {
    if (brokenOff) await updateSaga(db, jobId, { brokenOff })
    await updateJob(db, jobId, { cancelRequested: true })
    await wakeSagas(db, [jobId])
    await this.#board.changed(db, jobId)
  }

  /** Wakes sagas that wait for one of these nodes to connect. */
  async wakeForNodes(db: Db, nodeIds: readonly string[]): Promise<void> {
    await wakeSagas(db, await unparkFromNodes(db, nodeIds))
  }
}

/** Both kinds of jobs, on one board. */
export class JobQueue extends JobBoard {
  readonly sagas: SagaQueue
  readonly desiredState: DesiredStateJobs

  constructor(live: LiveEvents) {
    super(live)
    this.sagas = new SagaQueue(this)
    this.desiredState = new DesiredStateJobs(this)
  }
}

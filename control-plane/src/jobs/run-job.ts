import { contextFor } from '../context.ts'
import { type Db, inOneTransaction } from '../db/database.ts'
import type { Services } from '../services.ts'
import { OWN_WORK } from './authority.ts'
import { closedSteps, doneStep } from './closed-steps.ts'
import type { Place } from './dispatcher.ts'
import { groupOf, takeGroup, wakeNextOfGroup } from './groups.ts'
import { Parked } from './parking.ts'
import { type Journal, runSaga, stepKey, UndoFailed } from './run.ts'
import { Permanent, type Saga, type StepTools } from './saga.ts'
import { deleteStep, findSaga, findStep, insertStep, updateSaga } from './saga-store.ts'
import { endJob, findJob, updateJob } from './store.ts'
import type { JobRow, Rollback, SagaRow } from './tables.ts'
import { waitUntil } from './wait-until.ts'

export type SagaCatalogue = ReadonlyMap<
  string,
  Pick<Saga<object, never>, 'name' | 'input' | 'steps'>
>

/** Why a job goes back that a person has cancelled. */
export const cancellation = () => new Permanent('cancelled', 'The job was cancelled')

interface Run {
  readonly sagas: SagaCatalogue
  readonly services: Services
  /** Aborted when the process ends, or the job went to another worker. */
  readonly stopping: AbortSignal
  /** To be aborted with a `Permanent` when a person cancels the job. */
  readonly cancelled: AbortController
  readonly place: Place
}

/**
 * Runs the saga of a job until it has ended, is parked, or has to be tried again: the last two reject.
 * The job's row is what people see of it; the journal is what the next run goes on from.
 */
export async function runJob(jobId: string, run: Run): Promise<void> {
  const { services, stopping, cancelled, place } = run
  const { db, log, jobs } = services
  const found = await findJob(db, jobId)
  const saga = found && run.sagas.get(found.kind)
  if (!found || !saga || found.endedAt) return
  const job: JobRow = found
  const row = await findSaga(db, jobId)
  if (job.cancelRequested) cancelled.abort(cancellation())
  const isPutOff = job.waitsFor !== null
  if (isPutOff && job.cancelRequested) return endUnbegun(job, services)
  if (isPutOff) await begin(job, row, db)
  const forward = AbortSignal.any([stopping, cancelled.signal])
  const authority = row?.authority ?? OWN_WORK
  const ctx = contextFor(services, { kind: 'system', authority } as const)
  // Of the journal and the row this run has its own copy: while it holds the lease nobody else writes them.
  let steps = job.steps
  let rollback: Rollback | null = row?.rollback ?? null
  let parked: SagaRow['parked'] = row?.parked ?? null

  // What belongs together is one transaction: the disk is waited for once.
  const note = async (tx: Db, change: Partial<JobRow>) => {
    await updateJob(tx, jobId, { state: 'running', ...change })
    await jobs.changed(tx, jobId)
  }
  const tell = (name: string, percent: number | null, detail: string) => {
    steps = steps.map((step) =>
      step.name === name ? { ...step, state: 'running', percent, detail } : step,
    )
    return inOneTransaction(db, (tx) => note(tx, { steps, percent }))
  }
  // People read of a rollback at the step that failed: those before it stay as they were.
  const tellUndo = (name: string, detail: string) =>
    tell(rollback?.failedStep ?? name, null, `Undoing “${name}”: ${detail}`)

  const toolsFor = (name: string, undoing: boolean): StepTools => ({
    ctx,
    job,
    key: stepKey(jobId, name),
    signal: undoing ? stopping : forward,
    failure: undoing && rollback ? { code: rollback.code, detail: rollback.detail } : undefined,
    progress: (percent, detail) => (undoing ? tellUndo(name, detail) : tell(name, percent, detail)),
    elsewhere: (work) => place.free(work),
    waitUntil: (fact, happened) =>
      waitUntil(
        { db, jobId, step: name, parked, signal: undoing ? stopping : forward },
        fact,
        happened,
        (now) => {
          parked = now
        },
      ),
  })

  const last = saga.steps.at(-1)?.name
  const journal: Journal = {
    made: (step) => findStep(db, jobId, step),
    async record(step, made) {
      steps = steps.map((one) => (one.name === step ? doneStep(one) : one))
      await inOneTransaction(db, async (tx) => {
        await insertStep(tx, jobId, step, made)
        if (parked) await updateSaga(tx, jobId, { parked: null, parkedNode: null })
        await note(tx, { steps, ...(parked && { generation: null }) })
      })
      parked = null
      // Too late after the last step: what it released may be in use already.
      if (step !== last && cancelled.signal.aborted) throw cancelled.signal.reason
    },
    rollback: async () => rollback ?? undefined,
    // From here on no run goes forward, whoever makes it and whatever has become of the reason.
    async beginRollback(begun) {
      rollback = begun
      await inOneTransaction(db, async (tx) => {
        await updateSaga(tx, jobId, { rollback, parked: null, parkedNode: null })
        await note(tx, { generation: null })
      })
      parked = null
    },
    async undone(step, next) {
      rollback = next
      await inOneTransaction(db, async (tx) => {
        await deleteStep(tx, jobId, step)
        await updateSaga(tx, jobId, { rollback, parked: null, parkedNode: null })
      })
      parked = null
    },
  }

  const startedMs = performance.now()
  try {
    await runSaga(saga.steps, saga.input.parse(job.input), journal, toolsFor)
    await finish('done', null)
  } catch (failure) {
    // Not a failure: the dispatcher puts it back without counting an attempt.
    if (failure instanceof Parked) throw failure
    if (failure instanceof Permanent) {
      const { code, message: detail } = failure
      return finish(code === 'cancelled' ? 'cancelled' : 'failed', { code, detail })
    }
    const about = { err: failure, jobId, kind: job.kind }
    if (failure instanceof UndoFailed) {
      log.warn(about, 'the undo of a job failed, it is tried again')
      if (!stopping.aborted) await tellUndo(failure.step, 'it failed and is tried again')
    } else log.warn(about, 'job step failed, it is tried again')
    throw failure
  }

  async function finish(
    state: 'done' | 'failed' | 'cancelled',
    failure: JobRow['failure'],
  ): Promise<void> {
    // What the rollback said of itself is over.
    const shown = steps.map((step) =>
      step.name === rollback?.failedStep ? { ...step, detail: null } : step,
    )
    const closed = closedSteps({ ...job, steps: shown }, state)
    await inOneTransaction(db, async (tx) => {
      await note(tx, { steps: closed, state, failure, generation: null, endedAt: new Date() })
      await jobs.tellEnd(tx, job, state, failure)
      await wakeNextOfGroup(tx, { ...job, concurrencyGroup: groupOf(job) })
    })
    jobs.durations.observe(job, state)
    log.info(
      { jobId, kind: job.kind, state, durationMs: Math.round(performance.now() - startedMs) },
      'job',
    )
  }
}

/** How long one that is due waits before it asks again for its group, which ends with a wake-up. */
const GROUP_LOOK_MS = 15_000

/** Lets a job begin whose time has come. @throws {Parked} while it has not, or while it is excluded */
async function begin(job: JobRow, row: SagaRow | undefined, db: Db): Promise<void> {
  const leftMs = (row?.runAt?.getTime() ?? 0) - Date.now()
  if (leftMs > 0) throw new Parked(leftMs)
  if (await takeGroup(db, job)) return
  await updateJob(db, job.id, { waitsFor: 'Another job of this server is under way' })
  throw new Parked(GROUP_LOOK_MS)
}

async function endUnbegun(job: JobRow, { db, jobs }: Services): Promise<void> {
  const { code, message: detail } = cancellation()
  await inOneTransaction(db, async (tx) => {
    await updateJob(tx, job.id, { steps: closedSteps(job, 'cancelled'), waitsFor: null })
    await endJob(tx, job.id, 'cancelled', { code, detail })
    await jobs.changed(tx, job.id)
  })
}

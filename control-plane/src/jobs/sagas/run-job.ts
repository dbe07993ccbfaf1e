import { jobKind } from '@lodge/shared/job-kinds.ts'
import { contextFor } from '../../context.ts'
import { type Db, inOneTransaction } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { OWN_WORK } from '../board/authority.ts'
import { closedSteps, doneStep } from '../board/closed-steps.ts'
import { endJob, findJob, updateJob } from '../board/store.ts'
import type { JobRow, Rollback, SagaRow } from '../board/tables.ts'
import type { Place } from '../dispatch/dispatcher.ts'
import { Parked } from '../dispatch/parking.ts'
import { cancellation } from './cancellation.ts'
import { groupOf, takeGroup, wakeNextOfGroup } from './groups.ts'
import { isServerPutOff, PUT_OFF_MS } from './put-off.ts'
import { type Journal, runSaga, stepKey, UndoFailed } from './run.ts'
import { Permanent, type Saga, type StepTools } from './saga.ts'
import { deleteStep, findSaga, findStep, insertStep, updateSaga, wakeForJob } from './saga-store.ts'
import { waitUntil } from './wait-until.ts'

export type SagaCatalogue = ReadonlyMap<
  string,
  Pick<Saga<object, never>, 'name' | 'input' | 'steps'>
>

interface Run {
  readonly sagas: SagaCatalogue
  readonly services: Services
  /** Aborted when the process stops or the job has gone to another worker. */
  readonly stopping: AbortSignal
  /** To be aborted with a `Permanent` when the job is cancelled. */
  readonly cancelled: AbortController
  readonly place: Place
}

/**
 * Runs a job's saga until it ends, parks or must be retried; the last two reject. The job's row is
 * what people see; the journal is what the next run resumes from.
 */
export async function runJob(jobId: string, run: Run): Promise<void> {
  const { services, stopping, cancelled, place } = run
  const { db, log, jobs } = services
  const found = await findJob(db, jobId)
  const saga = found && run.sagas.get(found.kind)
  if (!found || !saga || found.endedAt) return
  const job: JobRow = found
  if (job.serverId && (await services.catalogue.answers.find(isServerPutOff)?.(db, job.serverId)))
    throw new Parked(PUT_OFF_MS)
  const row = await findSaga(db, jobId)
  if (job.cancelRequested) cancelled.abort(cancellation(row?.brokenOff))
  const isPutOff = job.waitsFor !== null
  if (isPutOff && job.cancelRequested) return endUnbegun(job, services)
  if (isPutOff) await begin(job, row, db)
  const forward = AbortSignal.any([stopping, cancelled.signal])
  const authority = row?.authority ?? OWN_WORK
  const ctx = contextFor(services, { kind: 'system', authority } as const)
  // This run caches the journal and the row: while it holds the lease, nobody else writes them.
  let steps = job.steps
  let rollback: Rollback | null = row?.rollback ?? null
  let parked: SagaRow['parked'] = row?.parked ?? null
  const decisive = jobKind(job.kind).cancellableUntil
  let isDecided =
    decisive !== undefined &&
    row?.brokenOff?.late !== true &&
    (await findStep(db, jobId, decisive)) !== undefined
  // What a person may interrupt.
  const forwardNow = () => (isDecided ? stopping : forward)

  // Changes that belong together share one transaction, so there is one wait for the disk.
  const note = async (tx: Db, change: Partial<JobRow>) => {
    await updateJob(tx, jobId, { state: 'running', ...change })
    await jobs.changed(tx, jobId)
  }
  const report = (name: string, percent: number | null, detail: string) => {
    steps = steps.map((step) =>
      step.name === name ? { ...step, state: 'running', percent, detail } : step,
    )
    return inOneTransaction(db, (tx) => note(tx, { steps, percent }))
  }
  // The rollback is shown at the step that failed; earlier steps keep their details.
  const reportUndo = (name: string, detail: string) =>
    report(rollback?.failedStep ?? name, null, `Undoing “${name}”: ${detail}`)

  const toolsFor = (name: string, undoing: boolean): StepTools => ({
    ctx,
    job,
    key: stepKey(jobId, name),
    signal: undoing ? stopping : forwardNow(),
    failure: undoing && rollback ? { code: rollback.code, detail: rollback.detail } : undefined,
    progress: (percent, detail) =>
      undoing ? reportUndo(name, detail) : report(name, percent, detail),
    elsewhere: (work) => place.free(work),
    waitUntil: (fact, happened) =>
      waitUntil(
        { db, jobId, step: name, parked: () => parked, signal: undoing ? stopping : forwardNow() },
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
        if (parked) await updateSaga(tx, jobId, { parked: null, parkedNode: null, parkedJob: null })
        await note(tx, { steps, ...(parked && { generation: null }) })
      })
      parked = null
      // Too late to cancel after the last step: its result may already be in use.
      isDecided ||= step === decisive
      if (step !== last && !isDecided && cancelled.signal.aborted) throw cancelled.signal.reason
    },
    rollback: async () => rollback ?? undefined,
    // From here on every run only rolls back, even if the reason for it has passed.
    async beginRollback(begun) {
      rollback = begun
      await inOneTransaction(db, async (tx) => {
        await updateSaga(tx, jobId, { rollback, parked: null, parkedNode: null, parkedJob: null })
        await note(tx, { generation: null })
      })
      parked = null
    },
    async undone(step, next) {
      rollback = next
      await inOneTransaction(db, async (tx) => {
        await deleteStep(tx, jobId, step)
        await updateSaga(tx, jobId, { rollback, parked: null, parkedNode: null, parkedJob: null })
      })
      parked = null
    },
  }

  const startedMs = performance.now()
  try {
    await runSaga(saga.steps, saga.input.parse(job.input), journal, toolsFor)
    await finish('done', null)
  } catch (failure) {
    // Not a failure: the dispatcher returns it to the queue without counting an attempt.
    if (failure instanceof Parked) throw failure
    if (failure instanceof Permanent) {
      const { code, message: detail } = failure
      return finish(code === 'cancelled' ? 'cancelled' : 'failed', { code, detail })
    }
    const about = { err: failure, jobId, kind: job.kind }
    if (failure instanceof UndoFailed) {
      log.warn(about, 'the undo of a job failed, retrying')
      if (!stopping.aborted) await reportUndo(failure.step, 'it failed and is tried again')
    } else log.warn(about, 'a job step failed, retrying')
    throw failure
  }

  async function finish(
    state: 'done' | 'failed' | 'cancelled',
    failure: JobRow['failure'],
  ): Promise<void> {
    // Drop the rollback's progress from the failed step.
    const shown = steps.map((step) =>
      step.name === rollback?.failedStep ? { ...step, detail: null } : step,
    )
    const closed = closedSteps({ ...job, steps: shown }, state)
    await inOneTransaction(db, async (tx) => {
      await note(tx, { steps: closed, state, failure, generation: null, endedAt: new Date() })
      await jobs.tellEnd(tx, job, state, failure)
      await wakeForJob(tx, jobId)
      await wakeNextOfGroup(tx, { ...job, concurrencyGroup: groupOf(job) })
    })
    jobs.durations.observe(job, state)
    log.info(
      { jobId, kind: job.kind, state, durationMs: Math.round(performance.now() - startedMs) },
      'job',
    )
  }
}

/** How often a due job checks for its group; usually a wake-up ends the wait earlier. */
const GROUP_LOOK_MS = 15_000

/**
 * Lets a job begin that is due.
 * @throws {Parked} before its time, or while another job excludes it
 */
async function begin(job: JobRow, row: SagaRow | undefined, db: Db): Promise<void> {
  const leftMs = (row?.runAt?.getTime() ?? 0) - Date.now()
  if (leftMs > 0) throw new Parked(leftMs)
  if (await takeGroup(db, job)) return
  await updateJob(db, job.id, { waitsFor: 'Another job of this server is running' })
  throw new Parked(GROUP_LOOK_MS)
}

async function endUnbegun(job: JobRow, { db, jobs }: Services): Promise<void> {
  const { code, message: detail } = cancellation()
  await inOneTransaction(db, async (tx) => {
    await updateJob(tx, job.id, { steps: closedSteps(job, 'cancelled'), waitsFor: null })
    await endJob(tx, job.id, 'cancelled', { code, detail })
    await wakeForJob(tx, job.id)
    await jobs.changed(tx, job.id)
  })
}

import type pg from 'pg'
import { contextFor, type Services } from '../context.ts'
import { type Db, inOneTransaction } from '../db/database.ts'
import { type Dispatcher, startDispatcher } from './dispatcher.ts'
import { type PeriodicTask, periodicTask } from './periodic-task.ts'
import { closedSteps, doneStep } from './queue.ts'
import { runSaga, stepKey } from './run.ts'
import { Permanent, type Saga, type StepTools } from './saga.ts'
import { deleteStep, findJob, findStep, idleSagas, insertStep, updateJob } from './store.ts'
import type { JobRow } from './tables.ts'

export type SagaCatalogue = ReadonlyMap<
  string,
  Pick<Saga<object, never>, 'name' | 'input' | 'steps'>
>

/** Runs the sagas of jobs that are handed over, until it is stopped. */
export const startWorker = (
  given: { readonly pool: pg.Pool; readonly connection: pg.ClientConfig },
  sagas: SagaCatalogue,
  services: Services,
): Dispatcher =>
  startDispatcher({
    ...given,
    log: services.log,
    run: (jobId, signal) => runJob(jobId, sagas, services, signal),
  })

async function runJob(
  jobId: string,
  sagas: SagaCatalogue,
  services: Services,
  stopping: AbortSignal,
): Promise<void> {
  const { db, log, live } = services
  const job = await findJob(db, jobId)
  const saga = job && sagas.get(job.kind)
  if (!job || !saga || job.endedAt) return
  const ctx = contextFor(services, { kind: 'system' } as const)
  const cancelled = watchCancel(job, services)
  const signal = AbortSignal.any([stopping, cancelled.signal])
  // What belongs together is one transaction: the disk is waited for once.
  const note = async (tx: Db, change: Partial<JobRow>) => {
    await updateJob(tx, job.id, { state: 'running', ...change })
    await live.announce(tx, { kind: 'job', id: job.id })
  }
  let steps = job.steps
  const toolsFor = (name: string): StepTools => ({
    ctx,
    job,
    key: stepKey(job.id, name),
    signal,
    progress: async (percent, detail) => {
      steps = steps.map((step) =>
        step.name === name ? { ...step, state: 'running', percent, detail } : step,
      )
      await inOneTransaction(db, (tx) => note(tx, { steps, percent }))
    },
  })
  const journal = {
    made: (step: string) => findStep(db, job.id, step),
    forget: (step: string) => deleteStep(db, job.id, step),
    record: async (step: string, made: Record<string, unknown>) => {
      steps = steps.map((one) => (one.name === step ? doneStep(one) : one))
      await inOneTransaction(db, async (tx) => {
        await insertStep(tx, job.id, step, made)
        await note(tx, { steps })
      })
      if (cancelled.signal.aborted) throw wasCancelled()
    },
  }
  const started = performance.now()
  try {
    await runSaga(saga.steps, saga.input.parse(job.input), journal, toolsFor)
    await finish('done', null)
  } catch (failure) {
    if (!(failure instanceof Permanent)) {
      log.warn(
        { err: failure, jobId: job.id, kind: job.kind },
        'job step failed, it is tried again',
      )
      throw failure
    }
    await finish(failure.code === 'cancelled' ? 'cancelled' : 'failed', {
      code: failure.code,
      detail: failure.message,
    })
  } finally {
    cancelled.stop()
  }

  async function finish(
    state: 'done' | 'failed' | 'cancelled',
    failure: JobRow['failure'],
  ): Promise<void> {
    const closed = closedSteps({ ...(job as JobRow), steps }, state)
    await inOneTransaction(db, async (tx) => {
      await note(tx, { steps: closed, state, failure, endedAt: new Date() })
      await services.jobs.tellEnd(tx, job as JobRow, state, failure)
    })
    services.jobs.durations.observe(job as JobRow, state)
    log.info(
      { jobId, kind: job?.kind, state, durationMs: Math.round(performance.now() - started) },
      'job',
    )
  }
}

const wasCancelled = () => new Permanent('cancelled', 'The job was cancelled')

/** A person's cancel is written to the job's row by any instance, so it is looked for there. */
function watchCancel(job: JobRow, { db }: Services): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController()
  const timer = setInterval(async () => {
    const now = await findJob(db, job.id).catch(() => undefined)
    if (now?.cancelRequested) controller.abort(wasCancelled())
  }, 1000)
  if (job.cancelRequested) controller.abort(wasCancelled())
  return { signal: controller.signal, stop: () => clearInterval(timer) }
}

/** Hands over again what no dispatcher knows of: after a crash of PostgreSQL or out of a backup. */
export const sagaTask = (sagas: SagaCatalogue): PeriodicTask =>
  periodicTask('jobs.redispatch', 10, async ({ db, jobs }) => {
    const idle = await idleSagas(db, [...sagas.keys()])
    for (const job of idle) await jobs.dispatch(db, job.id)
    return { waiting: idle.length }
  })

import type { Logger } from 'pino'
import { contextFor } from '../context.ts'
import type { Domain } from '../domain.ts'
import { isSafeMode } from '../domains/nodes/index.ts'
import { type PeriodicTask, startPeriodicTasks } from '../jobs/periodic-task.ts'
import { recurringJobsTask } from '../jobs/recurring.ts'
import { type SagaCatalogue, sagaTask, startWorker } from '../jobs/worker.ts'
import type { Services } from '../services.ts'
import type { RunningDatabase } from './database.ts'

/** Starts background work: periodic tasks and sagas. */
export function startWork(
  modules: readonly Domain[],
  given: {
    readonly services: Services
    readonly database: RunningDatabase
    /** Tasks specific to this start. */
    readonly tasks: readonly PeriodicTask[]
  },
): { stop(): Promise<void> } {
  const { services, database } = given
  const sagas: SagaCatalogue = new Map(
    modules.flatMap(({ sagas = [] }) => sagas).map((one) => [one.name, one]),
  )
  const periodic = modules
    .flatMap(({ periodic = [] }) => periodic)
    .map((one) => (typeof one === 'function' ? one() : one))
  const tasks = startPeriodicTasks(
    [...periodic, sagaTask(sagas), recurringJobsTask(sagas), ...given.tasks],
    services,
    services.log,
  )
  const worker = startWorker(database, sagas, services, () => isSafeMode(services))
  return {
    async stop() {
      await tasks.stop()
      await worker.stop()
    },
  }
}

/** Runs no background work, so that inspecting a restored backup neither mails customers nor charges them again. */
export function idle(log: Logger): { stop(): Promise<void> } {
  log.warn('LODGE_WORK is false: no job begins, no mail is sent, no schedule and no invoice is due')
  return { stop: async () => undefined }
}

/**
 * Lets each domain create what it needs.
 * @returns a function that starts the background work; its promise resolves when all of it has
 * ended
 */
export async function startDomains(
  modules: readonly Domain[],
  services: Services,
): Promise<() => Promise<unknown>> {
  const background: { readonly name: string; run(): Promise<unknown> }[] = []
  for (const { name, start } of modules) {
    const run = await start?.(contextFor(services, { kind: 'system' }))
    if (run) background.push({ name, run })
  }
  return () =>
    Promise.all(
      background.map(({ name, run }) =>
        run().catch((error: unknown) =>
          services.log.error(
            { err: error, domain: name },
            'start-up work in the background failed',
          ),
        ),
      ),
    )
}

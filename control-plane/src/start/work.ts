import { contextFor } from '../context.ts'
import type { Domain } from '../domain.ts'
import { type PeriodicTask, startPeriodicTasks } from '../jobs/periodic-task.ts'
import { recurringJobsTask } from '../jobs/recurring.ts'
import { type SagaCatalogue, sagaTask, startWorker } from '../jobs/worker.ts'
import type { Services } from '../services.ts'
import type { RunningDatabase } from './database.ts'

/** Does what is there to be done without being asked for: periodic tasks and the steps of jobs. */
export function startWork(
  modules: readonly Domain[],
  given: {
    readonly services: Services
    readonly database: RunningDatabase
    /** Of this start only. */
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
  const worker = startWorker(database, sagas, services)
  return {
    async stop() {
      await tasks.stop()
      await worker.stop()
    },
  }
}

/**
 * Lets each domain put in place what it needs.
 * @returns starts what need not be waited for; what that answers is over when all of it is
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
            'could not bring up to date what is old',
          ),
        ),
      ),
    )
}

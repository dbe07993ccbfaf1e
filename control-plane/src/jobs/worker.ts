import type pg from 'pg'
import type { Channels } from '../db/channels.ts'
import type { Services } from '../services.ts'
import { type Dispatcher, startDispatcher } from './dispatcher.ts'
import { type PeriodicTask, periodicTask } from './periodic-task.ts'
import { cancellation, runJob, type SagaCatalogue } from './run-job.ts'
import { cancelledAmong, redispatch } from './saga-store.ts'

export type { SagaCatalogue }

const CANCEL_LOOK_MS = 1_000

/** Runs the sagas of jobs that are handed over, until it is stopped. */
export function startWorker(
  given: { readonly pool: pg.Pool; readonly channels: Channels },
  sagas: SagaCatalogue,
  services: Services,
): Dispatcher {
  const cancels = watchCancels(services)
  const dispatcher = startDispatcher({
    ...given,
    log: services.log,
    async run(jobId, stopping, place) {
      const cancelled = new AbortController()
      cancels.underWay.set(jobId, cancelled)
      try {
        await runJob(jobId, { sagas, services, stopping, cancelled, place })
      } finally {
        cancels.underWay.delete(jobId)
      }
    },
  })
  return {
    async stop() {
      await dispatcher.stop()
      cancels.stop()
    },
  }
}

/**
 * A person's cancel is written to the job's row by any instance, so it is looked for there: with one
 * statement for everything that this process has under way, however many wait for their nodes.
 */
function watchCancels({ db }: Services) {
  const underWay = new Map<string, AbortController>()
  const timer = setInterval(async () => {
    if (underWay.size === 0) return
    // The next look finds what this one could not ask for.
    const found = await cancelledAmong(db, [...underWay.keys()]).catch(() => [])
    for (const id of found) underWay.get(id)?.abort(cancellation())
  }, CANCEL_LOOK_MS)
  return { underWay, stop: () => clearInterval(timer) }
}

/** Hands over again what no dispatcher knows of: after a crash of PostgreSQL or out of a backup. */
export const sagaTask = (sagas: SagaCatalogue): PeriodicTask =>
  periodicTask('jobs.redispatch', 10, async ({ db }) => ({
    waiting: await redispatch(db, [...sagas.keys()]),
  }))

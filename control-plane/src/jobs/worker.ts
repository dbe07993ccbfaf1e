import type pg from 'pg'
import type { Channels } from '../db/channels.ts'
import type { Services } from '../services.ts'
import { type Dispatcher, startDispatcher } from './dispatch/dispatcher.ts'
import { type PeriodicTask, periodicTask } from './periodic-task.ts'
import { cancellation } from './sagas/cancellation.ts'
import { runJob, type SagaCatalogue } from './sagas/run-job.ts'
import { cancelledAmong, redispatch } from './sagas/saga-store.ts'

export type { SagaCatalogue }

const CANCEL_LOOK_MS = 1_000

/** Runs queued sagas until stopped. */
export function startWorker(
  given: { readonly pool: pg.Pool; readonly channels: Channels },
  sagas: SagaCatalogue,
  services: Services,
  isPaused?: () => boolean,
): Dispatcher {
  const cancels = watchCancels(services)
  const dispatcher = startDispatcher({
    ...given,
    ...(isPaused && { isPaused }),
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
 * Any instance may write a cancel to the job's row, so the row is polled: one statement for
 * everything running in this process, however many jobs wait for their nodes.
 */
function watchCancels({ db }: Services) {
  const underWay = new Map<string, AbortController>()
  const timer = setInterval(async () => {
    if (underWay.size === 0) return
    // The next round finds what this one missed.
    const found = await cancelledAmong(db, [...underWay.keys()]).catch(() => [])
    for (const { id, brokenOff } of found) underWay.get(id)?.abort(cancellation(brokenOff))
  }, CANCEL_LOOK_MS)
  return { underWay, stop: () => clearInterval(timer) }
}

/** Dispatches sagas without a dispatch row, after a PostgreSQL crash or from a restored backup. */
export const sagaTask = (sagas: SagaCatalogue): PeriodicTask =>
  periodicTask('jobs.redispatch', 10, async ({ db }) => ({
    waiting: await redispatch(db, [...sagas.keys()]),
  }))

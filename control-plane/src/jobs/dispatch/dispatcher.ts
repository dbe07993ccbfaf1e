import { randomUUID } from 'node:crypto'
import { type Backoff, backoffMs } from '@lodge/shared/backoff.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Channels } from '../../db/channels.ts'
import { CHANNEL, claim, putBack, renew } from './dispatch-store.ts'
import { Parked } from './parking.ts'

/** Jobs running at once in one process; those waiting for a node do not count. */
const PLACES = 16
/** Including waiting jobs: each holds an open promise and a lease to renew. */
const MOST_UNDER_WAY = 1_000
/** A worker silent for this long is presumed dead, and its jobs go to others. */
const LEASE_MS = 12_000
const RENEW_MS = 4_000
/** Jobs are announced; polling finds those whose pause is over and missed announcements. */
const LOOK_MS = 1_000
/** With jitter, so that jobs that failed together are not retried together. */
const PAUSE: Backoff = { leastMs: 1_000, mostMs: 120_000, spread: 0.4 }
const STOP_MS = 5_000

/** What a run may do with its place. */
export interface Place {
  /** Frees the place for another job while this one waits for something outside the process. */
  free<T>(work: () => Promise<T>): Promise<T>
}

export interface Dispatcher {
  /** Lets running jobs finish or returns them to the queue. */
  stop(): Promise<void>
}

/**
 * Claims jobs for this process, as many as there are free places, in one statement. A job whose run
 * rejects is retried after a pause that doubles. If a worker dies, another takes over when the
 * lease expires, so runs must be repeatable. A run that rejects with `Parked` has not failed: it
 * resumes when woken or at its deadline.
 * @param run receives a signal that aborts when the job no longer belongs to this process or the
 * process stops
 */
export function startDispatcher(given: {
  readonly pool: Pick<pg.Pool, 'query'>
  readonly channels: Channels
  readonly log: Logger
  readonly run: (jobId: string, signal: AbortSignal, place: Place) => Promise<void>
  /** While it is true, no job is begun or resumed. */
  readonly isPaused?: () => boolean
}): Dispatcher {
  const { pool, log } = given
  const worker = randomUUID()
  const underWay = new Map<string, { readonly control: AbortController; ended: Promise<void> }>()
  /** Running jobs that have freed their place. */
  let waiting = 0
  let over: string[] = []
  let stopped = false
  let renewedMs = performance.now()
  let bell = Promise.withResolvers<void>()
  const ring = () => bell.resolve()

  // A job that returns from waiting resumes at once: briefly, more than PLACES jobs may run, and
  // none are claimed until there are fewer. Queueing for a place instead could starve jobs that
  // hold a lease and a node's answer behind new ones.
  const place: Place = {
    async free(work) {
      waiting += 1
      ring()
      try {
        return await work()
      } finally {
        waiting -= 1
      }
    },
  }

  async function work(jobId: string, attempt: number, signal: AbortSignal): Promise<void> {
    try {
      await given.run(jobId, signal, place)
      over.push(jobId)
    } catch (error) {
      const failed = !(error instanceof Parked)
      const pauseMs = stopped ? 0 : failed ? backoffMs(attempt - 1, PAUSE) : error.lookAgainMs
      if (failed) log.debug({ err: error, jobId, attempt, pauseMs }, 'retrying a job')
      // If even that fails, the lease expires.
      await putBack(pool, { worker, jobId, pauseMs, failed }).catch((cause: unknown) =>
        log.warn({ err: cause, jobId }, 'could not return a job to the queue'),
      )
    } finally {
      underWay.delete(jobId)
      ring()
    }
  }

  /** @returns whether there may be more */
  async function take(): Promise<boolean> {
    const places = Math.min(PLACES - (underWay.size - waiting), MOST_UNDER_WAY - underWay.size)
    const free = stopped || given.isPaused?.() ? 0 : Math.max(0, places)
    if (free === 0 && over.length === 0) return false
    const ended = over
    over = []
    try {
      const claimed = await claim(pool, { worker, most: free, leaseMs: LEASE_MS, over: ended })
      for (const { jobId, attempt } of claimed) {
        const control = new AbortController()
        const one = { control, ended: Promise.resolve() }
        underWay.set(jobId, one)
        one.ended = work(jobId, attempt, control.signal)
      }
      return free > 0 && claimed.length === free
    } catch (error) {
      over = [...ended, ...over]
      throw error
    }
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      bell = Promise.withResolvers<void>()
      const timer = setTimeout(ring, LOOK_MS)
      try {
        if (!(await take())) await bell.promise
      } catch (error) {
        log.warn({ err: error }, 'could not claim jobs, retrying')
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
      }
      clearTimeout(timer)
    }
  }

  async function keep(): Promise<void> {
    const ids = [...underWay.keys()]
    if (ids.length === 0) {
      renewedMs = performance.now()
      return
    }
    try {
      const mine = await renew(pool, worker, ids, LEASE_MS)
      renewedMs = performance.now()
      for (const id of ids) if (!mine.has(id)) underWay.get(id)?.control.abort()
    } catch (error) {
      log.warn({ err: error }, 'could not renew the leases of jobs')
      if (performance.now() - renewedMs > LEASE_MS)
        for (const { control } of underWay.values()) control.abort()
    }
  }

  const renewal = setInterval(() => void keep(), RENEW_MS)
  const listening = given.channels.hear(CHANNEL, { payload: ring, gap: ring })
  const looping = loop()

  return {
    async stop() {
      stopped = true
      ring()
      // Only once nothing is being claimed: a claim under way could otherwise take back a job that
      // its run has just returned.
      await looping
      for (const { control } of underWay.values()) control.abort()
      const ending = Promise.all([...underWay.values()].map(({ ended }) => ended))
      await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())])
      clearInterval(renewal)
      await take().catch(() => undefined)
      listening.stop()
    },
  }
}

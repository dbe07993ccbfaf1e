import { randomUUID } from 'node:crypto'
import { type Backoff, backoffMs } from '@lodge/shared/backoff.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Channels } from '../db/channels.ts'
import { CHANNEL, claim, putBack, renew } from './dispatch-store.ts'
import { Parked } from './parking.ts'

/** Jobs at work at the same time in one process; those that wait for a node have no place. */
const PLACES = 16
/** With those that wait: each is an open promise and a lease to be renewed. */
const MOST_UNDER_WAY = 1_000
/** A worker that has not been heard for so long has died; its jobs go to others. */
const LEASE_MS = 12_000
const RENEW_MS = 4_000
/** Jobs are announced; this finds the ones whose pause is over and what an announcement has missed. */
const LOOK_MS = 1_000
/** With a part of chance, so that what failed together does not come back together. */
const PAUSE: Backoff = { leastMs: 1_000, mostMs: 120_000, spread: 0.4 }
const STOP_MS = 5_000

/** What a run may do with the place that it was given. */
export interface Place {
  /** Leaves it to another job for as long as this one waits for something outside of the process. */
  free<T>(work: () => Promise<T>): Promise<T>
}

export interface Dispatcher {
  /** Lets the jobs under way come to an end or gives them back. */
  stop(): Promise<void>
}

/**
 * Hands jobs to this process as it has places free, many with one statement. A job whose run is
 * rejected is tried again after a pause that doubles; one whose worker dies is taken over by another
 * when its lease has run out, so a run must bear being repeated. A run that is rejected with `Parked` has
 * not failed: it comes back when it is woken, or when its deadline is due.
 * @param run gets a signal that ends when the job is not this process's any more, or the process ends
 */
export function startDispatcher(given: {
  readonly pool: pg.Pool
  readonly channels: Channels
  readonly log: Logger
  readonly run: (jobId: string, signal: AbortSignal, place: Place) => Promise<void>
}): Dispatcher {
  const { pool, log } = given
  const worker = randomUUID()
  const underWay = new Map<string, { readonly control: AbortController; ended: Promise<void> }>()
  /** Jobs under way that do not occupy their place. */
  let waiting = 0
  let over: string[] = []
  let stopped = false
  let renewedMs = performance.now()
  let bell = Promise.withResolvers<void>()
  const ring = () => bell.resolve()

  // A job that comes back from waiting goes on at once: for a moment more than PLACES may be at work,
  // and nothing new is taken until they are fewer again. Making it queue for a place could let jobs that
  // hold a lease and a node's answer starve behind new ones.
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
      if (failed) log.debug({ err: error, jobId, attempt, pauseMs }, 'job is tried again')
      // When even that fails, the lease runs out.
      await putBack(pool, { worker, jobId, pauseMs, failed }).catch((cause: unknown) =>
        log.warn({ err: cause, jobId }, 'a job was not put back'),
      )
    } finally {
      underWay.delete(jobId)
      ring()
    }
  }

  /** @returns whether there may be more */
  async function take(): Promise<boolean> {
    const places = Math.min(PLACES - (underWay.size - waiting), MOST_UNDER_WAY - underWay.size)
    const free = stopped ? 0 : Math.max(0, places)
    if (free === 0 && over.length === 0) return false
    const ended = over
    over = []
    try {
      const claimed = await claim(pool, { worker, most: free, leaseMs: LEASE_MS, over: ended })
      for (const { jobId, attempt } of claimed) {
        const control = new AbortController()
        if (stopped) control.abort()
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
        log.warn({ err: error }, 'jobs could not be taken, trying again')
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
      log.warn({ err: error }, 'the leases of jobs were not renewed')
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
      for (const { control } of underWay.values()) control.abort()
      ring()
      await looping
      const ending = Promise.all([...underWay.values()].map(({ ended }) => ended))
      await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())])
      clearInterval(renewal)
      await take().catch(() => undefined)
      listening.stop()
    },
  }
}

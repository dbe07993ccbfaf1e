import type pg from 'pg'
import { type Db, later, notify } from '../../db/database.ts'

/** Notified when jobs are queued. */
export const CHANNEL = 'lodge_jobs'

type Queryable = Pick<pg.Pool, 'query'>

/**
 * Queues a job when the transaction commits; queueing it twice has the effect of once.
 * @param at earliest start; now by default
 */
export async function dispatch(db: Db, jobId: string, at: Date | null = null): Promise<void> {
  await later(db, {
    text: `insert into job_dispatch (job_id, due_at) values ($1, coalesce($2, now()))
      on conflict do nothing`,
    values: [jobId, at],
  })
  await notify(db, CHANNEL, '')
}

/** Queues many jobs that may start now, when the transaction commits. */
export async function dispatchAll(db: Db, jobIds: readonly string[]): Promise<void> {
  await later(db, {
    text: `insert into job_dispatch (job_id) select unnest($1::uuid[]) on conflict do nothing`,
    values: [jobIds],
  })
  await notify(db, CHANNEL, '')
}

interface Claimed {
  readonly jobId: string
  /** Starts at 1. */
  readonly attempt: number
}

/**
 * Claims due jobs under a lease, so no other worker gets them until it expires. The same statement
 * deletes the jobs that have ended. The time is read in a subquery: PostgreSQL compares a volatile
 * function with every row, and would read all parked jobs instead of the due end of the index.
 */
export async function claim(
  pool: Queryable,
  given: {
    readonly worker: string
    readonly most: number
    readonly leaseMs: number
    readonly over: readonly string[]
  },
): Promise<Claimed[]> {
  const { rows } = await pool.query<{ jobId: string; attempt: number }>({
    name: 'jobs-claim',
    text: `with over as (delete from job_dispatch where job_id = any($4::uuid[]) and worker = $1)
      update job_dispatch set worker = $1, attempts = attempts + 1, woken = false,
        due_at = clock_timestamp() + $3 * interval '1 millisecond'
      where job_id in (
        select job_id from job_dispatch
        where due_at <= (select clock_timestamp()) and job_id <> all($4::uuid[])
        order by due_at limit $2 for update skip locked)
      returning job_id as "jobId", attempts as attempt`,
    values: [given.worker, given.most, given.leaseMs, given.over],
  })
  return rows
}

/**
 * Renews the leases of running jobs.
 * @returns the jobs still owned by this worker
 */
export async function renew(
  pool: Queryable,
  worker: string,
  jobIds: readonly string[],
  leaseMs: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'jobs-renew',
    text: `update job_dispatch set due_at = clock_timestamp() + $3 * interval '1 millisecond'
      where worker = $1 and job_id = any($2::uuid[]) returning job_id as id`,
    values: [worker, jobIds, leaseMs],
  })
  return new Set(rows.map(({ id }) => id))
}

/**
 * Returns a job to the queue, for any worker. If it was woken since this worker claimed it, it is
 * due at once, so the wake-up is not lost.
 * @param given.failed false for a parked job: it has not failed, so the next failure starts with
 * the first pause again
 */
export async function putBack(
  pool: Queryable,
  given: { worker: string; jobId: string; pauseMs: number; failed: boolean },
): Promise<void> {
  await pool.query({
    name: 'jobs-put-back',
    text: `update job_dispatch set worker = null, woken = false,
        attempts = case when $4 then attempts else 0 end,
        due_at = clock_timestamp() + case when woken then 0 else $3 end * interval '1 millisecond'
      where worker = $1 and job_id = $2`,
    values: [given.worker, given.jobId, Math.round(given.pauseMs), given.failed],
  })
}

import type pg from 'pg'
import { type Db, later, notify } from '../db/database.ts'

/** Announces on it that jobs wait. */
export const CHANNEL = 'lodge_jobs'

type Queryable = Pick<pg.Pool, 'query'>

/**
 * Hands a job over when the transaction commits; handing over twice has the effect of once.
 * @param at not before this time; by default at once
 */
export async function dispatch(db: Db, jobId: string, at: Date | null = null): Promise<void> {
  await later(db, {
    text: `insert into job_dispatch (job_id, due_at) values ($1, coalesce($2, now()))
      on conflict do nothing`,
    values: [jobId, at],
  })
  await notify(db, CHANNEL, '')
}

interface Claimed {
  readonly jobId: string
  /** 1 at the first attempt. */
  readonly attempt: number
}

/**
 * Takes jobs that are due: no other worker gets them before the lease has run out. Gives back those
 * that are over in the same statement.
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
        select job_id from job_dispatch where due_at <= clock_timestamp() and job_id <> all($4::uuid[])
        order by due_at limit $2 for update skip locked)
      returning job_id as "jobId", attempts as attempt`,
    values: [given.worker, given.most, given.leaseMs, given.over],
  })
  return rows
}

/** Keeps the lease of what is under way. @returns the jobs that are still this worker's */
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
 * Lets a job wait until it is tried again, by whichever worker. What it waits for may have happened
 * since this worker took it (`woken`): then it is due at once.
 * @param given.failed false for one that waits for something outside: it has not failed, and the next
 * pause after a failure is the first one again
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

import { jobKind } from '@lodge/shared/job-kinds.ts'
import { type Db, inOneTransaction, isDuplicate, later, notify } from '../../db/database.ts'
import { updateJob } from '../board/store.ts'
import type { JobRow } from '../board/tables.ts'
import { CHANNEL } from '../dispatch/dispatch-store.ts'

/** The group that a job takes once it may begin; a job without a server excludes nothing. */
export const groupOf = ({ kind, serverId }: { kind: string; serverId?: string | null }) =>
  serverId ? jobKind(kind).concurrencyGroup : null

/**
 * Lets a delayed job begin. A unique index decides between two that try at once.
 * @returns false while another job of its group is open
 */
export async function takeGroup(db: Db, job: JobRow): Promise<boolean> {
  try {
    await inOneTransaction(db, (tx) =>
      updateJob(tx, job.id, { concurrencyGroup: groupOf(job), waitsFor: null }),
    )
    return true
  } catch (error) {
    if (!isDuplicate(error, 'jobs_one_per_group')) throw error
    return false
  }
}

/** Lets jobs waiting for the group of an ending job check again. */
export async function wakeNextOfGroup(db: Db, { serverId, concurrencyGroup }: JobRow) {
  if (serverId === null || concurrencyGroup === null) return
  await later(db, {
    text: `update job_dispatch set woken = true,
        due_at = case when worker is null then clock_timestamp() else due_at end
      where job_id in (
        select s.job_id from sagas s join jobs j on j.id = s.job_id
        where j.server_id = $1 and j.ended_at is null and j.waits_for is not null
          and s.run_at <= now())`,
    values: [serverId],
  })
  await notify(db, CHANNEL, '')
}

import { wakeSagas } from '../../control-plane/src/jobs/sagas/saga-store.ts'
import type { Lodge } from './stack.ts'
import { until } from './until.ts'

/**
 * As after an outage of hours: the deadline of what a parked job waits for is over, and it has looked
 * again since. Waits without a deadline come first, and are left alone.
 */
export async function expireWait({ database, controlPlane }: Lodge, jobId: string): Promise<void> {
  await until(async () => {
    const { rowCount } = await database.pool.query(
      `update sagas
       set parked = jsonb_set(parked, '{waits,generation,until}', '"2020-01-01T00:00:00.000Z"')
       where job_id = $1 and parked #>> '{waits,generation,until}' is not null
         and exists (select from job_dispatch d where d.job_id = $1 and d.worker is null)`,
      [jobId],
    )
    return rowCount === 1
  })
  await wakeSagas(controlPlane.services.db, [jobId])
  await until(async () => {
    const { rowCount } = await database.pool.query(
      `select from job_dispatch
       where job_id = $1 and worker is null and not woken and due_at > now()`,
      [jobId],
    )
    return rowCount === 1
  })
}

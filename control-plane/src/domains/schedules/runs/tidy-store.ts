import { RUNS_KEPT, RUNS_KEPT_DAYS } from '@lodge/shared/schedules.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'

/** Deletes runs that are too old, and those of each schedule beyond its newest. */
export async function deleteOldRuns(db: Db): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(sql`
    delete from schedule_runs where ended_at < now() - ${`${RUNS_KEPT_DAYS} days`}::interval
      or id in (
        select old.id from schedules s cross join lateral (
          select r.id from schedule_runs r where r.schedule_id = s.id
          order by r.started_at desc, r.id desc offset ${RUNS_KEPT}) old)
      and ended_at is not null
    returning id`)
  return rows.length
}

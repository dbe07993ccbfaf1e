import { sql } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { lowestIdAt } from '../db/timed-ids.ts'
import { periodicTask } from './periodic-task.ts'

const DAY_MS = 86_400_000
const KEPT_DAYS = 90
const KEPT_PER_SERVER = 1_000
/** Rows deleted per statement, so that none holds locks for long. */
const AT_ONCE = 5_000

/** Deletes jobs that ended more than 90 days ago, with their steps. */
async function deleteOld(db: Db): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(sql`
    delete from jobs where id in (
      select id from jobs where id < ${lowestIdAt(Date.now() - KEPT_DAYS * DAY_MS)}::uuid
        and ended_at < now() - make_interval(days => ${KEPT_DAYS})
      order by id limit ${AT_ONCE})
    returning id`)
  return rows.length
}

/** Keeps the newest thousand ended jobs per server, and all open ones. */
async function deleteBeyond(db: Db): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(sql`
    delete from jobs where id in (
      select old.id
      from (select server_id from jobs where server_id is not null
        group by server_id having count(*) > ${KEPT_PER_SERVER}) many,
        lateral (select id from jobs where server_id = many.server_id and ended_at is not null
          order by id desc offset ${KEPT_PER_SERVER} limit ${AT_ONCE}) old
      limit ${AT_ONCE})
    returning id`)
  return rows.length
}

/** Repeats, one batch after the other, until nothing is left. */
async function all(remove: () => Promise<number>): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await remove()
    removed += count
    if (count < AT_ONCE) return removed
  }
}

export const tidyJobs = periodicTask('jobs.tidy', 600, async ({ db }) => ({
  old: await all(() => deleteOld(db)),
  beyond: await all(() => deleteBeyond(db)),
}))

import type { JobState } from '@lodge/shared/jobs.ts'
import { sql } from 'drizzle-orm'
import { lowestIdAt } from '../db/timed-ids.ts'
import { gauge, map } from '../figures/family.ts'
import type { Figures } from '../figures/figures.ts'

const DAY_MS = 86_400_000

interface JobCount extends Record<string, unknown> {
  kind: string
  state: JobState
  count: number
}

export const jobFigures: Figures = {
  async installation({ db }) {
    const { rows } = await db.execute<JobCount>(sql`
      select kind, state, count(*) as count from (
        select kind, state from jobs where ended_at is null
        union all
        select kind, state from jobs where ended_at is not null and id > ${lowestIdAt(Date.now() - DAY_MS)}::uuid
      ) recent group by kind, state order by kind, state`)
    return () => [
      gauge(
        'lodge_jobs',
        'Jobs by kind and state: all that are open and those made within a day that have ended.',
        map(rows, ({ kind, state, count }) => [{ kind, state }, count]),
      ),
    ]
  },
}

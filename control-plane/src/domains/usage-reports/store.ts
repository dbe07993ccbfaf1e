import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { lowestIdAt } from '../../db/timed-ids.ts'

const WEEK_MS = 7 * 86_400_000

/** The counts of a report. */
export async function countsOf(db: Db) {
  const { rows } = await db.execute<{
    postgresql: number
    nodes: number
    containers: number
    vms: number
    customers: number
    builtin: number
    custom: number
    collaborators: number
    schedules: number
    backups: number
  }>(sql`
    select current_setting('server_version_num')::int / 10000 as postgresql,
      (select count(*) from nodes) as nodes,
      (select count(*) from servers where kind = 'container') as containers,
      (select count(*) from servers where kind = 'vm') as vms,
      (select count(*) from users where role = 'customer') as customers,
      (select count(*) from templates where origin = 'builtin') as builtin,
      (select count(*) from templates where origin = 'custom') as custom,
      (select count(*) from server_collaborators) as collaborators,
      (select count(*) from schedules) as schedules,
      (select count(*) from server_backups) as backups`)
  const [row] = rows
  if (!row) throw new Error('a statement without a from clause gave no row')
  const { builtin: builtinTemplates, custom: customTemplates, ...counts } = row
  return { ...counts, builtinTemplates, customTemplates }
}

/** Jobs that ended in the last week, by kind, and how many of them failed. */
export async function jobsOfWeek(
  db: Db,
): Promise<readonly { kind: string; count: number; failed: number }[]> {
  const { rows } = await db.execute<{ kind: string; count: number; failed: number }>(sql`
    select kind, count(*) as count, count(*) filter (where state = 'failed') as failed
    from jobs where id > ${lowestIdAt(Date.now() - WEEK_MS)}::uuid and ended_at is not null
    group by kind order by kind`)
  return rows
}

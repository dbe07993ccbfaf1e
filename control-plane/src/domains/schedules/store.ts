import { and, asc, count, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { users } from '../customers/tables.ts'
import { RUNS_ALONE } from './runs-alone.ts'
import { type RunRow, type ScheduleRow, scheduleRuns, schedules } from './tables.ts'

/** A schedule of a list, with its open or newest run and the address of its author. */
export interface ListedSchedule extends ScheduleRow {
  readonly lastRun: Omit<RunRow, 'results'> | null
  /** Its node also runs it while disconnected. */
  readonly runsAlone: boolean
  readonly author: { readonly email: string; readonly role: string } | null
}

const runColumns = {
  id: scheduleRuns.id,
  scheduleId: scheduleRuns.scheduleId,
  state: scheduleRuns.state,
  dueAt: scheduleRuns.dueAt,
  startedAt: scheduleRuns.startedAt,
  endedAt: scheduleRuns.endedAt,
  startedBy: scheduleRuns.startedBy,
  detail: scheduleRuns.detail,
  jobId: scheduleRuns.jobId,
  byNode: scheduleRuns.byNode,
}

const listed = (db: Db) =>
  db
    .select({
      row: schedules,
      lastRun: runColumns,
      email: users.email,
      role: users.role,
      runsAlone: sql<boolean>`${schedules.alone} and exists (select from servers
        join nodes on nodes.id = servers.node_id
        where servers.id = ${schedules.serverId} and ${sql.raw(RUNS_ALONE)})`,
    })
    .from(schedules)
    .leftJoin(users, eq(users.id, schedules.authorId))
    .leftJoin(
      scheduleRuns,
      sql`${scheduleRuns.id} = (select newest.id from ${scheduleRuns} newest
        where newest.schedule_id = ${schedules.id}
        order by newest.ended_at is null desc, newest.started_at desc, newest.id desc limit 1)`,
    )

type Found = Awaited<ReturnType<typeof listed>>[number]
const fromFound = ({ row, lastRun, email, role, runsAlone }: Found): ListedSchedule => ({
  ...row,
  lastRun,
  runsAlone,
  author: email === null || role === null ? null : { email, role },
})

export async function listSchedules(db: Db, serverId: string): Promise<ListedSchedule[]> {
  const found = await listed(db).where(eq(schedules.serverId, serverId)).orderBy(asc(schedules.id))
  return found.map(fromFound)
}

export async function findListed(db: Db, id: string): Promise<ListedSchedule | undefined> {
  const [found] = await listed(db).where(eq(schedules.id, id))
  return found && fromFound(found)
}

export async function findSchedule(db: Db, id: string): Promise<ScheduleRow | undefined> {
  const [row] = await db.select().from(schedules).where(eq(schedules.id, id))
  return row
}

/** Locks a schedule of this server until the transaction ends. */
export async function lockSchedule(
  db: Db,
  serverId: string,
  id: string,
): Promise<ScheduleRow | undefined> {
  const [row] = await db
    .select()
    .from(schedules)
    .where(and(eq(schedules.id, id), eq(schedules.serverId, serverId)))
    .for('update')
  return row
}

export async function insertSchedule(db: Db, row: typeof schedules.$inferInsert): Promise<void> {
  await db.insert(schedules).values(row)
}

export async function updateSchedule(
  db: Db,
  id: string,
  change: Partial<ScheduleRow>,
): Promise<void> {
  await db
    .update(schedules)
    .set({ ...change, revision: sql`${schedules.revision} + 1` })
    .where(eq(schedules.id, id))
}

export async function deleteSchedule(db: Db, id: string): Promise<void> {
  await db.delete(schedules).where(eq(schedules.id, id))
}

export async function countSchedules(db: Db, serverId: string): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(schedules)
    .where(eq(schedules.serverId, serverId))
  return row?.count ?? 0
}

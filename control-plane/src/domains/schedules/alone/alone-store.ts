import type { NodeRun } from '@lodge/shared/node-schedules.ts'
import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { users } from '../../customers/tables.ts'
import { nodes } from '../../nodes/tables.ts'
import { serverHolds, servers } from '../../servers/tables.ts'
import { RUNS_ALONE } from '../runs-alone.ts'
import { type RunRow, type ScheduleRow, scheduleRuns, schedules } from '../tables.ts'

export interface AloneSchedule {
  readonly row: ScheduleRow
  readonly server: Pick<typeof servers.$inferSelect, 'id' | 'ownerId' | 'subscriptionId'>
}

/**
 * The schedules of these servers that their nodes may run on their own; none of a server under a
 * hold.
 */
export const aloneSchedules = (db: Db, serverIds: readonly string[]): Promise<AloneSchedule[]> =>
  db
    .select({
      row: schedules,
      server: {
        ...{ id: servers.id, ownerId: servers.ownerId, subscriptionId: servers.subscriptionId },
      },
    })
    .from(schedules)
    .innerJoin(servers, eq(servers.id, schedules.serverId))
    .innerJoin(nodes, eq(nodes.id, servers.nodeId))
    .innerJoin(users, and(eq(users.id, schedules.authorId), eq(users.state, 'active')))
    .where(
      and(
        inArray(schedules.serverId, [...serverIds]),
        schedules.alone,
        isNotNull(schedules.nextAt),
        sql.raw(RUNS_ALONE),
        sql`not exists (select from ${serverHolds} h where h.server_id = ${servers.id})`,
      ),
    )
    .orderBy(asc(schedules.id))

export interface ReportedSchedule {
  readonly row: ScheduleRow
  readonly server: Pick<typeof servers.$inferSelect, 'id' | 'name' | 'ownerId'>
}

/** A schedule of a server of this node. */
export async function scheduleOnNode(
  db: Db,
  nodeId: string,
  scheduleId: string,
): Promise<ReportedSchedule | undefined> {
  const [found] = await db
    .select({
      row: schedules,
      server: { id: servers.id, name: servers.name, ownerId: servers.ownerId },
    })
    .from(schedules)
    .innerJoin(servers, eq(servers.id, schedules.serverId))
    .where(and(eq(schedules.id, scheduleId), eq(servers.nodeId, nodeId)))
    .for('update', { of: schedules })
  return found
}

/** What is known of an occurrence; its row is locked until the transaction ends. */
export async function lockOccurrence(
  db: Db,
  scheduleId: string,
  dueAt: Date,
): Promise<RunRow | undefined> {
  const [row] = await db
    .select()
    .from(scheduleRuns)
    .where(and(eq(scheduleRuns.scheduleId, scheduleId), eq(scheduleRuns.dueAt, dueAt)))
    .for('update')
  return row
}

/** Stores a node's run in place of what was known of its occurrence. */
export async function saveNodeRun(db: Db, run: NodeRun): Promise<void> {
  const values = {
    ...{ state: run.state, detail: run.detail, results: [...run.results] },
    startedAt: new Date(run.startedAt),
    endedAt: run.endedAt === null ? null : new Date(run.endedAt),
    ...{ byNode: true, jobId: null, startedBy: null },
  }
  const occurrence = { scheduleId: run.scheduleId, dueAt: new Date(run.dueAt) }
  await db
    .insert(scheduleRuns)
    .values({ id: run.id, ...occurrence, ...values })
    .onConflictDoUpdate({ target: [scheduleRuns.scheduleId, scheduleRuns.dueAt], set: values })
}

/** Leaves an open occurrence to its node, which reports how it went. */
export async function leaveToNode(db: Db, runId: string): Promise<void> {
  await db
    .update(scheduleRuns)
    .set({ byNode: true, jobId: null })
    .where(and(eq(scheduleRuns.id, runId), isNull(scheduleRuns.endedAt)))
}

/** Takes back a run that did not begin: its occurrence is owed again. */
export async function putBack(
  db: Db,
  given: { readonly runId: string; readonly scheduleId: string; readonly dueAt: Date },
): Promise<void> {
  await db
    .delete(scheduleRuns)
    .where(and(eq(scheduleRuns.id, given.runId), isNull(scheduleRuns.endedAt)))
  await db
    .update(schedules)
    .set({ nextAt: sql`least(${schedules.nextAt}, ${given.dueAt.toISOString()}::timestamptz)` })
    .where(and(eq(schedules.id, given.scheduleId), isNotNull(schedules.nextAt)))
}

/** Ends runs of nodes that were not heard of for so long that no report can be expected. */
export async function endLostRuns(db: Db, hours: number): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(sql`
    update schedule_runs set state = 'failed', ended_at = now(),
      detail = 'The node has not told how it went'
    where ended_at is null and by_node
      and greatest(started_at, (select max((task ->> 'startedAt')::timestamptz)
        from jsonb_array_elements(results) task)) < now() - make_interval(hours => ${hours})
      and exists (select from schedules s join servers on servers.id = s.server_id
        join nodes on nodes.id = servers.node_id
        where s.id = schedule_id and nodes.session_id is not null)
    returning id`)
  return rows.length
}

import { LATE_SECONDS } from '@lodge/shared/cron/due.ts'
import type { HoldKind } from '@lodge/shared/servers.ts'
import { eq, sql } from 'drizzle-orm'
import { type Db, later } from '../../../db/database.ts'
import { users } from '../../customers/tables.ts'
import { CAUGHT_UP } from '../../nodes/index.ts'
import { serverHolds, servers } from '../../servers/tables.ts'
import { RUNS_ALONE } from '../runs-alone.ts'
import { scheduleRuns, schedules } from '../tables.ts'
import type { PlacedSchedule } from './begin.ts'

export interface DueSchedule extends PlacedSchedule {
  readonly nextAt: Date
  readonly holds: readonly HoldKind[]
  /** Whether it has an open run. */
  readonly busy: boolean
  /** Its occurrences from `nextAt` on that its node has used. */
  readonly used: readonly Date[]
}

const open = `exists (select from schedule_runs r
  where r.schedule_id = schedules.id and r.ended_at is null)`

/**
 * Whether a schedule has something due. One that makes up every missed occurrence does so one after
 * another: it waits for the open run, unless it is due just now.
 */
const DUE = `next_at <= now() and (missed <> 'all'
  or next_at > now() - interval '${LATE_SECONDS} seconds' or not ${open})`

/**
 * Its node runs it while disconnected. An occurrence due then is owed: it is decided once the node
 * has reported which ones it ran.
 */
const OWED = `alone and exists (select from servers
  join nodes on nodes.id = servers.node_id
  where servers.id = schedules.server_id and ${RUNS_ALONE} and not ${CAUGHT_UP})`

const TAKEN = `${DUE} and not (${OWED})`

export const ANY_DUE = `select from schedules where ${TAKEN}`

/** Locks due schedules, the longest due first; skips those that another control plane has locked. */
export async function takeDue(db: Db, most: number): Promise<DueSchedule[]> {
  const rows = await db
    .select({
      row: schedules,
      server: {
        id: servers.id,
        name: servers.name,
        nodeId: servers.nodeId,
        ownerId: servers.ownerId,
      },
      authorRole: users.role,
      holds: sql<HoldKind[]>`array(select h.kind from ${serverHolds} h
        where h.server_id = ${servers.id})`,
      busy: sql<boolean>`exists (select from ${scheduleRuns} r
        where r.schedule_id = ${schedules.id} and r.ended_at is null)`,
      used: sql<
        string[]
      >`array(select (extract(epoch from r.due_at) * 1000)::bigint::text from ${scheduleRuns} r
        where r.schedule_id = ${schedules.id} and r.by_node and r.due_at >= ${schedules.nextAt}
        order by r.due_at)`,
      mustClaim: sql<boolean>`${schedules.alone} and exists (select from servers
        join nodes on nodes.id = servers.node_id
        where servers.id = ${schedules.serverId} and ${sql.raw(RUNS_ALONE)})`,
    })
    .from(schedules)
    .innerJoin(servers, eq(servers.id, schedules.serverId))
    .leftJoin(users, eq(users.id, schedules.authorId))
    .where(sql.raw(TAKEN))
    .orderBy(schedules.nextAt)
    .limit(most)
    .for('update', { of: schedules, skipLocked: true })
  return rows.flatMap(({ row, used, ...more }): DueSchedule[] =>
    row.nextAt === null
      ? []
      : [{ ...row, nextAt: row.nextAt, used: used.map((ms) => new Date(Number(ms))), ...more }],
  )
}

export interface Advance {
  readonly id: string
  readonly nextAt: Date | null
  readonly problem: string | null
}

/** Moves schedules to their next occurrence, or marks them as broken. */
export async function advance(db: Db, all: readonly Advance[]): Promise<void> {
  await later(db, {
    text: `update schedules s set next_at = given.next_at, problem = given.problem
      from unnest($1::uuid[], $2::timestamptz[], $3::text[]) as given(id, next_at, problem)
      where s.id = given.id`,
    values: [
      all.map(({ id }) => id),
      all.map(({ nextAt }) => nextAt),
      all.map(({ problem }) => problem),
    ],
  })
}

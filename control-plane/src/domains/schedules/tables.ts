import type { ScheduleTask, TaskResult } from '@lodge/shared/schedules.ts'
import {
  ALONE_ACTIONS,
  MOST_ALONE_BYTES,
  RUN_STATES,
  SCHEDULE_MISSED,
} from '@lodge/shared/schedules.ts'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { counter, moment } from '../../db/columns.ts'
import { serverBackups } from '../backups/tables.ts'
import { users } from '../customers/tables.ts'
import { servers } from '../servers/tables.ts'
import { vmSnapshots } from '../vms/tables.ts'

/** Whether a node could do all of these tasks without the control plane. */
const ALONE = `not jsonb_path_exists(tasks, '$[*] ? (${ALONE_ACTIONS.map((action) => `@.action != "${action}"`).join(' && ')})') and octet_length(tasks::text) <= ${MOST_ALONE_BYTES}`

/** What a server does by the clock. */
export const schedules = pgTable(
  'schedules',
  {
    id: uuid('id').primaryKey(),
    serverId: uuid('server_id')
      .notNull()
      .references(() => servers.id, { onDelete: 'cascade' }),
    name: text('name'),
    /** Either this or an interval. */
    cron: text('cron'),
    intervalMinutes: integer('interval_minutes'),
    /** Intervals are counted from this time. */
    anchoredAt: moment('anchored_at').notNull(),
    /** IANA name of the zone in which `cron` is read. */
    timezone: text('timezone').notNull(),
    tasks: jsonb('tasks').$type<ScheduleTask[]>().notNull(),
    alone: boolean('alone').notNull().generatedAlwaysAs(sql.raw(ALONE)),
    missed: text('missed', { enum: SCHEDULE_MISSED }).notNull(),
    enabled: boolean('enabled').notNull(),
    /** The author of the tasks, whose rights they run with. Null when the account is gone. */
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    /** Null while it is disabled or broken, and after its last occurrence. */
    nextAt: moment('next_at'),
    /** Why it can no longer be run, in words. */
    problem: text('problem'),
    revision: counter('revision').notNull().default(1),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('schedules_due').on(table.nextAt).where(sql`${table.nextAt} is not null`),
    index('schedules_server').on(table.serverId, table.id),
    index('schedules_author').on(table.authorId),
    check(
      'schedules_one_timing',
      sql`(${table.cron} is null) <> (${table.intervalMinutes} is null)`,
    ),
  ],
)
export type ScheduleRow = typeof schedules.$inferSelect

/** Runs, and the times at which a schedule should have run and did not. */
export const scheduleRuns = pgTable(
  'schedule_runs',
  {
    id: uuid('id').primaryKey(),
    scheduleId: uuid('schedule_id')
      .notNull()
      .references(() => schedules.id, { onDelete: 'cascade' }),
    state: text('state', { enum: RUN_STATES }).notNull(),
    /** Null for a run that a person started. */
    dueAt: moment('due_at'),
    /** For an occurrence that did not run: when it should have. */
    startedAt: moment('started_at').notNull(),
    endedAt: moment('ended_at'),
    startedBy: uuid('started_by').references(() => users.id, { onDelete: 'set null' }),
    detail: text('detail'),
    jobId: uuid('job_id'),
    /** The node ran it while disconnected. */
    byNode: boolean('by_node').notNull().default(false),
    results: jsonb('results').$type<KeptResult[]>().notNull(),
  },
  (table) => [
    // No occurrence runs twice, however many control planes there are.
    uniqueIndex('schedule_runs_due').on(table.scheduleId, table.dueAt),
    // Runs of nodes are only reported, not begun here.
    uniqueIndex('schedule_runs_one_open')
      .on(table.scheduleId)
      .where(sql`${table.endedAt} is null and not ${table.byNode}`),
    index('schedule_runs_open').on(table.scheduleId).where(sql`${table.endedAt} is null`),
    index('schedule_runs_newest').on(table.scheduleId, table.startedAt, table.id),
    index('schedule_runs_ended').on(table.endedAt),
    index('schedule_runs_started_by').on(table.startedBy),
  ],
)
export type RunRow = typeof scheduleRuns.$inferSelect

/** The result of a task, with internal data that resuming it needs. */
export interface KeptResult extends TaskResult {
  /** What its parts have created. */
  readonly begun?: Record<string, unknown>
  /** Since when a fault has kept it from beginning. */
  readonly faultyAt?: string
}

/** Which snapshots schedules made; only those are rotated. */
export const scheduleSnapshots = pgTable(
  'schedule_snapshots',
  {
    snapshotId: uuid('snapshot_id')
      .primaryKey()
      .references(() => vmSnapshots.id, { onDelete: 'cascade' }),
    scheduleId: uuid('schedule_id')
      .notNull()
      .references(() => schedules.id, { onDelete: 'cascade' }),
  },
  (table) => [index('schedule_snapshots_schedule').on(table.scheduleId)],
)

/** Which backups schedules made, so that each rotates its own. */
export const scheduleBackups = pgTable(
  'schedule_backups',
  {
    backupId: uuid('backup_id')
      .primaryKey()
      .references(() => serverBackups.id, { onDelete: 'cascade' }),
    scheduleId: uuid('schedule_id')
      .notNull()
      .references(() => schedules.id, { onDelete: 'cascade' }),
  },
  (table) => [index('schedule_backups_schedule').on(table.scheduleId)],
)

/** Which archives schedules made on their servers, so that tasks delete old ones of their own. */
export const scheduleArchives = pgTable(
  'schedule_archives',
  {
    scheduleId: uuid('schedule_id')
      .notNull()
      .references(() => schedules.id, { onDelete: 'cascade' }),
    path: text('path').notNull(),
    /** A hash of what its task packs and where: the same for all archives of that task. */
    series: text('series').notNull(),
    madeAt: moment('made_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.scheduleId, table.path] }),
    index('schedule_archives_series').on(table.scheduleId, table.series, table.madeAt),
  ],
)

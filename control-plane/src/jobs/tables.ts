import type { JobState, JobStep } from '@lodge/shared/jobs.ts'
import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { counter, moment } from '../db/columns.ts'

/**
 * Every piece of work that takes longer than a request: what a person sees and what a saga resumes
 * from. A job with a `generation` is settled by what the agent reports of its server; all others run
 * as sagas.
 */
export const jobs = pgTable(
  'jobs',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    title: text('title').notNull(),
    state: text('state').$type<JobState>().notNull(),
    serverId: uuid('server_id'),
    nodeId: uuid('node_id'),
    /** Owner of the server at the time, who may see the job. */
    ownerId: uuid('owner_id'),
    startedBy: uuid('started_by'),
    /** The server's generation whose outcome decides the job. */
    generation: counter('generation'),
    /** In words, what has to happen before it can begin; then neither a node nor a worker has it yet. */
    waitsFor: text('waits_for'),
    input: jsonb('input').$type<Record<string, unknown>>().notNull(),
    steps: jsonb('steps').$type<JobStep[]>().notNull(),
    percent: real('percent'),
    bytesDone: counter('bytes_done'),
    bytesTotal: counter('bytes_total'),
    failure: jsonb('failure').$type<{ code: string; detail: string }>(),
    logTail: text('log_tail').array().notNull().default([]),
    cancelRequested: boolean('cancel_requested').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('jobs_open_by_server')
      .on(table.serverId, table.generation)
      .where(sql`${table.endedAt} is null`),
    index('jobs_open_by_kind').on(table.kind, table.createdAt).where(sql`${table.endedAt} is null`),
    index('jobs_server').on(table.serverId, table.id),
    index('jobs_owner').on(table.ownerId, table.id),
    uniqueIndex('jobs_one_exclusive_per_server')
      .on(table.serverId)
      .where(
        sql`${table.endedAt} is null and ${table.generation} is null and ${table.waitsFor} is null and ${table.serverId} is not null`,
      ),
  ],
)
export type JobRow = typeof jobs.$inferSelect

/** Journal of a saga: a row for each finished step with what it made. */
export const jobSteps = pgTable(
  'job_steps',
  {
    jobId: uuid('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    step: text('step').notNull(),
    made: jsonb('made').$type<Record<string, unknown>>().notNull(),
    at: moment('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.step] })],
)

/** Sagas that wait for a worker or are in the hands of one; a row goes when its job has ended. */
export const jobDispatch = pgTable(
  'job_dispatch',
  {
    jobId: uuid('job_id').primaryKey(),
    /** When a worker may take it: now, after a pause, or once the worker that has it is silent. */
    dueAt: moment('due_at').notNull().defaultNow(),
    attempts: integer('attempts').notNull().default(0),
    worker: uuid('worker'),
  },
  (table) => [index('job_dispatch_due').on(table.dueAt)],
)

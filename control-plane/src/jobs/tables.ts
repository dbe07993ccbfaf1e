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
import type { JobAuthority } from '../actor.ts'
import { counter, moment } from '../db/columns.ts'
import type { About } from './about.ts'

/**
 * Every piece of work that takes longer than a request, as a person sees it. It runs in one of two ways:
 *
 * - `desired_state`: the node was told what a server should be; the job ends when the node reports
 *   that generation as settled. No worker touches it.
 * - `saga`: a worker runs it step by step. What only that needs is in `sagas` and `job_steps`.
 */
export const jobs = pgTable(
  'jobs',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    runsAs: text('runs_as', { enum: ['desired_state', 'saga'] })
      .notNull()
      .default('desired_state'),
    title: text('title').notNull(),
    state: text('state').$type<JobState>().notNull(),
    serverId: uuid('server_id'),
    nodeId: uuid('node_id'),
    /** Owner of the server at the time, who may see the job. */
    ownerId: uuid('owner_id'),
    startedBy: uuid('started_by'),
    /** Of the jobs of one server that share a group only one is open; null excludes nothing. */
    concurrencyGroup: text('concurrency_group'),
    /** The server's generation that decides a desired-state job, or that a parked saga waits for. */
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
    uniqueIndex('jobs_one_per_group')
      .on(table.serverId, table.concurrencyGroup)
      .where(sql`${table.endedAt} is null and ${table.concurrencyGroup} is not null`),
  ],
)
export type JobRow = typeof jobs.$inferSelect

/** How a saga stands, beside its journal in `job_steps`: a row for each, written when it is enqueued. */
export const sagas = pgTable(
  'sagas',
  {
    jobId: uuid('job_id')
      .primaryKey()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    /** Whose rights it acts with. */
    authority: jsonb('authority').$type<JobAuthority>().notNull(),
    /**
     * It does not begin before this time, and until it has begun it excludes nothing: it takes its
     * concurrency group then.
     */
    runAt: moment('run_at'),
    /** Set by the first permanent failure: from then on it is only ever rolled back. */
    rollback: jsonb('rollback').$type<Rollback>(),
    /** It waits for this node to connect, without a worker. */
    parkedNode: uuid('parked_node'),
    /** The step that first waited, and how long it may; kept until that step is done. */
    parked: jsonb('parked').$type<{ step: string; until: string | null }>(),
  },
  (table) => [
    index('sagas_parked_node').on(table.parkedNode).where(sql`${table.parkedNode} is not null`),
  ],
)
export type SagaRow = typeof sagas.$inferSelect

export interface Rollback {
  readonly code: string
  readonly detail: string
  /** The step that failed. */
  readonly failedStep: string
  /** The step to be undone next; null when all of them are. */
  readonly next: string | null
}

/** Jobs that are made again and again; each occurrence is a job of its own, enqueued exactly once. */
export const recurringJobs = pgTable(
  'recurring_jobs',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    /** Five fields: minute, hour, day of the month, month, day of the week. */
    cron: text('cron').notNull(),
    /** IANA name of the time zone whose clock the fields are read by. */
    zone: text('zone').notNull(),
    input: jsonb('input').$type<Record<string, unknown>>().notNull(),
    about: jsonb('about').$type<About>().notNull(),
    authority: jsonb('authority').$type<JobAuthority>().notNull(),
    /** Null when the expression has no further occurrence. */
    nextAt: moment('next_at'),
  },
  (table) => [index('recurring_jobs_next').on(table.nextAt)],
)
export type RecurringJobRow = typeof recurringJobs.$inferSelect

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

/**
 * Sagas that wait for a worker or are in the hands of one; a row goes when its job has ended. The table
 * is unlogged: what it held is made again from `jobs` and `sagas`.
 */
export const jobDispatch = pgTable(
  'job_dispatch',
  {
    jobId: uuid('job_id').primaryKey(),
    /** When a worker may take it: now, after a pause, or once the worker that has it is silent. */
    dueAt: moment('due_at').notNull().defaultNow(),
    attempts: integer('attempts').notNull().default(0),
    worker: uuid('worker'),
    /** What it waits for has happened while a worker still had it: it is due as soon as it is put back. */
    woken: boolean('woken').notNull().default(false),
  },
  (table) => [index('job_dispatch_due').on(table.dueAt)],
)

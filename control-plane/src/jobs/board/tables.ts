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
import type { JobAuthority } from '../../actor.ts'
import { counter, moment } from '../../db/columns.ts'
import type { About } from './about.ts'

/**
 * Every piece of work that takes longer than a request, as people see it. There are two kinds:
 *
 * - `desired_state`: the node received what a server should be; the job ends when the node reports
 *   that generation as settled. No worker is involved.
 * - `saga`: a worker runs it step by step. What only sagas need is in `sagas` and `job_steps`.
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
    /** The server's owner when the job was made; may see the job. */
    ownerId: uuid('owner_id'),
    startedBy: uuid('started_by'),
    /** Only one of a server's jobs in a group is open at a time; null excludes nothing. */
    concurrencyGroup: text('concurrency_group'),
    /** The server's generation that a desired-state job or a parked saga waits for. */
    generation: counter('generation'),
    /**
     * What must happen before it can begin, as text; until then neither a node nor a worker has it.
     */
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
    // What ended badly is rare, and looked for.
    index('jobs_ended_badly')
      .on(table.state, table.id)
      .where(sql`${table.state} in ('failed', 'cancelled', 'superseded')`),
    index('jobs_server').on(table.serverId, table.id),
    index('jobs_owner').on(table.ownerId, table.id),
    index('jobs_starter').on(table.startedBy, table.id),
    uniqueIndex('jobs_one_per_group')
      .on(table.serverId, table.concurrencyGroup)
      .where(sql`${table.endedAt} is null and ${table.concurrencyGroup} is not null`),
  ],
)
export type JobRow = typeof jobs.$inferSelect

/**
 * The state of a saga beside its journal in `job_steps`; one row each, inserted when it is
 * enqueued.
 */
export const sagas = pgTable(
  'sagas',
  {
    jobId: uuid('job_id')
      .primaryKey()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    /** The rights it acts with. */
    authority: jsonb('authority').$type<JobAuthority>().notNull(),
    /**
     * Earliest start. It takes its concurrency group only when it begins, so until then it excludes
     * nothing.
     */
    runAt: moment('run_at'),
    /** Set by the first permanent failure; from then on it only rolls back. */
    rollback: jsonb('rollback').$type<Rollback>(),
    /** Why it is to lead back although no person cancelled it. */
    brokenOff: jsonb('broken_off').$type<BrokenOff>(),
    /** Waits for this node to connect, without a worker. */
    parkedNode: uuid('parked_node'),
    /** Waits for this saga to end, without a worker. */
    parkedJob: uuid('parked_job'),
    /** What a step waits for or has waited for, kept until that step is done. */
    parked: jsonb('parked').$type<{
      step: string
      /** Per fact, since when and until when; absent in rows of earlier versions. */
      waits?: Record<string, { since: string; until: string | null }>
      /** For earlier versions, which know one deadline per step: that of the newest fact. */
      until: string | null
    }>(),
  },
  (table) => [
    index('sagas_parked_node').on(table.parkedNode).where(sql`${table.parkedNode} is not null`),
    index('sagas_parked_job').on(table.parkedJob).where(sql`${table.parkedJob} is not null`),
  ],
)
export type SagaRow = typeof sagas.$inferSelect

/** What a job that was broken off fails with. */
export interface BrokenOff {
  readonly code: string
  readonly detail: string
  /** Even after the step after which a person cannot cancel it. */
  readonly late?: true
}

export interface Rollback {
  readonly code: string
  readonly detail: string
  /** The step that failed. */
  readonly failedStep: string
  /** The step to undo next; null when all are undone. */
  readonly next: string | null
}

/** Definitions of recurring jobs; each occurrence is enqueued as a job exactly once. */
export const recurringJobs = pgTable(
  'recurring_jobs',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    /** Five fields: minute, hour, day of the month, month, day of the week. */
    cron: text('cron').notNull(),
    /** IANA name of the time zone in which the fields are read. */
    zone: text('zone').notNull(),
    input: jsonb('input').$type<Record<string, unknown>>().notNull(),
    about: jsonb('about').$type<About>().notNull(),
    authority: jsonb('authority').$type<JobAuthority>().notNull(),
    /** Null if the expression never occurs again. */
    nextAt: moment('next_at'),
  },
  (table) => [index('recurring_jobs_next').on(table.nextAt)],
)
export type RecurringJobRow = typeof recurringJobs.$inferSelect

/** Journal of a saga: one row per finished step, with its results. */
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
 * Sagas waiting for a worker or held by one; a row is deleted when its job has ended. Unlogged: it
 * can be rebuilt from `jobs` and `sagas`.
 */
export const jobDispatch = pgTable(
  'job_dispatch',
  {
    jobId: uuid('job_id').primaryKey(),
    /** When a worker may claim it: now, after a pause, or when the lease expires. */
    dueAt: moment('due_at').notNull().defaultNow(),
    attempts: integer('attempts').notNull().default(0),
    worker: uuid('worker'),
    /**
     * The fact it waits for occurred while a worker still held it: it is due as soon as it is
     * returned.
     */
    woken: boolean('woken').notNull().default(false),
  },
  (table) => [index('job_dispatch_due').on(table.dueAt)],
)

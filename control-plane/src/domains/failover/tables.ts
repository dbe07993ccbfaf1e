import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
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
import { users } from '../customers/tables.ts'
import { nodes } from '../nodes/tables.ts'

/**
 * Nodes that a person declared dead or that were taken over, and what was done about their servers.
 */
export const failoverRuns = pgTable(
  'failover_runs',
  {
    id: uuid('id').primaryKey(),
    nodeId: uuid('node_id').references(() => nodes.id, { onDelete: 'set null' }),
    nodeName: text('node_name').notNull(),
    /** No foreign key: jobs are deleted after a while. */
    jobId: uuid('job_id'),
    startedById: uuid('started_by_id').references(() => users.id, { onDelete: 'set null' }),
    /** Begun after a takeover, not by a person. */
    automatic: boolean('automatic').notNull().default(false),
    startedAt: moment('started_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('failover_runs_node').on(table.nodeId),
    index('failover_runs_starter').on(table.startedById),
    index('failover_runs_started').on(table.startedAt),
  ],
)
export type FailoverRunRow = typeof failoverRuns.$inferSelect

/** The servers of a run: which backup each gets, and on which node. */
export const failoverServers = pgTable(
  'failover_servers',
  {
    runId: uuid('run_id').notNull(),
    /** No foreign key: the record outlives the server. */
    serverId: uuid('server_id').notNull(),
    serverName: text('server_name').notNull(),
    targetId: uuid('target_id').notNull(),
    targetName: text('target_name').notNull(),
    repositoryId: uuid('repository_id').notNull(),
    backupId: uuid('backup_id').notNull(),
    snapshotId: text('snapshot_id').notNull(),
    sizeBytes: counter('size_bytes').notNull(),
    /**
     * The shared storage that has its files, in which case the backup columns mean nothing; null: it
     * gets the backup.
     */
    storage: text('storage'),
    /** Changes after this time are lost. */
    backupAt: moment('backup_at').notNull(),
    state: text('state', { enum: ['waiting', 'restored', 'failed'] })
      .notNull()
      .default('waiting'),
    jobId: uuid('job_id'),
    detail: text('detail'),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.serverId] }),
    foreignKey({ columns: [table.runId], foreignColumns: [failoverRuns.id] }).onDelete('cascade'),
    // Prevents concurrent recoveries of one server.
    uniqueIndex('failover_servers_once').on(table.serverId).where(sql`${table.state} = 'waiting'`),
  ],
)
export type FailoverServerRow = typeof failoverServers.$inferSelect

/** What lost nodes still have of servers that are elsewhere. */
export const supersededCopies = pgTable(
  'superseded_copies',
  {
    /** No foreign key: the copy outlives the server until it is deleted. */
    serverId: uuid('server_id').notNull(),
    nodeId: uuid('node_id')
      .notNull()
      .references(() => nodes.id, { onDelete: 'cascade' }),
    serverName: text('server_name').notNull(),
    kind: text('kind', { enum: ['container', 'vm'] })
      .notNull()
      .default('container'),
    /** Part of a move that was given up: it was never the server, and is deleted immediately. */
    partial: boolean('partial').notNull().default(false),
    /** The newest placement that the copy may have. */
    placementGeneration: counter('placement_generation').notNull(),
    /** The shared storage whose files of the server go with it; null: none. */
    filesOn: uuid('files_on'),
    supersededAt: moment('superseded_at').notNull().defaultNow(),
    /** When its node learned of it. */
    stoppedAt: moment('stopped_at'),
    deletedAt: moment('deleted_at'),
    /** How often its node failed to do what is due, and when it is tried next. */
    tries: integer('tries').notNull().default(0),
    tryAt: moment('try_at').notNull().defaultNow(),
    triedAt: moment('tried_at'),
    /** Why the last attempt failed. */
    failure: jsonb('failure').$type<{ code: string; detail: string; isTold?: boolean }>(),
  },
  (table) => [
    primaryKey({ columns: [table.serverId, table.nodeId] }),
    index('superseded_copies_node').on(table.nodeId),
    index('superseded_copies_due').on(table.tryAt).where(sql`${table.deletedAt} is null`),
  ],
)
export type SupersededCopyRow = typeof supersededCopies.$inferSelect

/** Nodes that were taken over because they had been silent for longer than their lease. */
export const takeovers = pgTable(
  'takeovers',
  {
    id: uuid('id').primaryKey(),
    nodeId: uuid('node_id').references(() => nodes.id, { onDelete: 'set null' }),
    nodeName: text('node_name').notNull(),
    /** Its epoch from then on. */
    epoch: integer('epoch').notNull(),
    /** The last renewal that the decision was based on. */
    renewSeq: counter('renew_seq').notNull(),
    /** The term of the coordinator that decided. */
    term: counter('term').notNull(),
    at: moment('at').notNull().defaultNow(),
  },
  (table) => [index('takeovers_at').on(table.at), index('takeovers_node').on(table.nodeId)],
)

/** Lost nodes of which operators were told that servers of them cannot be brought back. */
export const failoverBlocked = pgTable('failover_blocked', {
  nodeId: uuid('node_id')
    .primaryKey()
    .references(() => nodes.id, { onDelete: 'cascade' }),
  /** The epoch in which they were told: once in each. */
  epoch: integer('epoch').notNull(),
})

/** Nodes that have to be switched off before their servers are brought back, one row for each. */
export const fencings = pgTable(
  'fencings',
  {
    nodeId: uuid('node_id')
      .primaryKey()
      .references(() => nodes.id, { onDelete: 'cascade' }),
    /** Its last sign of life: a newer one invalidates this row. */
    renewSeq: counter('renew_seq').notNull(),
    askedAt: moment('asked_at').notNull().defaultNow(),
    /** Number of attempts, and when the next is due; null: it is off. */
    tries: integer('tries').notNull().default(0),
    tryAt: moment('try_at').defaultNow(),
    /** When it was last seen to be off. */
    offAt: moment('off_at'),
    failure: jsonb('failure').$type<{ detail: string; isTold: boolean }>(),
  },
  (table) => [
    index('fencings_due').on(table.tryAt).where(sql`${table.tryAt} is not null`),
    index('fencings_asked').on(table.askedAt),
  ],
)
export type FencingRow = typeof fencings.$inferSelect

/**
 * The one instance that watches the leases. Decisions rest on counters alone, as leases do: safety
 * does not depend on there being only one coordinator.
 */
export const failoverOffice = pgTable(
  'failover_office',
  {
    id: integer('id').primaryKey().default(1),
    holderId: uuid('holder_id'),
    term: counter('term').notNull().default(0),
    renewSeq: counter('renew_seq').notNull().default(0),
    /** Why nothing is taken over now; null: nothing prevents it. */
    stoppedBecause: text('stopped_because'),
    /** The length of leases during maintenance of the control plane; null: as each node has it. */
    extendedTtlMs: integer('lease_extended_ttl_ms'),
    extendedAt: moment('lease_extended_at'),
    /** When the extension ends by itself. */
    extendedUntil: moment('lease_extended_until'),
  },
  (table) => [check('failover_office_one', sql`${table.id} = 1`)],
)

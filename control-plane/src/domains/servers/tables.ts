import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { KnownPlayers } from '@lodge/shared/players.ts'
import { SUSPENSION_CAUSES } from '@lodge/shared/server-status.ts'
import type {
  CrashPolicy,
  ExitInfo,
  HoldKind,
  ObservedState,
  Power,
  ServerEvent,
} from '@lodge/shared/servers.ts'
import type { DrawnGlyph } from '@lodge/shared/templates/glyphs.ts'
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
  real,
  serial,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytea, counter, moment } from '../../db/columns.ts'
import { users } from '../customers/tables.ts'
import { nodes } from '../nodes/tables.ts'
import { subscriptions } from '../plans/tables.ts'
import { templateVersions } from '../templates/tables.ts'

/**
 * A server has three parts with three writers: the desired state (panel), the observation (agent)
 * and the holds (own table).
 */
export const servers = pgTable(
  'servers',
  {
    id: uuid('id').primaryKey(),
    /** Compact key for its metrics. */
    metricKey: serial('metric_key').notNull(),
    name: text('name').notNull(),
    /** Null for that of the template. */
    icon: text('icon').$type<DrawnGlyph>(),
    /** In lower case and in order, each once. */
    tags: text('tags').array().notNull().default([]),
    kind: text('kind', { enum: ['container', 'vm'] })
      .notNull()
      .default('container'),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id),
    /** Null for a virtual machine. */
    templateId: uuid('template_id'),
    templateVersion: integer('template_version'),
    /** The subscription the server came with; null if it uses the owner's own limits. */
    subscriptionId: uuid('subscription_id').references(() => subscriptions.id),
    nodeId: uuid('node_id')
      .notNull()
      .references(() => nodes.id),
    memoryMb: integer('memory_mb').notNull(),
    cpuPercent: integer('cpu_percent').notNull(),
    diskMb: integer('disk_mb').notNull(),
    /** Additional disk quota on the node for snapshots of a machine. */
    copiesDiskMb: integer('copies_disk_mb').notNull().default(0),
    variables: jsonb('variables').$type<Record<string, string>>().notNull(),
    /** Name of the chosen template image; null for the default. */
    image: text('image'),
    crashPolicy: jsonb('crash_policy').$type<CrashPolicy>().notNull(),

    // The desired state. Every change raises the generation, so an agent can never act on an older
    // one.
    desiredPower: text('desired_power').$type<Power>().notNull(),
    desiredRun: integer('desired_run').notNull().default(0),
    desiredInstall: integer('desired_install').notNull().default(1),
    desiredEnding: text('desired_ending', { enum: ['graceful', 'kill'] })
      .notNull()
      .default('graceful'),
    /** Secret values are masked; `sealed` then holds the complete spec. */
    desiredSpec: jsonb('desired_spec').$type<WorkloadSpec>().notNull(),
    /** Values of secret variables and the complete spec, encrypted; null if nothing is secret. */
    sealed: bytea('sealed'),
    generation: counter('generation').notNull().default(1),
    /** Increases with each move to another node; a machine boots only under the current one. */
    placementGeneration: counter('placement_generation').notNull().default(1),

    /** The shared storage that has its files; null for the disk of its node. */
    storageId: uuid('storage_id'),

    /** Its own failover mode; null for that of its node. */
    failoverMode: text('failover_mode', { enum: ['pinned', 'auto', 'stonith'] }),
    /** Increases with each change of the mode in force and of the placement. */
    failoverRevision: counter('failover_revision').notNull().default(1),

    // The observation, written only from agents' messages.
    observedState: text('observed_state').$type<ObservedState>().notNull().default('absent'),
    observation: counter('observation').notNull().default(0),
    observedGeneration: counter('observed_generation').notNull().default(0),
    settledGeneration: counter('settled_generation').notNull().default(0),
    observedAt: moment('observed_at'),
    since: moment('since'),
    failure: jsonb('failure').$type<{ code: string; detail: string }>(),
    lastExit: jsonb('last_exit').$type<ExitInfo>(),
    restartAt: moment('restart_at'),
    restartRequired: boolean('restart_required').notNull().default(false),
    installFailed: boolean('install_failed').notNull().default(false),
    /** Why a machine cannot boot, as reported by its node. */
    bootWaitsFor: text('boot_waits_for'),
    /** The revision of mode auto under which its workload ends with the node's lease; 0: none. */
    guardedRevision: counter('guarded_revision').notNull().default(0),
    diskLimit: text('disk_limit', { enum: ['enforced', 'measured'] }),

    /** Host ports that were removed, which what runs may still have. */
    heldPorts: integer('held_ports').array().notNull().default([]),
    /** Its node lets go of them once it has settled this generation and no restart is required. */
    heldPortsUntil: counter('held_ports_until').notNull().default(0),

    /** When the owner's deletion takes effect; until then it can be undone. */
    deleteAt: moment('delete_at'),
    revision: counter('revision').notNull().default(1),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    foreignKey({
      columns: [table.templateId, table.templateVersion],
      foreignColumns: [templateVersions.templateId, templateVersions.version],
    }),
    uniqueIndex('servers_metric_key').on(table.metricKey),
    index('servers_owner').on(table.ownerId, table.id),
    uniqueIndex('servers_subscription').on(table.subscriptionId),
    index('servers_node').on(table.nodeId, table.id),
    index('servers_template').on(table.templateId, table.templateVersion),
    index('servers_state').on(table.observedState, table.id),
    index('servers_name').on(sql`lower(${table.name})`, table.id),
    index('servers_failover_auto').on(table.id).where(sql`${table.failoverMode} = 'auto'`),
    index('servers_failover_stonith').on(table.id).where(sql`${table.failoverMode} = 'stonith'`),
    // Few servers have tags: a filter reads only those, in the order of the list.
    index('servers_tagged').on(table.id).where(sql`${table.tags} <> '{}'`),
    // Placements read only the few servers that hold any.
    index('servers_held_ports').on(table.nodeId).where(sql`${table.heldPorts} <> '{}'`),
    check(
      'servers_template',
      sql`(${table.kind} = 'vm') = (${table.templateId} is null) and (${table.templateId} is null) = (${table.templateVersion} is null)`,
    ),
    check(
      'servers_sizes',
      sql`${table.memoryMb} > 0 and ${table.cpuPercent} > 0 and ${table.diskMb} > 0`,
    ),
  ],
)
export type ServerRow = typeof servers.$inferSelect

/**
 * Latest figures of each server, overwritten constantly: narrow, without foreign keys and unlogged,
 * since the next samples restore what a PostgreSQL crash loses. Rows of removed servers are swept.
 */
export const serverUsage = pgTable('server_usage', {
  key: integer('key').primaryKey(),
  at: moment('at').notNull(),
  cpu: real('cpu').notNull(),
  memory: counter('memory').notNull(),
  /** Measured by the node, because the guest does not report its usage. */
  memoryOfNode: boolean('memory_of_node').notNull().default(false),
  rx: real('rx').notNull(),
  tx: real('tx').notNull(),
  disk: counter('disk'),
  /** Players at the last query; null if the server never answered one. */
  players: jsonb('players').$type<KnownPlayers>(),
})

/** The constraint keeps host ports unique per node, independently of the code. */
export const serverPorts = pgTable(
  'server_ports',
  {
    serverId: uuid('server_id')
      .notNull()
      .references(() => servers.id, { onDelete: 'cascade' }),
    offset: integer('offset').notNull(),
    nodeId: uuid('node_id')
      .notNull()
      .references(() => nodes.id),
    hostPort: integer('host_port').notNull(),
    containerPort: integer('container_port').notNull(),
    protocol: text('protocol', { enum: ['tcp', 'udp', 'both'] }).notNull(),
    label: text('label'),
  },
  (table) => [
    primaryKey({ columns: [table.serverId, table.offset] }),
    uniqueIndex('server_ports_one_per_node').on(table.nodeId, table.hostPort),
    check(
      'server_ports_range',
      sql`${table.hostPort} between 1 and 65535 and ${table.containerPort} between 1 and 65535`,
    ),
  ],
)
export type PortRow = typeof serverPorts.$inferSelect

/** A hold is lifted only by the cause that set it. */
export const serverHolds = pgTable(
  'server_holds',
  {
    serverId: uuid('server_id')
      .notNull()
      .references(() => servers.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<HoldKind>().notNull(),
    cause: text('cause').notNull(),
    since: moment('since').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.serverId, table.kind, table.cause] }),
    check(
      'server_holds_suspension_cause',
      sql`${table.kind} <> 'suspension' or ${table.cause} in (${sql.raw(SUSPENSION_CAUSES.map((cause) => `'${cause}'`).join(', '))})`,
    ),
  ],
)

/** Crash and restart history. */
export const serverEvents = pgTable(
  'server_events',
  {
    id: uuid('id').primaryKey(),
    serverId: uuid('server_id')
      .notNull()
      .references(() => servers.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<ServerEvent['kind']>().notNull(),
    at: moment('at').notNull(),
    exit: jsonb('exit').$type<ExitInfo>(),
    reason: text('reason').notNull(),
    restart: jsonb('restart').$type<NonNullable<ServerEvent['restart']>>(),
    lastLines: text('last_lines').array().notNull().default([]),
  },
  (table) => [
    index('server_events_server').on(table.serverId, table.at, table.id),
    index('server_events_at').on(table.at, table.id),
  ],
)

export type EventRow = typeof serverEvents.$inferSelect

/** A single-use right to open one console, bound to the requesting session. */
export const consoleTickets = pgTable(
  'console_tickets',
  {
    tokenHash: text('token_hash').primaryKey(),
    serverId: uuid('server_id')
      .notNull()
      .references(() => servers.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sessionId: uuid('session_id').notNull(),
    kind: text('kind', { enum: ['console', 'install_log', 'vnc', 'serial'] }).notNull(),
    mayWrite: boolean('may_write').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    index('console_tickets_server').on(table.serverId),
    index('console_tickets_user').on(table.userId),
  ],
)

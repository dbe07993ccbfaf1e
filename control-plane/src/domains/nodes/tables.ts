import type { TransferReport } from '@lodge/shared/direct-transfers.ts'
import type { HardwareReport } from '@lodge/shared/hardware.ts'
import type { NetworkOpening } from '@lodge/shared/network-opening.ts'
import type { CapacityField, DriverState, Node, PreflightCheck } from '@lodge/shared/nodes.ts'
import type { SftpReport } from '@lodge/shared/sftp-nodes.ts'
import type { VirtualizationReport } from '@lodge/shared/virtualization.ts'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytea, counter, moment } from '../../db/columns.ts'

export const nodes = pgTable(
  'nodes',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    location: text('location').notNull(),
    /** Address for customers; null for the address the agent connects from. */
    address: text('address'),
    memoryMb: integer('memory_mb').notNull(),
    cpuPercent: integer('cpu_percent').notNull(),
    diskMb: integer('disk_mb').notNull(),
    headroomMb: integer('headroom_mb').notNull().default(0),
    /** Which of these follow what the agent reports; the others were set by an operator. */
    followed: text('followed').$type<CapacityField>().array().notNull().default([]),
    /** What its agent last reported; null until the first time. */
    detectedMemoryMb: integer('detected_memory_mb'),
    detectedCpuPercent: integer('detected_cpu_percent'),
    detectedDiskMb: integer('detected_disk_mb'),
    portRanges: jsonb('port_ranges').$type<{ from: number; to: number }[]>().notNull(),
    /** Networks that its workloads may reach besides the public internet. */
    openNetworks: jsonb('open_networks').$type<NetworkOpening[]>().notNull().default([]),
    /** Where the agent serves SFTP itself; null: connections go through the control plane. */
    sftpPort: integer('sftp_port'),
    /** The agent's last report of that port. */
    sftp: jsonb('sftp').$type<SftpReport>(),
    /**
     * Where the agent accepts connections of other nodes; null: bytes go through the control plane.
     */
    transferPort: integer('transfer_port'),
    /** The agent's last report of that port, with its certificate. */
    transfers: jsonb('transfers').$type<TransferReport>(),
    cordoned: boolean('cordoned').notNull().default(false),
    /** The shared storage for files and disks of new servers that name none; null: its own disk. */
    defaultStorageId: uuid('default_storage_id'),
    /** Cause and time; null if it was cordoned before these were recorded. */
    cordonedBecause: text('cordoned_because', { enum: ['failover', 'evacuation', 'person'] }),
    cordonedAt: moment('cordoned_at'),
    /** True for the node created with this installation. */
    local: boolean('local').notNull().default(false),
    // Sums over the node's servers, updated in the same transaction as the servers.
    allocatedMemoryMb: integer('allocated_memory_mb').notNull().default(0),
    allocatedCpuPercent: integer('allocated_cpu_percent').notNull().default(0),
    allocatedDiskMb: integer('allocated_disk_mb').notNull().default(0),
    allocatedServers: integer('allocated_servers').notNull().default(0),
    // The agent's side, written only by its session.
    credentialHash: bytea('credential_hash'),
    epoch: integer('epoch').notNull().default(1),
    sessionId: uuid('session_id'),
    instanceId: uuid('instance_id'),
    connectedAt: moment('connected_at'),
    lastSeenAt: moment('last_seen_at'),
    /**
     * Whether it has reported its inventory since it connected; until then, earlier observations
     * may be out of date.
     */
    inventoryTaken: boolean('inventory_taken').notNull().default(true),
    /**
     * Number of the newest report it had when it connected: once that is applied, everything from
     * before is known.
     */
    newestReport: counter('newest_report').notNull().default(0),
    /** The host was notified that it is offline, and not yet that it is back. */
    toldOffline: boolean('told_offline').notNull().default(false),
    /** The host was notified that little room is left on it, and that is still so. */
    toldLittleRoom: boolean('told_little_room').notNull().default(false),
    bootId: text('boot_id'),
    remoteAddress: text('remote_address'),
    agentVersion: text('agent_version'),
    /** Build of its agent; null where it does not run from a bundle. */
    agentBuild: text('agent_build'),
    /** Whether a newer agent is handed out. */
    agentOutdated: boolean('agent_outdated').notNull().default(false),
    /** The newest agent that the host was notified of. */
    toldAgent: text('told_agent'),
    /** The latest update of its agent. No foreign key: jobs are deleted after a while. */
    agentUpdateJobId: uuid('agent_update_job_id'),
    capabilities: text('capabilities').array().notNull().default([]),
    preflight: jsonb('preflight').$type<PreflightCheck[]>().notNull().default([]),
    /** What its drivers report about themselves, updated with each heartbeat. */
    drivers: jsonb('drivers').$type<DriverState[]>().notNull().default([]),
    hardware: jsonb('hardware').$type<HardwareReport>(),
    virtualization: jsonb('virtualization').$type<VirtualizationReport>(),
    /** Whether it takes new virtual machines, and whether they may run without KVM. */
    vmEnabled: boolean('vm_enabled').notNull().default(false),
    vmEmulation: boolean('vm_emulation').notNull().default(false),
    /** Number of the latest set-back of the database for which its inventory was compared. */
    comparedSetBack: integer('compared_set_back').notNull().default(0),
    /** Increases with each heartbeat: a lease is checked by this number, never by clocks. */
    renewSeq: counter('renew_seq').notNull().default(0),
    leaseTtlMs: integer('lease_ttl_ms').notNull().default(60_000),
    /**
     * Time to live of extended leases during maintenance of the control plane; null: not extended.
     */
    leaseExtendedTtlMs: integer('lease_extended_ttl_ms'),
    /** Increases with each change of the time to live of its leases. */
    leaseTtlRevision: counter('lease_ttl_revision').notNull().default(0),
    /** The longest lease that its agent may still hold; see `leases/outstanding.ts`. */
    leaseLongestTtlMs: integer('lease_longest_ttl_ms').notNull().default(60_000),
    /** What happens to its servers when it is lost; a server may override it. */
    failoverMode: text('failover_mode', { enum: ['pinned', 'auto', 'stonith'] })
      .notNull()
      .default('pinned'),
    failoverModeSince: moment('failover_mode_since'),
    /** Since when it counts as lost, until its agent has proved that nothing guarded runs there. */
    fencedAt: moment('fenced_at'),
    usage: jsonb('usage').$type<NonNullable<Node['usage']>>(),
    revision: counter('revision').notNull().default(1),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('nodes_name').on(table.name),
    uniqueIndex('nodes_one_local').on(table.local).where(sql`${table.local}`),
    index('nodes_location').on(table.location),
    // Placement takes the first row that fits, however many nodes there are.
    index('nodes_most_free')
      .on(sql`(memory_mb - headroom_mb - allocated_memory_mb) desc`, table.id)
      .where(sql`not ${table.cordoned} and ${table.credentialHash} is not null`),
    check(
      'nodes_allocated',
      sql`${table.allocatedMemoryMb} >= 0 and ${table.allocatedCpuPercent} >= 0 and ${table.allocatedDiskMb} >= 0 and ${table.allocatedServers} >= 0`,
    ),
  ],
)
export type NodeRow = typeof nodes.$inferSelect

/**
 * Number of each node's last applied report. A separate table, because placements lock the node's
 * row: neither waits for the other.
 */
export const nodeReports = pgTable('node_reports', {
  nodeId: uuid('node_id')
    .primaryKey()
    .references(() => nodes.id, { onDelete: 'cascade' }),
  through: counter('through').notNull().default(0),
})

/** One-time tokens that turn a machine into a node. */
export const nodeEnrollments = pgTable(
  'node_enrollments',
  {
    id: uuid('id').primaryKey(),
    nodeId: uuid('node_id')
      .notNull()
      .references(() => nodes.id, { onDelete: 'cascade' }),
    tokenHash: bytea('token_hash').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('node_enrollments_token').on(table.tokenHash),
    index('node_enrollments_node').on(table.nodeId),
  ],
)

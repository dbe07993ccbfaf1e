import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { counter, moment } from '../../db/columns.ts'
import { nodes } from '../nodes/tables.ts'
import { servers } from '../servers/tables.ts'

/** Copies of machines, on the same node as the machine. */
export const vmSnapshots = pgTable(
  'vm_snapshots',
  {
    id: uuid('id').primaryKey(),
    serverId: uuid('server_id')
      .notNull()
      .references(() => servers.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** `away`: it belongs to the other copy of the machine's files, which its node keeps (`storage_copies`). */
    state: text('state', { enum: ['creating', 'ready', 'deleting', 'away'] }).notNull(),
    /** Disk quota reserved for it on the node. */
    reservedMb: integer('reserved_mb').notNull().default(0),
    sizeBytes: counter('size_bytes'),
    diskMb: integer('disk_mb').notNull(),
    hasFirmware: boolean('has_firmware').notNull(),
    hasTpm: boolean('has_tpm').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('vm_snapshots_server').on(table.serverId, table.createdAt),
    // Names must differ by more than case.
    uniqueIndex('vm_snapshots_name').on(table.serverId, sql`lower(${table.name})`),
  ],
)
export type SnapshotRow = typeof vmSnapshots.$inferSelect

/** Every answer to an agent's boot request. */
export const vmBootGrants = pgTable(
  'vm_boot_grants',
  {
    attempt: uuid('attempt').primaryKey(),
    serverId: uuid('server_id')
      .notNull()
      .references(() => servers.id, { onDelete: 'cascade' }),
    nodeId: uuid('node_id')
      .notNull()
      .references(() => nodes.id, { onDelete: 'cascade' }),
    placementGeneration: counter('placement_generation').notNull(),
    nodeEpoch: integer('node_epoch').notNull(),
    allowed: boolean('allowed').notNull(),
    reasons: jsonb('reasons').$type<string[]>().notNull(),
    at: moment('at').notNull().defaultNow(),
  },
  (table) => [
    index('vm_boot_grants_server').on(table.serverId, table.at),
    index('vm_boot_grants_node').on(table.nodeId),
  ],
)

/**
 * The other node of a machine that moves or has moved: where capacity is reserved for it, or where
 * its former copy is kept until it has booted on the new node.
 */
export const vmMoves = pgTable(
  'vm_moves',
  {
    /**
     * No foreign key: the data on the other node may outlive the machine until it is deleted there.
     */
    serverId: uuid('server_id').primaryKey(),
    state: text('state', { enum: ['taken', 'left'] }).notNull(),
    otherNodeId: uuid('other_node_id')
      .notNull()
      .references(() => nodes.id),
    /** Capacity reserved there. */
    memoryMb: integer('memory_mb').notNull(),
    cpuPercent: integer('cpu_percent').notNull(),
    diskMb: integer('disk_mb').notNull(),
    /** Network, address and host ports on that node. */
    place: jsonb('place').$type<MovePlace>().notNull(),
    /** A boot from this generation on proves the new placement. */
    sinceGeneration: counter('since_generation').notNull().default(0),
    /** The newest placement the copy there may have. */
    placementGeneration: counter('placement_generation').notNull(),
    provenAt: moment('proven_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('vm_moves_other_node').on(table.otherNodeId)],
)
export type MoveRow = typeof vmMoves.$inferSelect

/** The node-dependent part of a machine. */
export interface MovePlace {
  readonly networkId: string
  readonly address: number
  /** Host ports by offset; empty until allocated. */
  readonly ports: Readonly<Record<string, number>>
  /**
   * Of a machine that changes its storage: the one that it has there; null for the disk of that node.
   * Absent: the same as now.
   */
  readonly storageId?: string | null
}

import type { HardwareProfile } from '@lodge/shared/machine-profile.ts'
import type { MEDIUM_KINDS } from '@lodge/shared/machine-spec.ts'
import type { MEDIUM_STATES } from '@lodge/shared/vms.ts'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { counter, moment } from '../../db/columns.ts'

/** Virtual hardware. The document never changes, so machines keep what they were made with. */
export const vmProfiles = pgTable(
  'vm_profiles',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    hardware: jsonb('hardware').$type<HardwareProfile>().notNull(),
    builtIn: boolean('built_in').notNull().default(false),
    enabled: boolean('enabled').notNull().default(true),
    /** Released to customers for self-service creation. */
    customerVisible: boolean('customer_visible').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('vm_profiles_name').on(table.name)],
)
export type ProfileRow = typeof vmProfiles.$inferSelect

/**
 * Installation media and disk images, identified by fingerprint; the address is only their source.
 */
export const vmMedia = pgTable(
  'vm_media',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    kind: text('kind').$type<(typeof MEDIUM_KINDS)[number]>().notNull(),
    /** Null for an upload. */
    url: text('url'),
    /** The publisher's checksum file, if it provides the fingerprint. */
    checksumUrl: text('checksum_url'),
    /** Null until known. */
    sha256: text('sha256'),
    /** The control plane has the file and serves it to nodes. */
    kept: boolean('kept').notNull().default(false),
    sizeBytes: counter('size_bytes'),
    virtualSizeMb: integer('virtual_size_mb'),
    state: text('state').$type<(typeof MEDIUM_STATES)[number]>().notNull(),
    failure: text('failure'),
    jobId: uuid('job_id'),
    enabled: boolean('enabled').notNull().default(true),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('vm_media_name').on(table.name),
    // A failed one may be registered again under another address.
    uniqueIndex('vm_media_sha256').on(table.sha256).where(sql`${table.state} <> 'failed'`),
    check(
      'vm_media_ready',
      sql`${table.state} <> 'ready' or (${table.sizeBytes} is not null and ${table.sha256} is not null)`,
    ),
  ],
)
export type MediumRow = typeof vmMedia.$inferSelect

/** A network of the nodes, with the addresses available to guests. */
export const vmNetworks = pgTable(
  'vm_networks',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    mode: text('mode', { enum: ['nat', 'configured'] }).notNull(),
    libvirtName: text('libvirt_name').notNull(),
    /** The bridge of a `nat` network on each node. */
    bridge: text('bridge'),
    /** The subnet's first address, as a number. */
    subnet: counter('subnet').notNull(),
    prefixLength: integer('prefix_length').notNull(),
    gateway: counter('gateway').notNull(),
    dns: text('dns').array().notNull().default([]),
    poolFrom: counter('pool_from').notNull(),
    poolTo: counter('pool_to').notNull(),
    /** Empty for every node. */
    nodeIds: uuid('node_ids').array().notNull().default([]),
    enabled: boolean('enabled').notNull().default(true),
    /** Released to customers, who may connect their machines to it. */
    customerVisible: boolean('customer_visible').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('vm_networks_name').on(table.name),
    check('vm_networks_pool', sql`${table.poolFrom} <= ${table.poolTo}`),
  ],
)
export type NetworkRow = typeof vmNetworks.$inferSelect

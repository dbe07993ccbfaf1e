import type {
  BOOT_DEVICES,
  CloudSeed,
  MachineDisk,
  MachineSpec,
  NatRule,
} from '@lodge/shared/machine-spec.ts'
import {
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { counter } from '../../../db/columns.ts'
import { vmMedia, vmNetworks, vmProfiles } from '../../virtualization/tables.ts'
import { servers } from '../tables.ts'

/** The parts of a virtual machine, besides what every server has. */
export const machines = pgTable(
  'machines',
  {
    serverId: uuid('server_id')
      .primaryKey()
      .references(() => servers.id, { onDelete: 'cascade' }),
    /** Permanent, because guests identify the machine by it. */
    uuid: uuid('uuid').notNull(),
    hostname: text('hostname').notNull(),
    profileId: uuid('profile_id')
      .notNull()
      .references(() => vmProfiles.id),
    networkId: uuid('network_id')
      .notNull()
      .references(() => vmNetworks.id),
    /** Its address in the network, as a number. */
    address: counter('address').notNull(),
    mac: text('mac').notNull(),
    vcpus: integer('vcpus').notNull(),
    /** The first is the system disk. */
    disks: jsonb('disks').$type<MachineDisk[]>().notNull(),
    /** Medium in the drive. */
    mediumId: uuid('medium_id').references(() => vmMedia.id),
    /** Image the system disk starts from; null for an empty disk. */
    imageId: uuid('image_id').references(() => vmMedia.id),
    seed: jsonb('seed').$type<CloudSeed>(),
    bootOrder: jsonb('boot_order').$type<(typeof BOOT_DEVICES)[number][]>().notNull(),
    natRules: jsonb('nat_rules').$type<NatRule[]>().notNull(),
    stop: jsonb('stop').$type<MachineSpec['stop']>().notNull(),
  },
  (table) => [
    uniqueIndex('machines_uuid').on(table.uuid),
    uniqueIndex('machines_mac').on(table.mac),
    index('machines_network').on(table.networkId),
    index('machines_media').on(table.mediumId, table.imageId),
    index('machines_image').on(table.imageId),
    index('machines_profile').on(table.profileId),
  ],
)
export type MachineRow = typeof machines.$inferSelect

/** Leased guest addresses. During a move to another network a machine has one in each. */
export const vmAddresses = pgTable(
  'vm_addresses',
  {
    networkId: uuid('network_id')
      .notNull()
      .references(() => vmNetworks.id),
    address: counter('address').notNull(),
    serverId: uuid('server_id')
      .notNull()
      .references(() => servers.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.networkId, table.address] }),
    uniqueIndex('vm_addresses_one_each').on(table.serverId, table.networkId),
  ],
)

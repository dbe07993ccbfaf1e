import type { PluginManifest } from '@lodge/shared/plugins/manifest.ts'
import {
  PLUGIN_LOG_LEVELS,
  PLUGIN_SIGNATURES,
  PLUGIN_SOURCES,
} from '@lodge/shared/plugins/plugin.ts'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytea, moment } from '../../db/columns.ts'
import { users } from '../customers/tables.ts'

/** Installed plugins. */
export const plugins = pgTable(
  'plugins',
  {
    id: text('id').primaryKey(),
    source: text('source', { enum: PLUGIN_SOURCES }).notNull(),
    enabled: boolean('enabled').notNull(),
    version: text('version').notNull(),
    /** The version that a rollback returns to. */
    previousVersion: text('previous_version'),
    /** An update that waits until its permissions are accepted. */
    heldVersion: text('held_version'),
    /** The newest version that staff were notified of. */
    newestVersion: text('newest_version'),
    /** Encrypted JSON. */
    settings: bytea('settings').notNull(),
    /** Incremented by changes after which its process must be replaced. */
    revision: integer('revision').notNull().default(1),
    /** The person as whom it uses the API: the last to accept its permissions. */
    acceptedBy: uuid('accepted_by').references(() => users.id, { onDelete: 'set null' }),
    /** Why Lodge turned it off. */
    failure: text('failure'),
    installedAt: moment('installed_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [index('plugins_accepted_by').on(table.acceptedBy)],
)
export type PluginRow = typeof plugins.$inferSelect

/** The stored versions of installed plugins: the present, the previous and a held one. */
export const pluginVersions = pgTable(
  'plugin_versions',
  {
    pluginId: text('plugin_id')
      .notNull()
      .references(() => plugins.id, { onDelete: 'cascade' }),
    version: text('version').notNull(),
    manifest: jsonb('manifest').$type<PluginManifest>().notNull(),
    /** Its files, packed. */
    files: bytea('files').notNull(),
    sha256: text('sha256').notNull(),
    signature: text('signature', { enum: PLUGIN_SIGNATURES }).notNull(),
    /** The public key that signed it, in base64. */
    signedBy: text('signed_by'),
    /** Its settings at the time when another version replaced it, encrypted. */
    settings: bytea('settings'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.pluginId, table.version] })],
)
export type PluginVersionRow = typeof pluginVersions.$inferSelect

/** What plugins store for themselves. */
export const pluginStorage = pgTable(
  'plugin_storage',
  {
    pluginId: text('plugin_id')
      .notNull()
      .references(() => plugins.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    value: text('value').notNull(),
  },
  (table) => [primaryKey({ columns: [table.pluginId, table.key] })],
)

/** Recent log lines of plugins. */
export const pluginLogs = pgTable(
  'plugin_logs',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    pluginId: text('plugin_id')
      .notNull()
      .references(() => plugins.id, { onDelete: 'cascade' }),
    at: moment('at').notNull(),
    level: text('level', { enum: PLUGIN_LOG_LEVELS }).notNull(),
    text: text('text').notNull(),
  },
  (table) => [index('plugin_logs_plugin').on(table.pluginId, table.id)],
)

/** Events that plugins have yet to receive. */
export const pluginDeliveries = pgTable(
  'plugin_deliveries',
  {
    id: uuid('id').primaryKey(),
    pluginId: text('plugin_id')
      .notNull()
      .references(() => plugins.id, { onDelete: 'cascade' }),
    type: text('type').notNull(),
    data: jsonb('data')
      .$type<Readonly<Record<string, string | number | boolean | null>>>()
      .notNull(),
    happenedAt: moment('happened_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    dueAt: moment('due_at').notNull(),
  },
  (table) => [
    index('plugin_deliveries_due').on(table.dueAt),
    index('plugin_deliveries_plugin').on(table.pluginId),
  ],
)
export type PluginDeliveryRow = typeof pluginDeliveries.$inferSelect

import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytea, counter, moment } from '../../db/columns.ts'
import { users } from '../customers/tables.ts'
import { nodes } from '../nodes/tables.ts'
import { servers } from '../servers/tables.ts'

/** The folder of one repository in a bucket; the credentials are in the settings. */
export interface S3Location {
  readonly endpoint: string
  readonly bucket: string
  readonly folder: string
}

/**
 * Where one node's backups of one customer's servers are stored. Only that node writes to it, so that
 * locks never depend on other machines; every node may read a repository in a bucket or on another
 * node.
 */
export const backupRepositories = pgTable(
  'backup_repositories',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null once that node was removed: another one takes the repository over, to delete from it. */
    nodeId: uuid('node_id').references(() => nodes.id, { onDelete: 'set null' }),
    place: text('place', { enum: ['node', 'other-node', 's3'] }).notNull(),
    /** The other node that stores it; that node does not get the password. */
    storageNodeId: uuid('storage_node_id').references(() => nodes.id, { onDelete: 'cascade' }),
    /**
     * `node`, the id of the storing node, or the address of bucket and folder: one repository per
     * customer, node and address.
     */
    address: text('address').notNull(),
    s3: jsonb('s3').$type<S3Location>(),
    /** Encrypted. Without it nobody can read the repository. */
    password: bytea('password').notNull(),
    /** Deleted data still take space. */
    needsPrune: boolean('needs_prune').notNull().default(false),
    /** When the last prune began. */
    prunedAt: moment('pruned_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('backup_repositories_place').on(table.ownerId, table.nodeId, table.address),
    index('backup_repositories_node').on(table.nodeId),
    index('backup_repositories_storage').on(table.storageNodeId),
    check(
      'backup_repositories_storage_node',
      sql`(${table.place} = 'other-node') = (${table.storageNodeId} is not null)`,
    ),
    check('backup_repositories_s3', sql`(${table.place} = 's3') = (${table.s3} is not null)`),
  ],
)
export type RepositoryRow = typeof backupRepositories.$inferSelect

export const serverBackups = pgTable(
  'server_backups',
  {
    id: uuid('id').primaryKey(),
    /** Null once the server is gone: the backup is then deleted. */
    serverId: uuid('server_id').references(() => servers.id, { onDelete: 'set null' }),
    repositoryId: uuid('repository_id')
      .notNull()
      .references(() => backupRepositories.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    state: text('state', { enum: ['creating', 'good', 'failed', 'deleting'] }).notNull(),
    locked: boolean('locked').notNull().default(false),
    scheduled: boolean('scheduled').notNull().default(false),
    /** The oldest of these are deleted for newer ones, as the settings say. */
    rotated: boolean('rotated').notNull().default(false),
    /** Against the loss of the node; no limit counts it. */
    byHost: boolean('by_host').notNull().default(false),
    /**
     * The size that limits count: an estimate while it is made, then its size; 0 for a failed one.
     */
    reservedMb: integer('reserved_mb').notNull(),
    sizeBytes: counter('size_bytes'),
    storedBytes: counter('stored_bytes'),
    fileCount: counter('file_count'),
    takenWhileRunning: boolean('taken_while_running'),
    /** Patterns of files that it leaves out, and that its restore does not touch. */
    ignored: jsonb('ignored').$type<readonly string[]>().notNull().default([]),
    snapshotId: text('snapshot_id'),
    failure: jsonb('failure').$type<{ code: string; detail: string }>(),
    /** The repository may still contain data of it. */
    leftover: boolean('leftover').notNull().default(false),
    createdById: uuid('created_by_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull().defaultNow(),
    finishedAt: moment('finished_at'),
    /** When it was last read back completely. */
    verifiedAt: moment('verified_at'),
    /** When reading it back last found damage, and which; null once it was whole again. */
    damagedAt: moment('damaged_at'),
    damage: text('damage'),
  },
  (table) => [
    index('server_backups_server').on(table.serverId, table.createdAt),
    index('server_backups_repository').on(table.repositoryId),
    index('server_backups_creator').on(table.createdById),
    index('server_backups_leftover')
      .on(table.repositoryId)
      .where(sql`${table.leftover} or ${table.serverId} is null`),
    check(
      'server_backups_good',
      sql`${table.state} <> 'good' or ${table.snapshotId} is not null and ${table.sizeBytes} is not null`,
    ),
  ],
)
export type BackupRow = typeof serverBackups.$inferSelect

/** The latest restore of a server, while its former data are kept. */
export const serverRestores = pgTable('server_restores', {
  serverId: uuid('server_id')
    .primaryKey()
    .references(() => servers.id, { onDelete: 'cascade' }),
  restoreId: uuid('restore_id').notNull(),
  /** No foreign key: the backup may be deleted before the former data are. */
  backupId: uuid('backup_id').notNull(),
  state: text('state', { enum: ['working', 'kept'] }).notNull(),
  restoredAt: moment('restored_at'),
  /** A start of this generation or a later one proves the restored data. */
  sinceGeneration: counter('since_generation').notNull().default(0),
})
export type RestoreRow = typeof serverRestores.$inferSelect

/** Patterns that backups of a server leave out, where its owner overrides those of the template. */
export const serverBackupIgnores = pgTable('server_backup_ignores', {
  serverId: uuid('server_id')
    .primaryKey()
    .references(() => servers.id, { onDelete: 'cascade' }),
  patterns: jsonb('patterns').$type<readonly string[]>().notNull(),
})

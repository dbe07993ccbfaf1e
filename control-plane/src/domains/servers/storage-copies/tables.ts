import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { counter, moment } from '../../../db/columns.ts'
import { nodes } from '../../nodes/tables.ts'

/**
 * A copy of a server on its node that is not the server: on the storage that it is about to get, or on the
 * one that it has left. It is deleted once no job needs it.
 */
export const storageCopies = pgTable(
  'storage_copies',
  {
    /** No foreign key: the copy may outlive the server until it is deleted. */
    serverId: uuid('server_id').notNull(),
    nodeId: uuid('node_id')
      .notNull()
      .references(() => nodes.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['container', 'vm'] }).notNull(),
    /** The shared storage that it lies on; null for the disk of the node. */
    storageId: uuid('storage_id'),
    /** The placement of the server when it was made. */
    placementGeneration: counter('placement_generation').notNull(),
    /** The disks of a machine that it has; one that was added since is not in it. */
    disks: text('disks').array(),
    /** A process has it deleted until then. */
    claimedUntil: moment('claimed_until'),
    /** How often its deletion has failed, when it is tried next, and why it failed last. */
    tries: integer('tries').notNull().default(0),
    tryAt: moment('try_at').notNull().defaultNow(),
    failure: text('failure'),
    /** Not deleted before then: the server left it for an older one while its storage was away. */
    keptUntil: moment('kept_until'),
    /** Since when nobody could take one that is kept, because its node or storage is away. */
    outOfReachSince: moment('out_of_reach_since'),
    /** Since when it is not the server: it has nothing newer. */
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    // A node that is away may still have one while its server changes its storage elsewhere.
    primaryKey({ columns: [table.serverId, table.nodeId] }),
    index('storage_copies_node').on(table.nodeId),
  ],
)
export type StorageCopyRow = typeof storageCopies.$inferSelect

import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
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
    serverId: uuid('server_id').primaryKey(),
    nodeId: uuid('node_id')
      .notNull()
      .references(() => nodes.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['container', 'vm'] }).notNull(),
    /** The shared storage that it lies on; null for the disk of the node. */
    storageId: uuid('storage_id'),
    /** The placement of the server when it was made. */
    placementGeneration: counter('placement_generation').notNull(),
    /** How often its deletion has failed, when it is tried next, and why it failed last. */
    tries: integer('tries').notNull().default(0),
    tryAt: moment('try_at').notNull().defaultNow(),
    failure: text('failure'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('storage_copies_node').on(table.nodeId)],
)
export type StorageCopyRow = typeof storageCopies.$inferSelect

import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { counter, moment } from '../../db/columns.ts'
import { nodes } from '../nodes/tables.ts'
import type { PortsByOffset } from '../servers/index.ts'

/**
 * The other node of a container server that moves or has moved: where capacity is reserved for it,
 * or where its former copy is kept until it is proven in the new place.
 */
export const serverMoves = pgTable(
  'server_moves',
  {
    /** No foreign key: the files on the other node may outlive the server until they are deleted. */
    serverId: uuid('server_id').primaryKey(),
    state: text('state', { enum: ['taken', 'left'] }).notNull(),
    otherNodeId: uuid('other_node_id')
      .notNull()
      .references(() => nodes.id),
    /** Capacity reserved there. */
    memoryMb: integer('memory_mb').notNull(),
    cpuPercent: integer('cpu_percent').notNull(),
    diskMb: integer('disk_mb').notNull(),
    /** Host ports on that node. */
    ports: jsonb('ports').$type<PortsByOffset>().notNull(),
    /** The newest placement that the copy there may have. */
    placementGeneration: counter('placement_generation').notNull(),
    /** The shared storage whose files of the server go with what is there; null: none. */
    filesOn: uuid('files_on'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('server_moves_node').on(table.otherNodeId)],
)
export type ServerMoveRow = typeof serverMoves.$inferSelect

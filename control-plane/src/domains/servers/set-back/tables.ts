import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { counter, moment } from '../../../db/columns.ts'
import { nodes } from '../../nodes/tables.ts'

/**
 * What a node has of a server that the database does not know, because it was set back in time.
 * Nothing happens to it automatically until an operator has decided.
 */
export const serverFindings = pgTable(
  'server_findings',
  {
    nodeId: uuid('node_id')
      .notNull()
      .references(() => nodes.id, { onDelete: 'cascade' }),
    /** No foreign key: the database may not have it. */
    serverId: uuid('server_id').notNull(),
    /**
     * `newer`: the node has a newer desired state. `missing`: the node does not have it.
     * `unknown`: the database does not have it on this node.
     */
    kind: text('kind', { enum: ['newer', 'missing', 'unknown'] }).notNull(),
    // The node's latest report.
    generation: counter('generation').notNull(),
    run: integer('run').notNull(),
    installed: integer('installed').notNull(),
    state: text('state').notNull(),
    foundAt: moment('found_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.nodeId, table.serverId] }),
    index('server_findings_server').on(table.serverId),
  ],
)
export type FindingRow = typeof serverFindings.$inferSelect

import type { EvacuationState } from '@lodge/shared/evacuations.ts'
import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../../db/columns.ts'
import { nodes } from '../../nodes/tables.ts'

/** The latest evacuation of each node. */
export const evacuations = pgTable('evacuations', {
  nodeId: uuid('node_id')
    .primaryKey()
    .references(() => nodes.id, { onDelete: 'cascade' }),
  jobId: uuid('job_id').notNull(),
  createdAt: moment('created_at').notNull(),
  endedAt: moment('ended_at'),
})
export type EvacuationRow = typeof evacuations.$inferSelect

/** The result for each server. */
export const evacuationServers = pgTable(
  'evacuation_servers',
  {
    nodeId: uuid('node_id')
      .notNull()
      .references(() => evacuations.nodeId, { onDelete: 'cascade' }),
    /** No foreign key: a result outlives its server. */
    serverId: uuid('server_id').notNull(),
    serverName: text('server_name').notNull(),
    position: integer('position').notNull(),
    state: text('state').$type<EvacuationState>().notNull(),
    targetName: text('target_name'),
    jobId: uuid('job_id'),
    detail: text('detail'),
  },
  (table) => [
    primaryKey({ columns: [table.nodeId, table.serverId] }),
    index('evacuation_servers_order').on(table.nodeId, table.position),
  ],
)
export type EvacuationServerRow = typeof evacuationServers.$inferSelect

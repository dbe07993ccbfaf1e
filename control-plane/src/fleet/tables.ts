import { sql } from 'drizzle-orm'
import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { bytea, moment } from '../db/columns.ts'

/**
 * Errands (tasks and relay requests) for nodes whose stream another instance holds. Rows live for
 * seconds; the waiting instance deletes its own.
 */
export const tasks = pgTable(
  'tasks',
  {
    id: uuid().primaryKey(),
    nodeId: uuid('node_id').notNull(),
    serverId: uuid('server_id'),
    /** The message for the agent: an encoded ConnectResponse. */
    work: bytea().notNull(),
    state: text({ enum: ['queued', 'running', 'returned', 'done'] }).notNull(),
    /** An encoded TaskResult. */
    result: bytea(),
    deadline: timestamp({ withTimezone: true }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('tasks_queued').on(table.createdAt).where(sql`state = 'queued'`),
    index('tasks_deadline').on(table.deadline),
  ],
)

import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../db/columns.ts'
import { users } from '../customers/tables.ts'

/**
 * When a customer was last notified of a limit; an `over` row stays while they exceed it, because
 * the host has been notified.
 */
export const limitNotices = pgTable(
  'limit_notices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    limit: text('limit').notNull(),
    kind: text('kind', { enum: ['warned', 'exceeded', 'over'] }).notNull(),
    toldAt: moment('told_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.limit, table.kind] })],
)

import { pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from '../customers/tables.ts'

/** When a customer was last told of a limit. */
export const limitNotices = pgTable(
  'limit_notices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    limit: text('limit').notNull(),
    kind: text('kind', { enum: ['warned', 'exceeded'] }).notNull(),
    toldAt: timestamp('told_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.limit, table.kind] })],
)

import { sql } from 'drizzle-orm'
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../db/columns.ts'
import { users } from '../customers/tables.ts'

/** A person's inbox. */
export const notifications = pgTable(
  'notifications',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: text('type').notNull(),
    severity: text('severity', { enum: ['info', 'warn', 'error'] }).notNull(),
    title: text('title').notNull(),
    body: text('body').notNull(),
    /** Path of a panel page. */
    link: text('link'),
    /** Groups related entries, e.g. all about one limit. */
    groupKey: text('group_key').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    readAt: moment('read_at'),
  },
  (table) => [
    index('notifications_user').on(table.userId, table.id),
    index('notifications_unread').on(table.userId).where(sql`${table.readAt} is null`),
    index('notifications_created').on(table.createdAt),
  ],
)

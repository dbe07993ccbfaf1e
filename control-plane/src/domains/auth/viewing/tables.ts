import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../../db/columns.ts'
import { users } from '../../customers/tables.ts'
import { sessions } from '../tables.ts'

/** Administrators viewing the panel as a customer. Rows are kept for a while, because the customer may list them. */
export const viewings = pgTable(
  'viewings',
  {
    id: uuid('id').primaryKey(),
    /** The administrator's session; null once the viewing or the session has ended. */
    sessionId: uuid('session_id').references(() => sessions.id, { onDelete: 'set null' }),
    /** No foreign key: the audit entry at the end names the administrator even after the account is deleted. */
    viewerId: uuid('viewer_id').notNull(),
    viewerEmail: text('viewer_email').notNull(),
    customerId: uuid('customer_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    startedAt: moment('started_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    uniqueIndex('viewings_session').on(table.sessionId),
    index('viewings_customer').on(table.customerId, table.startedAt),
    index('viewings_open').on(table.expiresAt).where(sql`${table.endedAt} is null`),
  ],
)

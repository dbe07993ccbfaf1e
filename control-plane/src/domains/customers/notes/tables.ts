import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../../db/columns.ts'
import { users } from '../tables.ts'

/** What the host's staff write down about a customer; customers never see it. */
export const customerNotes = pgTable(
  'customer_notes',
  {
    id: uuid('id').primaryKey(),
    customerId: uuid('customer_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null once the author has been removed. */
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    content: text('content').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    editedAt: moment('edited_at'),
  },
  (table) => [
    // Ids grow with time.
    index('customer_notes_customer').on(table.customerId, table.id),
    index('customer_notes_author').on(table.authorId),
  ],
)
export type NoteRow = typeof customerNotes.$inferSelect

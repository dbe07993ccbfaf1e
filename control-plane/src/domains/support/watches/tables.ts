import { index, pgTable, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../../db/columns.ts'
import { supportTickets } from '../tickets/tables.ts'

/** When a ticket needs attention without anybody's action: a goal is missed, or it has been idle. */
export const supportWatches = pgTable(
  'support_watches',
  {
    ticketId: uuid('ticket_id')
      .primaryKey()
      .references(() => supportTickets.id, { onDelete: 'cascade' }),
    /** When its goals are due for a check; null while none runs. */
    dueAt: moment('due_at'),
    /** Since when neither the customer nor an agent has written. */
    idleSince: moment('idle_since').notNull(),
  },
  (table) => [
    index('support_watches_due').on(table.dueAt),
    index('support_watches_idle').on(table.idleSince),
  ],
)

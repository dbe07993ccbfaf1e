import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, moment } from '../../../db/columns.ts'
import { supportTickets } from '../tickets/tables.ts'

/** Links with which people without an account follow their reports. Only their hash is stored. */
export const supportReportLinks = pgTable(
  'support_report_links',
  {
    id: uuid('id').primaryKey(),
    tokenHash: bytea('token_hash').notNull(),
    reference: text('reference').notNull(),
    ticketId: uuid('ticket_id')
      .notNull()
      .references(() => supportTickets.id, { onDelete: 'cascade' }),
    /** The ticket that an addition opened after the first one was closed. */
    laterTicketId: uuid('later_ticket_id').references(() => supportTickets.id, {
      onDelete: 'set null',
    }),
    additions: integer('additions').notNull().default(0),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('support_report_links_token').on(table.tokenHash),
    index('support_report_links_ticket').on(table.ticketId),
    index('support_report_links_later').on(table.laterTicketId),
    index('support_report_links_expiry').on(table.expiresAt),
  ],
)
export type ReportLinkRow = typeof supportReportLinks.$inferSelect

import { MAIL_RESULTS } from '@lodge/shared/support/inbound.ts'
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../../db/columns.ts'
import { supportTickets } from '../tickets/tables.ts'

/** Incoming mails, to detect duplicates and loops. */
export const supportMails = pgTable(
  'support_mails',
  {
    id: uuid('id').primaryKey(),
    /** Message-ID, or a hash of the content if it has none. */
    mailId: text('mail_id').notNull(),
    /** The bridge's id of the message; null if the panel received it itself. */
    deliveryId: text('delivery_id'),
    sender: text('sender').notNull(),
    ticketId: uuid('ticket_id').references(() => supportTickets.id, { onDelete: 'set null' }),
    result: text('result', { enum: MAIL_RESULTS }).notNull(),
    because: text('because'),
    at: moment('at').notNull(),
  },
  (table) => [
    uniqueIndex('support_mails_mail').on(table.mailId),
    uniqueIndex('support_mails_delivery').on(table.deliveryId),
    index('support_mails_ticket').on(table.ticketId, table.at),
    index('support_mails_sender').on(table.sender, table.at),
    index('support_mails_at').on(table.at),
  ],
)

/** Mails whose senders could not be checked, with each attempt. */
export const supportUncheckedMails = pgTable(
  'support_unchecked_mails',
  {
    /** Message-ID, or a hash of the content if it has none. */
    mailId: text('mail_id').primaryKey(),
    attempts: integer('attempts').notNull().default(1),
    firstAt: moment('first_at').notNull(),
  },
  (table) => [index('support_unchecked_mails_first').on(table.firstAt)],
)

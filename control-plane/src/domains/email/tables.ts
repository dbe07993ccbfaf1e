import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, moment } from '../../db/columns.ts'
import { users } from '../customers/tables.ts'

/** Mail to be sent and mail that was: written in the transaction of what it tells of. */
export const emailMessages = pgTable(
  'email_messages',
  {
    id: uuid('id').primaryKey(),
    template: text('template').notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    toAddress: text('to_address').notNull(),
    subject: text('subject').notNull(),
    /** Sealed JSON of text and HTML; wiped some days after the end, because of the links in it. */
    content: bytea('content'),
    state: text('state', { enum: ['queued', 'sent', 'failed'] })
      .notNull()
      .default('queued'),
    /** 0 goes first. */
    priority: integer('priority').notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: moment('next_attempt_at').notNull().defaultNow(),
    /** One instance is sending it until then. */
    leaseUntil: moment('lease_until'),
    lastError: text('last_error'),
    smtpCode: integer('smtp_code'),
    /** The same for every attempt, so that a mail server can drop what comes twice. */
    messageId: text('message_id').notNull(),
    /** What it says is worth nothing after that. */
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('email_messages_queue').on(table.state, table.nextAttemptAt),
    index('email_messages_created').on(table.createdAt),
  ],
)

/** Own wording of a template; without a row the built-in text holds. */
export const emailTemplates = pgTable('email_templates', {
  id: text('id').primaryKey(),
  subject: text('subject').notNull(),
  body: text('body').notNull(),
  html: text('html'),
  enabled: boolean('enabled').notNull().default(true),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})

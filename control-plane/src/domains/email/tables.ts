import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, moment } from '../../db/columns.ts'
import { users } from '../customers/tables.ts'

/** Where a mail stands in a conversation with a person (RFC 5322, 3.6.4). */
export interface Conversation {
  /** Its Message-ID; null to generate one. */
  readonly messageId: string | null
  /** Reply-To, if not the sender. */
  readonly replyTo: string | null
  /** References: earlier Message-IDs, the newest last. */
  readonly references: readonly string[]
  /** Written by a person, so it is not marked as automatic. */
  readonly isAnswer: boolean
}

/** Outgoing and sent mail, inserted in the transaction of the event it is about. */
export const emailMessages = pgTable(
  'email_messages',
  {
    id: uuid('id').primaryKey(),
    template: text('template').notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    toAddress: text('to_address').notNull(),
    subject: text('subject').notNull(),
    /**
     * Text and HTML as encrypted JSON; wiped some days after delivery, because it may contain
     * links.
     */
    content: bytea('content'),
    state: text('state', { enum: ['queued', 'sent', 'failed'] })
      .notNull()
      .default('queued'),
    /** 0 is sent first. */
    priority: integer('priority').notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: moment('next_attempt_at').notNull().defaultNow(),
    /** Until then one instance is sending it. */
    leaseUntil: moment('lease_until'),
    lastError: text('last_error'),
    smtpCode: integer('smtp_code'),
    /** The same for every attempt, so that mail servers can detect duplicates. */
    messageId: text('message_id').notNull(),
    /** Where mail programs unsubscribe with one click; only for mail that may be stopped. */
    unsubscribeUrl: text('unsubscribe_url'),
    /** For mail that belongs to a conversation, whose answers come back. */
    conversation: jsonb('conversation').$type<Conversation>(),
    /** Not sent after this, because its content is no longer valid. */
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('email_messages_queue').on(table.state, table.nextAttemptAt),
    index('email_messages_created').on(table.createdAt),
    index('email_messages_user').on(table.userId),
  ],
)

/**
 * What the host has set for a template: its own wording, or only whether it is sent. Without a row
 * the template is sent in its built-in wording.
 */
export const emailTemplates = pgTable('email_templates', {
  id: text('id').primaryKey(),
  subject: text('subject').notNull(),
  body: text('body').notNull(),
  html: text('html'),
  enabled: boolean('enabled').notNull().default(true),
  /**
   * The built-in wording when the row was saved: one that differs from it is the host's own, whatever
   * later versions of Lodge say. Null in rows of older versions until the next start.
   */
  builtInSubject: text('built_in_subject'),
  builtInBody: text('built_in_body'),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})

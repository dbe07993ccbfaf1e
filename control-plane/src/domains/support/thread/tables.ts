import { AUTHOR_KINDS, MESSAGE_KINDS, TICKET_CHANNELS } from '@lodge/shared/support/ticket-words.ts'
import {
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { moment } from '../../../db/columns.ts'
import { users } from '../../customers/tables.ts'
import { supportTickets } from '../tickets/tables.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
const ticket = () =>
  uuid('ticket_id')
    .notNull()
    .references(() => supportTickets.id, { onDelete: 'cascade' })
const person = (name: string) => uuid(name).references(() => users.id, { onDelete: 'set null' })

export const supportMessages = pgTable(
  'support_messages',
  {
    id: uuid('id').primaryKey(),
    ticketId: ticket(),
    kind: text('kind', { enum: MESSAGE_KINDS }).notNull(),
    authorKind: text('author_kind', { enum: AUTHOR_KINDS }).notNull(),
    /** Null without an account, or once it has been removed. */
    authorId: person('author_id'),
    /** Of a mail: who sent it. */
    authorEmail: text('author_email'),
    /** Markdown. */
    body: text('body').notNull(),
    channel: text('channel', { enum: TICKET_CHANNELS }).notNull(),
    /** The mail does not prove who sent it. */
    unverifiedSender: boolean('unverified_sender').notNull().default(false),
    /** Waits until an agent lets it in: customers do not see it. */
    held: boolean('held').notNull().default(false),
    /** Message-ID of the mail that it came in, or that it goes out with. */
    mailId: text('mail_id'),
    inReplyTo: text('in_reply_to'),
    createdAt: moment('created_at').notNull(),
    editedAt: moment('edited_at'),
    words: tsvector('words').notNull(),
  },
  (table) => [
    index('support_messages_ticket').on(table.ticketId, table.id),
    index('support_messages_author').on(table.authorId),
    uniqueIndex('support_messages_mail').on(table.mailId),
    index('support_messages_words').using('gin', table.words),
  ],
)
export type MessageRow = Omit<typeof supportMessages.$inferSelect, 'words'>

/** What a message said before it was edited. */
export const supportMessageEdits = pgTable(
  'support_message_edits',
  {
    id: uuid('id').primaryKey(),
    messageId: uuid('message_id')
      .notNull()
      .references(() => supportMessages.id, { onDelete: 'cascade' }),
    editorId: person('editor_id'),
    body: text('body').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [
    index('support_message_edits_message').on(table.messageId),
    index('support_message_edits_editor').on(table.editorId),
  ],
)

/** Who reads a ticket and writes in it beside the staff: its requester and people in copy. */
export const supportParticipants = pgTable(
  'support_participants',
  {
    id: uuid('id').primaryKey(),
    ticketId: ticket(),
    role: text('role', { enum: ['requester', 'copy'] }).notNull(),
    email: text('email').notNull(),
    /** The account that had this address when they were added. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    addedBy: person('added_by'),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Raised to end the addresses to which they replied so far. */
    replyEpoch: integer('reply_epoch').notNull().default(0),
  },
  (table) => [
    uniqueIndex('support_participants_address').on(table.ticketId, table.email),
    index('support_participants_user').on(table.userId),
    index('support_participants_email').on(table.email),
    index('support_participants_added_by').on(table.addedBy),
  ],
)
export type ParticipantRow = typeof supportParticipants.$inferSelect

export const supportTicketTags = pgTable(
  'support_ticket_tags',
  { ticketId: ticket(), tag: text('tag').notNull() },
  (table) => [
    primaryKey({ columns: [table.ticketId, table.tag] }),
    index('support_ticket_tags_tag').on(table.tag),
  ],
)

/** What happened to a ticket, for the staff. */
export const supportTicketEvents = pgTable(
  'support_ticket_events',
  {
    id: uuid('id').primaryKey(),
    ticketId: ticket(),
    at: moment('at').notNull(),
    kind: text('kind').notNull(),
    actorKind: text('actor_kind', { enum: [...AUTHOR_KINDS, 'rule'] }).notNull(),
    actorId: person('actor_id'),
    /** Of a rule: its name. */
    actorName: text('actor_name'),
    change: jsonb('change').$type<Record<string, unknown>>().notNull().default({}),
  },
  (table) => [
    index('support_ticket_events_ticket').on(table.ticketId, table.id),
    index('support_ticket_events_actor').on(table.actorId),
  ],
)

/** How the customer found the help: one for each ticket. */
export const supportRatings = pgTable('support_ratings', {
  ticketId: ticket().primaryKey(),
  score: integer('score').notNull(),
  comment: text('comment').notNull().default(''),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
})

import { HELD_REASONS, type SenderCheck } from '@lodge/shared/support/sender-check.ts'
import {
  AUTHOR_KINDS,
  MESSAGE_KINDS,
  TICKET_CHANNELS,
  TICKET_PRIORITIES,
  TICKET_STATUSES,
} from '@lodge/shared/support/ticket-words.ts'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
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
import { counter, moment } from '../../../db/columns.ts'
import { users } from '../../customers/tables.ts'
import { subscriptions } from '../../plans/tables.ts'
import { servers } from '../../servers/tables.ts'
import { supportCategories, supportGroups } from '../categories/tables.ts'
import { dated } from './dated-store.ts'

/** Conversations with customers. */
export const supportTickets = pgTable(
  'support_tickets',
  {
    id: uuid('id').primaryKey(),
    number: integer('number').notNull().generatedAlwaysAsIdentity(),
    subject: text('subject').notNull(),
    status: text('status', { enum: TICKET_STATUSES }).notNull(),
    priority: text('priority', { enum: TICKET_PRIORITIES }).notNull(),
    source: text('source', { enum: TICKET_CHANNELS }).notNull(),
    categoryId: uuid('category_id').references(() => supportCategories.id),
    /** Answers to the fields of the category. */
    answers: jsonb('answers').$type<Record<string, string | number | boolean>>().notNull(),
    groupId: uuid('group_id').references(() => supportGroups.id, { onDelete: 'set null' }),
    assigneeId: uuid('assignee_id').references(() => users.id, { onDelete: 'set null' }),
    /** Null for somebody without an account. */
    requesterId: uuid('requester_id').references(() => users.id, { onDelete: 'cascade' }),
    requesterEmail: text('requester_email').notNull(),
    serverId: uuid('server_id').references(() => servers.id, { onDelete: 'set null' }),
    subscriptionId: uuid('subscription_id').references(() => subscriptions.id, {
      onDelete: 'set null',
    }),
    tierId: uuid('tier_id'),
    spam: boolean('spam').notNull().default(false),
    snoozedUntil: moment('snoozed_until'),
    followUpOf: uuid('follow_up_of').references((): AnyPgColumn => supportTickets.id, {
      onDelete: 'set null',
    }),
    mergedInto: uuid('merged_into').references((): AnyPgColumn => supportTickets.id, {
      onDelete: 'set null',
    }),
    /** Incremented by every change, including internal ones. */
    version: integer('version').notNull().default(1),
    /** Incremented by changes that customers see. */
    publicVersion: integer('public_version').notNull().default(1),
    createdAt: moment('created_at').notNull(),
    /** The last change that customers see. */
    updatedAt: moment('updated_at').notNull(),
    /** The last change of any kind. */
    touchedAt: moment('touched_at').notNull(),
    lastCustomerAt: moment('last_customer_at'),
    lastAgentAt: moment('last_agent_at'),
    /** Since when it has its status. */
    statusSince: moment('status_since').notNull(),
    /** When the customer was reminded that it waits for them. */
    remindedAt: moment('reminded_at'),
    solvedAt: moment('solved_at'),
    solvedBy: text('solved_by', { enum: [...AUTHOR_KINDS, 'rule'] }),
    closedAt: moment('closed_at'),
    /** When the customer was asked for a rating. */
    ratingAskedAt: moment('rating_asked_at'),

    // The goals of the tier, computed by the clocks.
    firstTargetAt: moment('first_target_at'),
    firstMetAt: moment('first_met_at'),
    firstWarnedAt: moment('first_warned_at'),
    firstBreachedAt: moment('first_breached_at'),
    /** The first unanswered customer message, from which the goal counts. */
    nextSince: moment('next_since'),
    nextTargetAt: moment('next_target_at'),
    nextMetAt: moment('next_met_at'),
    nextWarnedAt: moment('next_warned_at'),
    nextBreachedAt: moment('next_breached_at'),
    resolutionTargetAt: moment('resolution_target_at'),
    resolutionMetAt: moment('resolution_met_at'),
    resolutionWarnedAt: moment('resolution_warned_at'),
    resolutionBreachedAt: moment('resolution_breached_at'),
    /** Since when the resolution clock is paused; null while it runs. */
    resolutionPausedAt: moment('resolution_paused_at'),
    resolutionPausedMs: counter('resolution_paused_ms').notNull().default(0),
  },
  (table) => [
    uniqueIndex('support_tickets_number').on(table.number),
    index('support_tickets_requester').on(table.requesterId, table.updatedAt),
    index('support_tickets_touched').on(table.touchedAt, table.id),
    index('support_tickets_status').on(table.status, table.touchedAt),
    index('support_tickets_assignee').on(table.assigneeId, table.status),
    index('support_tickets_group').on(table.groupId, table.status),
    index('support_tickets_category').on(table.categoryId),
    index('support_tickets_server').on(table.serverId),
    index('support_tickets_subscription').on(table.subscriptionId),
    index('support_tickets_follow_up_of').on(table.followUpOf),
    index('support_tickets_merged_into').on(table.mergedInto),
    index('support_tickets_found')
      .using(
        'gin',
        sql`(${dated(sql`to_tsvector('english'::regconfig, ${table.subject})`, table.createdAt)})`,
      )
      .with({ fastupdate: false }),
    index('support_tickets_unsolved')
      .on(table.touchedAt, table.id)
      .where(sql`${table.status} not in ('solved', 'closed')`),
    index('support_tickets_spam').on(table.touchedAt, table.id).where(sql`${table.spam}`),
    index('support_tickets_snoozed')
      .on(table.snoozedUntil)
      .where(sql`${table.snoozedUntil} is not null`),
    check(
      'support_tickets_closed',
      sql`(${table.status} = 'closed') = (${table.closedAt} is not null)`,
    ),
  ],
)
export type TicketRow = typeof supportTickets.$inferSelect

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
    /** Null without an account, or once that has been deleted. */
    authorId: person('author_id'),
    /** For a mail: its sender. */
    authorEmail: text('author_email'),
    /** Markdown. */
    body: text('body').notNull(),
    channel: text('channel', { enum: TICKET_CHANNELS }).notNull(),
    /** The mail does not prove who sent it. */
    unverifiedSender: boolean('unverified_sender').notNull().default(false),
    /** For a mail: the result of the sender check. */
    senderCheck: jsonb('sender_check').$type<SenderCheck>(),
    /** Held for an agent: customers do not see it. */
    held: boolean('held').notNull().default(false),
    /** Why it was held, even after an agent has released it. */
    heldBecause: text('held_because', { enum: HELD_REASONS }),
    /** Message-ID of the mail in which it arrived or goes out. */
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
    index('support_messages_found')
      .using('gin', sql`(${dated(sql`${table.words}`, table.createdAt)})`)
      .with({ fastupdate: false }),
    index('support_messages_held').on(table.ticketId).where(sql`${table.held}`),
  ],
)
export type MessageRow = Omit<typeof supportMessages.$inferSelect, 'words'>

/** Former texts of edited messages. */
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

/** People other than staff who take part in a ticket: its requester and people in copy. */
export const supportParticipants = pgTable(
  'support_participants',
  {
    id: uuid('id').primaryKey(),
    ticketId: ticket(),
    role: text('role', { enum: ['requester', 'copy'] }).notNull(),
    /** That of the account, if there is one. */
    email: text('email').notNull(),
    /** The account that had their address when they were added. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    addedBy: person('added_by'),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Incremented to invalidate their reply addresses. */
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

/** The history of a ticket, for staff. */
export const supportTicketEvents = pgTable(
  'support_ticket_events',
  {
    id: uuid('id').primaryKey(),
    ticketId: ticket(),
    at: moment('at').notNull(),
    kind: text('kind').notNull(),
    actorKind: text('actor_kind', { enum: [...AUTHOR_KINDS, 'rule'] }).notNull(),
    actorId: person('actor_id'),
    /** For a rule: its name. */
    actorName: text('actor_name'),
    change: jsonb('change').$type<Record<string, unknown>>().notNull().default({}),
  },
  (table) => [
    index('support_ticket_events_ticket').on(table.ticketId, table.id),
    index('support_ticket_events_actor').on(table.actorId),
  ],
)

/** Ratings by customers: one for each ticket. */
export const supportRatings = pgTable('support_ratings', {
  ticketId: ticket().primaryKey(),
  score: integer('score').notNull(),
  comment: text('comment').notNull().default(''),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
})

/** How far somebody has read a ticket; no row for one that they never opened. */
export const supportReads = pgTable(
  'support_reads',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    ticketId: uuid('ticket_id')
      .notNull()
      .references(() => supportTickets.id, { onDelete: 'cascade' }),
    /** The time of the last change that they have seen. */
    readAt: moment('read_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.ticketId] }),
    index('support_reads_ticket').on(table.ticketId),
  ],
)

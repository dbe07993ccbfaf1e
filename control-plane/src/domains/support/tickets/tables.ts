import {
  AUTHOR_KINDS,
  TICKET_CHANNELS,
  TICKET_PRIORITIES,
  TICKET_STATUSES,
} from '@lodge/shared/support/ticket-words.ts'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { counter, moment } from '../../../db/columns.ts'
import { users } from '../../customers/tables.ts'
import { subscriptions } from '../../plans/tables.ts'
import { servers } from '../../servers/tables.ts'
import { supportCategories, supportGroups } from '../categories/tables.ts'

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
    /** Counts every change, those that customers do not see too. */
    version: integer('version').notNull().default(1),
    /** Counts the changes that customers see. */
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
    /** When the customer was asked how it went. */
    ratingAskedAt: moment('rating_asked_at'),

    // The goals of the tier; the clocks write them.
    firstTargetAt: moment('first_target_at'),
    firstMetAt: moment('first_met_at'),
    firstWarnedAt: moment('first_warned_at'),
    firstBreachedAt: moment('first_breached_at'),
    /** The first customer message that nobody has answered; the goal counts from it. */
    nextSince: moment('next_since'),
    nextTargetAt: moment('next_target_at'),
    nextMetAt: moment('next_met_at'),
    nextWarnedAt: moment('next_warned_at'),
    nextBreachedAt: moment('next_breached_at'),
    resolutionTargetAt: moment('resolution_target_at'),
    resolutionMetAt: moment('resolution_met_at'),
    resolutionWarnedAt: moment('resolution_warned_at'),
    resolutionBreachedAt: moment('resolution_breached_at'),
    /** While the clock of the solution stands still: since when. */
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
    index('support_tickets_subject').using('gin', table.subject.op('gin_trgm_ops')),
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

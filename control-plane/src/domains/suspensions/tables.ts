import type { AppealState, SuspensionOptions, SuspensionReason } from '@lodge/shared/suspensions.ts'
import { sql } from 'drizzle-orm'
import { check, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../db/columns.ts'
import { users } from '../customers/tables.ts'

const staff = (name: string) => uuid(name).references(() => users.id, { onDelete: 'set null' })

/** Suspensions of customers, including past ones. */
export const suspensions = pgTable(
  'suspensions',
  {
    id: uuid('id').primaryKey(),
    customerId: uuid('customer_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    reasonCode: text('reason_code').$type<SuspensionReason>().notNull(),
    publicReason: text('public_reason').notNull(),
    options: jsonb('options').$type<SuspensionOptions>().notNull(),
    startedAt: moment('started_at').notNull(),
    endsAt: moment('ends_at'),
    createdBy: staff('created_by'),
    liftedAt: moment('lifted_at'),
    /** Null if its time was over, or once they have been deleted. */
    liftedBy: staff('lifted_by'),
    liftReason: text('lift_reason'),
    /** When the servers are scheduled for deletion; null for never. */
    deleteServersAt: moment('delete_servers_at'),
    serversDeletedAt: moment('servers_deleted_at'),
    /** When its texts were erased. */
    erasedAt: moment('erased_at'),
  },
  (table) => [
    uniqueIndex('suspensions_one_active')
      .on(table.customerId)
      .where(sql`${table.liftedAt} is null`),
    index('suspensions_customer').on(table.customerId, table.id),
    index('suspensions_ending').on(table.endsAt).where(sql`${table.liftedAt} is null`),
    index('suspensions_created_by').on(table.createdBy),
    index('suspensions_lifted_by').on(table.liftedBy),
  ],
)
export type SuspensionRow = typeof suspensions.$inferSelect

/** What staff write down about a suspension; never changed, and never shown to the customer. */
export const suspensionNotes = pgTable(
  'suspension_notes',
  {
    id: uuid('id').primaryKey(),
    suspensionId: uuid('suspension_id')
      .notNull()
      .references(() => suspensions.id, { onDelete: 'cascade' }),
    authorId: staff('author_id'),
    text: text('text').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('suspension_notes_suspension').on(table.suspensionId, table.id),
    index('suspension_notes_author').on(table.authorId),
  ],
)

export const appeals = pgTable(
  'appeals',
  {
    id: uuid('id').primaryKey(),
    suspensionId: uuid('suspension_id')
      .notNull()
      .references(() => suspensions.id, { onDelete: 'cascade' }),
    state: text('state').$type<AppealState>().notNull(),
    openedAt: moment('opened_at').notNull(),
    /** The customer's last message, if it waits for staff. */
    waitingSince: moment('waiting_since'),
    decidedAt: moment('decided_at'),
    decidedBy: staff('decided_by'),
  },
  (table) => [
    uniqueIndex('appeals_one_open').on(table.suspensionId).where(sql`${table.decidedAt} is null`),
    index('appeals_suspension').on(table.suspensionId, table.id),
    index('appeals_waiting').on(table.waitingSince).where(sql`${table.waitingSince} is not null`),
    index('appeals_decided_by').on(table.decidedBy),
    check(
      'appeals_decided',
      sql`(${table.decidedAt} is not null) = (${table.state} in ('granted', 'rejected', 'withdrawn'))`,
    ),
  ],
)
export type AppealRow = typeof appeals.$inferSelect

export const appealMessages = pgTable(
  'appeal_messages',
  {
    id: uuid('id').primaryKey(),
    appealId: uuid('appeal_id')
      .notNull()
      .references(() => appeals.id, { onDelete: 'cascade' }),
    sender: text('sender', { enum: ['customer', 'staff'] }).notNull(),
    authorId: staff('author_id'),
    text: text('text').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('appeal_messages_appeal').on(table.appealId, table.id),
    index('appeal_messages_author').on(table.authorId),
  ],
)

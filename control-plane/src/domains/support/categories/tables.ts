import type { CategoryField } from '@lodge/shared/support/desk.ts'
import { GROUP_ASSIGNMENTS, TICKET_PRIORITIES } from '@lodge/shared/support/ticket-words.ts'
import {
  boolean,
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

/** Teams of agents. */
export const supportGroups = pgTable(
  'support_groups',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    assignment: text('assignment', { enum: GROUP_ASSIGNMENTS }).notNull().default('manual'),
    active: boolean('active').notNull().default(true),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('support_groups_name').on(table.name)],
)
export type GroupRow = typeof supportGroups.$inferSelect

export const supportGroupMembers = pgTable(
  'support_group_members',
  {
    groupId: uuid('group_id')
      .notNull()
      .references(() => supportGroups.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** When they were last assigned a ticket in turn. */
    lastGivenAt: moment('last_given_at'),
  },
  (table) => [
    primaryKey({ columns: [table.groupId, table.userId] }),
    index('support_group_members_user').on(table.userId),
  ],
)

/** What tickets are about. Archived, never deleted: tickets refer to them. */
export const supportCategories = pgTable(
  'support_categories',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    groupId: uuid('group_id').references(() => supportGroups.id, { onDelete: 'set null' }),
    defaultPriority: text('default_priority', { enum: TICKET_PRIORITIES })
      .notNull()
      .default('normal'),
    fields: jsonb('fields').$type<CategoryField[]>().notNull().default([]),
    requiresServer: boolean('requires_server').notNull().default(false),
    position: integer('position').notNull().default(0),
    active: boolean('active').notNull().default(true),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('support_categories_name').on(table.name),
    index('support_categories_group').on(table.groupId),
  ],
)
export type CategoryRow = typeof supportCategories.$inferSelect

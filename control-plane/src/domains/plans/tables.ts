import type { LimitLayer } from '@lodge/shared/limits/keys.ts'
import { PLAN_KINDS, SUBSCRIPTION_STATUSES } from '@lodge/shared/plans.ts'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { moment } from '../../db/columns.ts'
import { users } from '../customers/tables.ts'

/** What a host sells: a server of a fixed size, or an account with limits. */
export const plans = pgTable(
  'plans',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    kind: text('kind', { enum: PLAN_KINDS }).notNull(),
    description: text('description').notNull().default(''),
    limits: jsonb('limits').$type<LimitLayer>().notNull().default({}),
    visible: boolean('visible').notNull().default(false),
    position: integer('position').notNull().default(0),
    archivedAt: moment('archived_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('plans_name').on(table.name)],
)

export const subscriptions = pgTable(
  'subscriptions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    planId: uuid('plan_id')
      .notNull()
      .references(() => plans.id),
    status: text('status', { enum: SUBSCRIPTION_STATUSES }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('subscriptions_user').on(table.userId, table.status),
    index('subscriptions_plan').on(table.planId),
  ],
)

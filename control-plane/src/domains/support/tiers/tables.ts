import type { WriteTier } from '@lodge/shared/support/tiers.ts'
import { sql } from 'drizzle-orm'
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
import { moment } from '../../../db/columns.ts'
import { plans } from '../../plans/tables.ts'

/** Support tiers: goals for the subscribers of some plans. */
export const supportTiers = pgTable(
  'support_tiers',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    isDefault: boolean('is_default').notNull().default(false),
    position: integer('position').notNull().default(0),
    calendar: text('calendar', { enum: ['business', 'always'] }).notNull(),
    goals: jsonb('goals').$type<WriteTier['goals']>().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('support_tiers_name').on(table.name),
    uniqueIndex('support_tiers_default').on(table.isDefault).where(sql`${table.isDefault}`),
  ],
)
export type TierRow = typeof supportTiers.$inferSelect

/** The tier of a plan; at most one. */
export const supportTierPlans = pgTable(
  'support_tier_plans',
  {
    planId: uuid('plan_id')
      .primaryKey()
      .references(() => plans.id, { onDelete: 'cascade' }),
    tierId: uuid('tier_id')
      .notNull()
      .references(() => supportTiers.id, { onDelete: 'cascade' }),
  },
  (table) => [index('support_tier_plans_tier').on(table.tierId)],
)

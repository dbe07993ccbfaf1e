import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Unlogged: a crash of the database forgets budgets, which only helps the caller. */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  fullAt: timestamp('full_at', { withTimezone: true }).notNull(),
})

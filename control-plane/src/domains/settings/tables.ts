import { bigint, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** What an operator changes while Lodge runs: one document per area. */
export const settings = pgTable('settings', {
  area: text('area').primaryKey(),
  value: jsonb('value').$type<unknown>().notNull(),
  revision: bigint('revision', { mode: 'number' }).notNull().default(1),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})

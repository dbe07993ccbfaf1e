import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../db/columns.ts'

/** Unlogged: a database crash clears the budgets, which only favours the caller. */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  fullAt: moment('full_at').notNull(),
})

/** Responses to requests with an `Idempotency-Key`, kept for a day. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: uuid('user_id').notNull(),
    endpoint: text('endpoint').notNull(),
    key: text('key').notNull(),
    /** Hash of path and body: a key must not be reused for another request. */
    requestHash: text('request_hash').notNull(),
    status: integer('status'),
    reply: jsonb('reply').$type<unknown>(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.endpoint, table.key] })],
)

import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

export const greetings = pgTable('greetings', {
  id: uuid().primaryKey().$defaultFn(randomUUID),
  text: text().notNull(),
  saidAt: timestamp('said_at', { withTimezone: true }),
})

/** The statement that drizzle-kit would have generated into a migration. */
export const CREATE_GREETINGS = sql`create table greetings (id uuid primary key, text text not null, said_at timestamptz)`

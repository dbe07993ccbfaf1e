import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { counter, moment } from '../../db/columns.ts'

/** Settings changed at run time: one document per area. */
export const settings = pgTable('settings', {
  area: text('area').primaryKey(),
  value: jsonb('value').$type<unknown>().notNull(),
  revision: counter('revision').notNull().default(1),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})

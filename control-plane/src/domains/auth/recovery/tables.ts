import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../../db/columns.ts'

/** A requested new password; whether the account exists is looked up later. */
export const resetRequests = pgTable('reset_requests', {
  id: uuid('id').primaryKey(),
  email: text('email').notNull(),
  /** The language of the request, for the mail. */
  language: text('language'),
  createdAt: moment('created_at').notNull().defaultNow(),
})

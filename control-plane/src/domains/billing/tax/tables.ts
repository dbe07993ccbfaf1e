import type { TaxQuote } from '@lodge/shared/plugins/tax.ts'
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../../db/columns.ts'
import { subscriptions } from '../../plans/tables.ts'

/** What tax plugins answered lately: an invoice is issued with what stands here, never with anything else. */
export const taxQuotes = pgTable(
  'tax_quotes',
  {
    /** Of everything that was asked: plugin, currency, lines and buyer. */
    fingerprint: text('fingerprint').primaryKey(),
    taxes: jsonb('taxes').$type<TaxQuote['taxes']>().notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('tax_quotes_expires').on(table.expiresAt)],
)

/** Subscriptions whose next invoice waits for its tax. */
export const taxWaits = pgTable('tax_waits', {
  subscriptionId: uuid('subscription_id')
    .primaryKey()
    .references(() => subscriptions.id, { onDelete: 'cascade' }),
  since: moment('since').notNull(),
  tries: integer('tries').notNull(),
  /** For the host. */
  failure: text('failure').notNull(),
  /** The customer has to say where they are. */
  needsAddress: boolean('needs_address').notNull(),
})

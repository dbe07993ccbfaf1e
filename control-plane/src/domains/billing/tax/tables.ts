import type { TaxQuote, TaxRequest } from '@lodge/shared/plugins/tax.ts'
import {
  bigint,
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
import { subscriptions } from '../../plans/tables.ts'
import { invoices } from '../tables.ts'

/** Recent quotes of tax plugins: an invoice that needs a plugin is issued from one of these only. */
export const taxQuotes = pgTable(
  'tax_quotes',
  {
    /** Hash of the whole request: plugin, currency, lines and buyer. */
    fingerprint: text('fingerprint').primaryKey(),
    taxes: jsonb('taxes').$type<TaxQuote['taxes']>().notNull(),
    /** The plugin's reference of the quote, if it records sales. */
    ref: text('ref'),
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
  /** Whether the customer has to complete their address. */
  needsAddress: boolean('needs_address').notNull(),
})

/** What plugins that record sales have to record: each invoice, and each credit for one. */
export const taxRecords = pgTable(
  'tax_records',
  {
    id: uuid('id').primaryKey(),
    /** The invoice of the sale. */
    invoiceId: uuid('invoice_id')
      .notNull()
      .references(() => invoices.id),
    kind: text('kind', { enum: ['sale', 'reversal'] }).notNull(),
    /** The cause: the invoice itself, the refund, or the invoice that contains the credit. */
    causeId: uuid('cause_id').notNull(),
    plugin: text('plugin').notNull(),
    /** What identifies it at the provider, such as the number of the invoice. */
    reference: text('reference').notNull(),
    /** Including tax. */
    amount: bigint('amount', { mode: 'number' }).notNull(),
    /**
     * For a sale that is not recorded yet: the request for its quote, and the plugin's reference of
     * it.
     */
    quote: jsonb('quote').$type<{ ref: string; request: TaxRequest; total: number }>(),
    at: moment('at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Null if nothing is left to do: it is recorded, was given up, or waits for its cause. */
    nextAt: moment('next_at'),
    failure: text('failure'),
    /** The plugin's reference; null until it is recorded. */
    externalRef: text('external_ref'),
  },
  (table) => [
    uniqueIndex('tax_records_cause').on(table.invoiceId, table.kind, table.causeId),
    index('tax_records_cause_id').on(table.causeId),
    index('tax_records_next').on(table.nextAt),
  ],
)

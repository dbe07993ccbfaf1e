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

/** What tax plugins answered lately: an invoice is issued with what stands here, never with anything else. */
export const taxQuotes = pgTable(
  'tax_quotes',
  {
    /** Of everything that was asked: plugin, currency, lines and buyer. */
    fingerprint: text('fingerprint').primaryKey(),
    taxes: jsonb('taxes').$type<TaxQuote['taxes']>().notNull(),
    /** What its plugin calls it, if it records the sales that it calculated the tax of. */
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
  /** The customer has to say where they are. */
  needsAddress: boolean('needs_address').notNull(),
})

/** What tax plugins that record sales are told: each invoice, and what is given back of it. */
export const taxRecords = pgTable(
  'tax_records',
  {
    id: uuid('id').primaryKey(),
    /** What was sold with it. */
    invoiceId: uuid('invoice_id')
      .notNull()
      .references(() => invoices.id),
    kind: text('kind', { enum: ['sale', 'reversal'] }).notNull(),
    /** Why: the invoice itself, the refund, or the invoice that gives it back. */
    causeId: uuid('cause_id').notNull(),
    plugin: text('plugin').notNull(),
    /** By what it is found there, such as the number of the invoice. */
    reference: text('reference').notNull(),
    /** With its tax. */
    amount: bigint('amount', { mode: 'number' }).notNull(),
    /** Of a sale, until it is recorded: what the plugin was asked, and what it calls its answer. */
    quote: jsonb('quote').$type<{ ref: string; request: TaxRequest; total: number }>(),
    at: moment('at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Null if nothing is to be done: it is recorded, was given up, or waits for its cause. */
    nextAt: moment('next_at'),
    failure: text('failure'),
    /** What the plugin calls it; null until it is recorded. */
    externalRef: text('external_ref'),
  },
  (table) => [
    uniqueIndex('tax_records_cause').on(table.invoiceId, table.kind, table.causeId),
    index('tax_records_cause_id').on(table.causeId),
    index('tax_records_next').on(table.nextAt),
  ],
)

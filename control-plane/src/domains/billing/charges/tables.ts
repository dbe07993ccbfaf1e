import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { moment } from '../../../db/columns.ts'
import { users } from '../../customers/tables.ts'
import { invoices } from '../tables.ts'

/** Customers as payment providers know them, with the payment method that is saved there. */
export const providerCustomers = pgTable(
  'provider_customers',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: text('provider').notNull(),
    /** The provider's reference of the customer. */
    ref: text('ref').notNull(),
    /** Whether renewals are charged there; `asked`: as soon as a payment method is saved there. */
    autoCharge: text('auto_charge', { enum: ['off', 'asked', 'on'] })
      .notNull()
      .default('off'),
    /** For people, such as `Visa •••• 4242`; null if none is known. */
    method: text('method'),
    /** The last month in which it works, such as `2028-04`. */
    expires: text('expires'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.provider] })],
)

/** Deleted accounts whose payment methods a provider still has to delete. */
export const providerDeletions = pgTable(
  'provider_farewells',
  {
    provider: text('provider').notNull(),
    ref: text('ref').notNull(),
    tries: integer('tries').notNull().default(0),
    dueAt: moment('due_at').notNull(),
    /**
     * Until then, a page that was opened before the deletion may have saved another payment method.
     */
    lastAt: moment('last_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.ref] }),
    index('provider_farewells_due').on(table.dueAt),
  ],
)

/**
 * Pages of providers on which an invoice may be paid, also one that is void by then: they are fetched now and
 * then, as a webhook may be lost.
 */
export const providerPages = pgTable(
  'provider_pages',
  {
    invoiceId: uuid('invoice_id')
      .notNull()
      .references(() => invoices.id),
    provider: text('provider').notNull(),
    ref: text('ref').notNull(),
    openedAt: moment('opened_at').notNull(),
    /** When it is fetched next. */
    nextAt: moment('next_at').notNull(),
    /** When the provider last said what became of it. */
    seenAt: moment('seen_at'),
    /** Money is on its way, as by direct debit, and may take days. */
    processing: boolean('processing').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.invoiceId, table.provider, table.ref] }),
    index('provider_pages_next').on(table.nextAt),
    index('provider_pages_ref').on(table.provider, table.ref),
  ],
)

/** Attempts to charge an open invoice through a provider, without the customer taking part. */
export const charges = pgTable(
  'invoice_charges',
  {
    id: uuid('id').primaryKey(),
    invoiceId: uuid('invoice_id')
      .notNull()
      .references(() => invoices.id),
    attempt: integer('attempt').notNull(),
    provider: text('provider').notNull(),
    amount: bigint('amount', { mode: 'number' }).notNull(),
    /**
     * `processing`: the provider has accepted it and the money is on its way; `dropped`: given up.
     */
    state: text('state', {
      enum: ['waiting', 'processing', 'succeeded', 'failed', 'dropped'],
    }).notNull(),
    /** How often the provider was called. */
    tries: integer('tries').notNull().default(0),
    /** Null if nothing is left to do. */
    nextAt: moment('next_at'),
    externalRef: text('external_ref'),
    failure: text('failure'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('invoice_charges_attempt').on(table.invoiceId, table.attempt),
    index('invoice_charges_next').on(table.nextAt),
    index('invoice_charges_ref').on(table.provider, table.externalRef),
  ],
)

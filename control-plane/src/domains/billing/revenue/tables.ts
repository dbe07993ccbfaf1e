import { sql } from 'drizzle-orm'
import { char, check, index, pgTable, uuid } from 'drizzle-orm/pg-core'
import { counter, moment } from '../../../db/columns.ts'

/**
 * Changes of customers' monthly revenue as signed entries: a change of price has one that subtracts
 * the old amount and one that adds the new. Appended in the transaction of the change and kept when
 * customers and plans are deleted, hence no foreign keys.
 */
export const revenueEntries = pgTable(
  'revenue_entries',
  {
    /** Ascending in the order of a customer's entries. */
    id: counter('id').primaryKey().generatedAlwaysAsIdentity(),
    at: moment('at').notNull(),
    customerId: uuid('customer_id').notNull(),
    subscriptionId: uuid('subscription_id').notNull(),
    planId: uuid('plan_id').notNull(),
    priceId: uuid('price_id').notNull(),
    currency: char('currency', { length: 3 }).notNull(),
    /** Per month, in the smallest unit. */
    amount: counter('amount').notNull(),
    /** The customer's total per month in this currency, including this entry. */
    balance: counter('balance').notNull(),
  },
  (table) => [
    index('revenue_entries_at').on(table.at),
    index('revenue_entries_customer').on(table.customerId, table.currency, table.id),
    index('revenue_entries_subscription').on(table.subscriptionId, table.id),
    check('revenue_entries_amount', sql`${table.amount} <> 0`),
    check('revenue_entries_balance', sql`${table.balance} >= 0`),
  ],
)

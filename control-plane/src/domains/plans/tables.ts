import { CYCLES } from '@lodge/shared/billing/cycles.ts'
import type { LimitLayer } from '@lodge/shared/limits/keys.ts'
import {
  PLAN_KINDS,
  type ServerPreset,
  SUBSCRIPTION_STATUSES,
  SUSPENDED_FOR,
  VISIBILITIES,
} from '@lodge/shared/plans.ts'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  char,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { moment } from '../../db/columns.ts'
import { users } from '../customers/tables.ts'

/** What a host sells: a server of a fixed size, or an account with limits. */
export const plans = pgTable(
  'plans',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    kind: text('kind', { enum: PLAN_KINDS }).notNull(),
    description: text('description').notNull().default(''),
    features: jsonb('features').$type<string[]>().notNull().default([]),
    /** Null for an account plan. */
    preset: jsonb('preset').$type<ServerPreset>(),
    limits: jsonb('limits').$type<LimitLayer>().notNull().default({}),
    stock: integer('stock'),
    perCustomerMax: integer('per_customer_max'),
    visibility: text('visibility', { enum: VISIBILITIES }).notNull().default('hidden'),
    active: boolean('active').notNull().default(true),
    /** No longer read, but still by the previous release. */
    visible: boolean('visible').notNull().default(false),
    position: integer('position').notNull().default(0),
    archivedAt: moment('archived_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('plans_name').on(table.name),
    check('plans_stock', sql`${table.stock} >= 0 and ${table.perCustomerMax} > 0`),
  ],
)

/** Prices of plans. A row never changes its terms: it is retired, and its subscribers keep it. */
export const planPrices = pgTable(
  'plan_prices',
  {
    id: uuid('id').primaryKey(),
    planId: uuid('plan_id')
      .notNull()
      .references(() => plans.id, { onDelete: 'cascade' }),
    cycle: text('cycle', { enum: CYCLES }).notNull(),
    currency: char('currency', { length: 3 }).notNull(),
    amount: bigint('amount', { mode: 'number' }).notNull(),
    setupFee: bigint('setup_fee', { mode: 'number' }).notNull().default(0),
    trialDays: integer('trial_days').notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
    retiredAt: moment('retired_at'),
  },
  (table) => [
    index('plan_prices_plan').on(table.planId),
    uniqueIndex('plan_prices_current')
      .on(table.planId, table.cycle, table.currency)
      .where(sql`${table.retiredAt} is null`),
    check(
      'plan_prices_amounts',
      sql`${table.amount} >= 0 and ${table.setupFee} >= 0 and ${table.trialDays} >= 0`,
    ),
  ],
)

export const subscriptions = pgTable(
  'subscriptions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    planId: uuid('plan_id')
      .notNull()
      .references(() => plans.id),
    status: text('status', { enum: SUBSCRIPTION_STATUSES }).notNull(),
    /** Kept on renewal; null for a free subscription. */
    priceId: uuid('price_id').references(() => planPrices.id),
    suspendedFor: text('suspended_for', { enum: SUSPENDED_FOR }),
    /** What the host told the customer who suspended it. */
    suspensionReason: text('suspension_reason'),
    suspendedAt: moment('suspended_at'),
    /** Periods are counted from this time. */
    anchor: moment('anchor'),
    periodStart: moment('period_start'),
    periodEnd: moment('period_end'),
    /**
     * From when on the present period is free; null, or before the period, if all of it is paid. What is
     * left of free time says nothing of what was paid.
     */
    freeFrom: moment('free_from'),
    /**
     * The price before a change of plan that was paid only after its period had ended, and until when that
     * price counted: the invoice of the period with this time has both.
     */
    formerPriceId: uuid('former_price_id').references(() => planPrices.id),
    formerUntil: moment('former_until'),
    trialEndsAt: moment('trial_ends_at'),
    cancelAtPeriodEnd: boolean('cancel_at_period_end').notNull().default(false),
    pendingPriceId: uuid('pending_price_id').references(() => planPrices.id),
    /** When the pending change takes effect; null if its invoice decides. */
    pendingAt: moment('pending_at'),
    pendingInvoiceId: uuid('pending_invoice_id'),
    pastDueSince: moment('past_due_since'),
    holdUntil: moment('hold_until'),
    /** By when a purchase has to be paid. */
    expiresAt: moment('expires_at'),
    endedAt: moment('ended_at'),
    /** When it is next due for a look; null if nothing is scheduled. */
    nextAt: moment('next_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('subscriptions_user').on(table.userId, table.status),
    index('subscriptions_status').on(table.status, table.id),
    index('subscriptions_plan').on(table.planId),
    index('subscriptions_price').on(table.priceId),
    index('subscriptions_pending').on(table.pendingPriceId),
    index('subscriptions_former').on(table.formerPriceId),
    index('subscriptions_next').on(table.nextAt),
    check(
      'subscriptions_suspended',
      sql`(${table.status} = 'suspended') or ${table.suspendedFor} is null`,
    ),
  ],
)

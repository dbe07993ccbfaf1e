import { INVOICE_STATUSES, type InvoiceLine } from '@lodge/shared/billing/billing.ts'
import { REFUND_STATES, REFUND_WAYS } from '@lodge/shared/billing/refunds.ts'
import type { ServerPreset } from '@lodge/shared/plans.ts'
import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  char,
  check,
  index,
  integer,
  jsonb,
  type PgColumn,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { moment } from '../../db/columns.ts'
import { users } from '../customers/tables.ts'
import { subscriptions } from '../plans/tables.ts'

const amount = (name: string) => bigint(name, { mode: 'number' })

/**
 * The next number of each series; taken in the transaction that issues, so that there are no gaps.
 */
export const invoiceSeries = pgTable('invoice_series', {
  name: text('name').primaryKey(),
  next: integer('next').notNull(),
})

/** What an invoice is searched by. */
export const searchedOf = ({ number, buyer }: { number: PgColumn; buyer: PgColumn }): SQL =>
  sql`(${number} || ' ' || coalesce(${buyer} ->> 'email', '') || ' ' || coalesce(${buyer} ->> 'name', ''))`

/** Kept when the customer is deleted, with the buyer as they were. */
export const invoices = pgTable(
  'invoices',
  {
    id: uuid('id').primaryKey(),
    number: text('number').notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    subscriptionId: uuid('subscription_id').references(() => subscriptions.id, {
      onDelete: 'set null',
    }),
    planName: text('plan_name').notNull(),
    buyer: jsonb('buyer')
      .$type<{ email: string; name: string; address?: string; taxNumber?: string }>()
      .notNull(),
    /** Name and address of the host at that time. */
    sender: text('sender').notNull().default(''),
    /**
     * The locale in which it is written, e.g. `de-CH`; null, from before this was stored, means
     * English.
     */
    locale: text('locale'),
    /** What its payment triggers. */
    kind: text('kind', { enum: ['first', 'renewal', 'change'] }).notNull(),
    status: text('status', { enum: INVOICE_STATUSES }).notNull(),
    currency: char('currency', { length: 3 }).notNull(),
    lines: jsonb('lines').$type<InvoiceLine[]>().notNull(),
    total: amount('total').notNull(),
    amountPaid: amount('amount_paid').notNull().default(0),
    /** What a later change of plan gave back of it to the balance, for the rest of its period. */
    amountCredited: amount('amount_credited').notNull().default(0),
    /** For a renewal: the period that it pays. */
    periodStart: moment('period_start'),
    periodEnd: moment('period_end'),
    issuedAt: moment('issued_at').notNull(),
    dueAt: moment('due_at').notNull(),
    paidAt: moment('paid_at'),
    /** Null if it is not void, or was voided before this was stored. */
    voidedAt: moment('voided_at'),
  },
  (table) => [
    uniqueIndex('invoices_number').on(table.number),
    index('invoices_issued').on(table.issuedAt),
    // Invoices that were not paid in time.
    index('invoices_overdue')
      .on(table.dueAt)
      .where(
        sql`${table.kind} = 'renewal' and ${table.dueAt} < coalesce(${table.paidAt}, ${table.voidedAt}, 'infinity')`,
      ),
    index('invoices_user').on(table.userId, table.id),
    index('invoices_status').on(table.status, table.id),
    index('invoices_plan').using('gin', table.planName.op('gin_trgm_ops')),
    index('invoices_currency').on(table.currency, table.id),
    index('invoices_search').using('gin', sql`${searchedOf(table)} gin_trgm_ops`),
    // A period is billed once.
    uniqueIndex('invoices_period')
      .on(table.subscriptionId, table.periodStart)
      .where(sql`${table.status} <> 'void' and ${table.kind} = 'renewal'`),
    index('invoices_subscription').on(table.subscriptionId),
    check(
      'invoices_amounts',
      sql`${table.total} >= 0 and ${table.amountPaid} between 0 and ${table.total} and ${table.amountCredited} >= 0`,
    ),
  ],
)

/** Invoices to be paid in one sum: an overpayment of the lead invoice pays the others. */
export const invoicesTogether = pgTable(
  'invoices_together',
  {
    leadId: uuid('lead_id')
      .notNull()
      .references(() => invoices.id),
    invoiceId: uuid('invoice_id')
      .notNull()
      .references(() => invoices.id),
  },
  (table) => [
    primaryKey({ columns: [table.leadId, table.invoiceId] }),
    index('invoices_together_invoice').on(table.invoiceId),
  ],
)

/** Customers' addresses for invoices and tax. */
export const billingAddresses = pgTable('billing_addresses', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  address: text('address').notNull(),
  /** A code of ISO 3166-1; an empty string is unknown. */
  country: text('country').notNull().default(''),
  postalCode: text('postal_code').notNull().default(''),
  region: text('region').notNull().default(''),
  taxNumber: text('tax_number').notNull().default(''),
})

/** Payments received. What exceeds the invoice goes to the balance. */
export const invoicePayments = pgTable(
  'invoice_payments',
  {
    id: uuid('id').primaryKey(),
    invoiceId: uuid('invoice_id')
      .notNull()
      .references(() => invoices.id),
    amount: amount('amount').notNull(),
    receivedAt: moment('received_at').notNull(),
    reference: text('reference').notNull().default(''),
    /** The provider and its reference, which identify a payment that is reported twice. */
    provider: text('provider').notNull(),
    externalRef: text('external_ref'),
    recordedAt: moment('recorded_at').notNull(),
    /** The sum of its `taken_back_entries`. */
    takenBack: amount('taken_back').notNull().default(0),
    /** The part of it that disputes took, which the provider does not count as refunds. */
    takenByDispute: amount('taken_by_dispute').notNull().default(0),
    /**
     * The payment of several invoices in one sum that this part of the balance came from, through which
     * it can go back.
     */
    sumId: uuid('sum_id').references((): AnyPgColumn => invoicePayments.id),
    /** When it was last fetched from its provider without a webhook. */
    seenAt: moment('seen_at'),
  },
  (table) => [
    index('invoice_payments_invoice').on(table.invoiceId),
    index('invoice_payments_received').on(table.receivedAt),
    index('invoice_payments_sum').on(table.sumId),
    uniqueIndex('invoice_payments_external').on(table.provider, table.externalRef),
    check('invoice_payments_amount', sql`${table.amount} > 0`),
  ],
)

/** Refunds and disputes, each with a credit note once it succeeded. */
export const refunds = pgTable(
  'refunds',
  {
    id: uuid('id').primaryKey(),
    invoiceId: uuid('invoice_id')
      .notNull()
      .references(() => invoices.id),
    /** The payment that its provider refunds. */
    paymentId: uuid('payment_id').references(() => invoicePayments.id),
    number: text('number'),
    amount: amount('amount').notNull(),
    /** The part of the amount that is tax. */
    tax: amount('tax').notNull(),
    way: text('way', { enum: REFUND_WAYS }).notNull(),
    state: text('state', { enum: REFUND_STATES }).notNull(),
    reason: text('reason').notNull(),
    externalRef: text('external_ref'),
    attempts: integer('attempts').notNull().default(0),
    nextAt: moment('next_at'),
    failure: text('failure'),
    createdAt: moment('created_at').notNull(),
    settledAt: moment('settled_at'),
  },
  (table) => [
    index('refunds_invoice').on(table.invoiceId),
    index('refunds_payment').on(table.paymentId),
    index('refunds_next').on(table.nextAt),
    index('refunds_settled').on(table.settledAt),
    uniqueIndex('refunds_number').on(table.number),
    check(
      'refunds_amounts',
      sql`${table.amount} > 0 and ${table.tax} between 0 and ${table.amount}`,
    ),
    check(
      'refunds_number_state',
      sql`(${table.number} is not null) = (${table.state} in ('succeeded', 'reversed'))`,
    ),
  ],
)

/**
 * What a payment had added to the balance and was returned to its payer since, as signed entries:
 * negative if the money came back after all. Kept when the customer is deleted, unlike the balance.
 */
export const takenBackEntries = pgTable(
  'taken_back_entries',
  {
    id: uuid('id').primaryKey(),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => invoicePayments.id),
    /** The provider's reference of the dispute that took it, or empty if unknown; null: a refund. */
    dispute: text('dispute'),
    amount: amount('amount').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [
    index('taken_back_entries_payment').on(table.paymentId),
    index('taken_back_entries_at').on(table.at),
    check('taken_back_entries_amount', sql`${table.amount} <> 0`),
  ],
)

/**
 * Disputes of money that no invoice has left, because it went to the customer's balance or back to them. A refund
 * stands for any other.
 */
export const disputesWithoutRefund = pgTable(
  'disputes_without_refund',
  {
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => invoicePayments.id),
    /** The provider's reference of the dispute. */
    externalRef: text('external_ref').notNull(),
    state: text('state', { enum: ['open', 'lost'] }).notNull(),
    since: moment('since').notNull(),
  },
  (table) => [primaryKey({ columns: [table.paymentId, table.externalRef] })],
)

/** Balances of customers as a list of changes; a balance is their sum. */
export const balanceEntries = pgTable(
  'balance_entries',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    currency: char('currency', { length: 3 }).notNull(),
    amount: amount('amount').notNull(),
    invoiceId: uuid('invoice_id').references(() => invoices.id),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('balance_entries_user').on(table.userId, table.currency),
    index('balance_entries_invoice').on(table.invoiceId),
  ],
)

/** A customer's choices for a virtual machine that does not exist yet. */
export interface OrderedMachine {
  readonly mediumId: string
  /** Whether the medium is a disk image rather than an installation medium. */
  readonly isImage: boolean
  readonly user: string
  readonly sshKeys: readonly string[]
  /** Hash of the first password; deleted once the machine has it. */
  readonly passwordHash: string | null
  /** The network in which an address is reserved for it. */
  readonly networkId: string | null
}

/** The server that a subscription comes with, from the purchase on. */
export const serverOrders = pgTable(
  'server_orders',
  {
    id: uuid('id').primaryKey(),
    subscriptionId: uuid('subscription_id').references(() => subscriptions.id, {
      onDelete: 'set null',
    }),
    name: text('name').notNull(),
    templateId: uuid('template_id').notNull(),
    location: text('location'),
    preset: jsonb('preset').$type<ServerPreset>().notNull(),
    /** The node whose capacity is reserved, until the server takes it over. */
    nodeId: uuid('node_id'),
    /** For a virtual machine: its medium and its first user. */
    machine: jsonb('machine').$type<OrderedMachine>(),
    /** The node whose capacity is reserved for a larger plan, until the server takes it over. */
    growthNodeId: uuid('growth_node_id'),
    growth: jsonb('growth').$type<{ memoryMb: number; cpuPercent: number; diskMb: number }>(),
    state: text('state', { enum: ['reserved', 'waiting', 'made', 'failed', 'released'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAt: moment('next_at'),
    failure: text('failure'),
  },
  (table) => [
    uniqueIndex('server_orders_subscription').on(table.subscriptionId),
    index('server_orders_next').on(table.nextAt),
  ],
)

/** Steps taken for a subscription, such as reminders and warnings, so that each is taken once. */
export const billingSteps = pgTable(
  'billing_steps',
  {
    subscriptionId: uuid('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    step: text('step').notNull(),
    /** The start of the period or the debt that it belongs to. */
    since: moment('since').notNull(),
    doneAt: moment('done_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.subscriptionId, table.step, table.since] })],
)

/** Servers whose subscriptions ended unpaid, until they are backed up once more or that is given up. */
export const owedBackups = pgTable(
  'owed_backups',
  {
    /** Stays when the server is deleted, which is then told to the host. */
    serverId: uuid('server_id').primaryKey(),
    subscriptionId: uuid('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    /** When the subscription ended. */
    since: moment('since').notNull(),
    /** When it was last tried; null before the first time. */
    triedAt: moment('tried_at'),
  },
  (table) => [
    index('owed_backups_tried').on(table.triedAt),
    index('owed_backups_subscription').on(table.subscriptionId),
  ],
)

/** Events of providers; the objects that they name are fetched, so their order does not matter. */
export const providerEvents = pgTable(
  'provider_events',
  {
    id: uuid('id').primaryKey(),
    provider: text('provider').notNull(),
    eventId: text('event_id').notNull(),
    type: text('type').notNull(),
    objects: jsonb('objects').$type<{ kind: string; ref: string }[]>().notNull(),
    state: text('state', { enum: ['waiting', 'done', 'ignored', 'dead'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Null if nothing is left to do. */
    nextAt: moment('next_at'),
    failure: text('failure'),
    receivedAt: moment('received_at').notNull(),
  },
  (table) => [
    uniqueIndex('provider_events_event').on(table.provider, table.eventId),
    index('provider_events_next').on(table.nextAt),
  ],
)

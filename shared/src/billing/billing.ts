import { z } from 'zod'
import { Plan, SUSPENDED_FOR, SubscriptionStatus } from '../plans.ts'
import { serverName } from '../servers.ts'
import { timeZone } from '../time-zone.ts'
import { MachineAccess, VmMedium } from '../vms.ts'
import { SubscriptionActions } from './actions.ts'
import { ChangeEffect } from './change-effects.ts'
import { CYCLES } from './cycles.ts'
import { Amount } from './money.ts'
import { Price } from './prices.ts'
import { Refund } from './refunds.ts'

const at = z.iso.datetime()

export const LINE_KINDS = [
  'subscription',
  'setup',
  'proration_credit',
  'proration_charge',
  'tax',
  'adjustment',
] as const

/** What a line of the kind `tax` is: kept apart, so that it can be counted by it. */
const LineTax = z.object({
  name: z.string(),
  /** Whose tax it is, if a plugin said so. */
  jurisdiction: z.string().nullable(),
  percent: z.string().nullable().describe('such as `19`; null if it is not a percentage'),
})
export type LineTax = z.infer<typeof LineTax>

/** One line of an invoice; credits are negative. */
export const InvoiceLine = z.object({
  kind: z.enum(LINE_KINDS),
  description: z.string(),
  amount: z.int(),
  periodStart: at.nullable(),
  periodEnd: at.nullable(),
  /** Only of a tax, from the version on that keeps it. */
  tax: LineTax.optional(),
})
export type InvoiceLine = z.infer<typeof InvoiceLine>

export const INVOICE_STATUSES = ['open', 'paid', 'void'] as const

export const Payment = z.object({
  id: z.uuid(),
  amount: z.int(),
  receivedAt: at,
  reference: z.string(),
  /** The payment provider that took it; `host` if the host recorded it, `balance` if it was in hand. */
  provider: z.string(),
  /** The provider that took it in one sum with other invoices, and can give it back; else null. */
  sumOf: z.string().nullable(),
  /** What its provider could still give back of it. */
  refundable: z.int(),
  /** What went back of it: by its refunds and disputes, and from the balance, which is also `fromBalance`. */
  refunded: z.int(),
  fromBalance: z.int(),
})

export const Invoice = z.object({
  id: z.uuid(),
  number: z.string(),
  status: z.enum(INVOICE_STATUSES),
  currency: z.string(),
  lines: z.array(InvoiceLine),
  /** The sum of the lines. */
  total: z.int(),
  amountPaid: z.int(),
  amountDue: z.int(),
  issuedAt: at,
  dueAt: at,
  paidAt: at.nullable(),
  subscriptionId: z.uuid().nullable(),
  planName: z.string(),
  buyer: z.object({ email: z.string(), name: z.string(), address: z.string() }),
  payments: z.array(Payment),
  refunds: z.array(Refund),
  /** What was refunded or is about to be, with a credit note; what it did not ask for is no part of it. */
  amountRefunded: z.int(),
  amountCredited: z.int().describe('what a change of plan gave back of it to the balance'),
  /** What can still be refunded, with what was paid from the balance. */
  refundable: z.int(),
  /** How far having it charged is; null if nobody charges it, or has not begun. */
  charge: z
    .object({
      state: z.enum(['charging', 'failed']),
      failure: z.string().nullable().describe('what the provider said'),
    })
    .nullable(),
})
export type Invoice = z.infer<typeof Invoice>

export const Subscription = z.object({
  id: z.uuid(),
  planId: z.uuid(),
  planName: z.string(),
  kind: Plan.shape.kind,
  status: SubscriptionStatus,
  suspendedFor: z.enum(SUSPENDED_FOR).nullable(),
  /** What the host gave as the reason who suspended it. */
  suspensionReason: z.string().nullable(),
  /** Null if it costs nothing and does not end by itself. */
  price: Price.nullable(),
  periodStart: at.nullable(),
  periodEnd: at.nullable().describe('of a cancelled one the end of all that is paid'),
  trialEndsAt: at.nullable(),
  cancelAtPeriodEnd: z.boolean(),
  pendingChange: z
    .object({ planName: z.string(), effectiveAt: at.nullable(), invoiceId: z.uuid().nullable() })
    .nullable(),
  pastDueSince: at.nullable(),
  payBy: at.nullable().describe('then it is suspended, or ends, unless it is paid; perhaps later'),
  /** Until then neither suspended nor ended for unpaid invoices. */
  holdUntil: at.nullable(),
  expiresAt: at.nullable(),
  /** Its trial begins once a payment method is saved, until `expiresAt`. */
  methodNeeded: z.boolean(),
  endedAt: at.nullable(),
  createdAt: at,
  /** The server that came with it. */
  server: z
    .object({
      id: z.uuid().nullable(),
      name: z.string(),
      state: z.enum(['reserved', 'waiting', 'made', 'failed', 'released']),
      refundOffered: z
        .boolean()
        .describe('it could not be made within a day: what was paid can be taken back'),
    })
    .nullable(),
  actions: SubscriptionActions,
})
export type Subscription = z.infer<typeof Subscription>

/** A provider with which an invoice can be paid. */
export const WayToPay = z.object({
  id: z.string(),
  name: z.string(),
  portal: z.boolean().describe('it has a page where customers keep payment methods'),
  autoCharge: z.boolean().describe('it can keep a payment method and charge renewals with it'),
  saveMethod: z.boolean().describe('it can keep one although nothing is paid, as before a trial'),
})
export type WayToPay = z.infer<typeof WayToPay>

/** A payment method that a provider keeps. */
export const SavedPayment = z.object({
  provider: z.string(),
  name: z.string().describe('of the provider'),
  label: z.string().describe('such as `Visa •••• 4242`'),
  expires: z.string().nullable().describe('the last month in which it works, such as `2028-04`'),
  autoCharge: z.boolean().describe('renewals are charged with it'),
})
export type SavedPayment = z.infer<typeof SavedPayment>

/** Lines of an address, without what nobody sees. */
const AddressLines = z
  .string()
  .trim()
  .max(500)
  .regex(/^(?:[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]*\n){0,7}[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]*$/u, {
    message: 'must be at most eight lines of visible characters',
  })
const TaxPlace = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]*$/u, { message: 'must be visible characters' })
/** Where the next invoices are addressed to; empty for the name alone. */
export const BillingAddress = z.strictObject({
  address: AddressLines,
  /** Where the tax is calculated for, as a code of ISO 3166-1; empty if it is not known. */
  country: z.string().regex(/^([A-Z]{2})?$/, { message: 'must be a country code of two letters' }),
  postalCode: TaxPlace(20),
  /** A state or province. */
  region: TaxPlace(60),
  /** A VAT or other tax number, which stands on the invoices. */
  taxNumber: TaxPlace(40),
})
export type BillingAddress = z.infer<typeof BillingAddress>
/** What is left out stays as it is. */
export const EditBillingAddress = BillingAddress.partial().required({ address: true })

export const Billing = z.object({
  subscriptions: z.array(Subscription),
  invoices: z.array(Invoice),
  balances: z.array(z.object({ currency: z.string(), amount: z.int() })),
  /** How to pay an invoice. */
  instructions: z.string(),
  /** Stands on one's next invoices. */
  address: z.string(),
  /** Where the tax is calculated for; empty texts are not known. */
  taxPlace: BillingAddress.omit({ address: true }),
  /** The tax depends on where one is, so that is needed. */
  taxByPlace: z.boolean(),
  /** The next invoice of a subscription waits until it is known where one is. */
  taxPlaceMissing: z.boolean(),
  /** Providers with which an invoice can be paid. */
  waysToPay: z.array(WayToPay),
  savedPayments: z.array(SavedPayment),
})
export type Billing = z.infer<typeof Billing>

/** Why a plan cannot be changed to another. */
export const CHANGE_BLOCKS = [
  'same_plan',
  'not_purchasable',
  'out_of_stock',
  'per_customer_max',
  'disk_shrink',
  'no_capacity',
  'template_not_in_plan',
  'past_due',
  'next_period_paid',
  'pending_change',
  'currency',
  'kind',
  'workload',
] as const
export type ChangeBlock = (typeof CHANGE_BLOCKS)[number]

export const PreviewChange = z.object({
  subscriptionId: z.uuid(),
  planId: z.uuid(),
  cycle: z.enum(CYCLES),
})

/** When a change of plan happens. */
export const CHANGE_MODES = ['immediate', 'at_period_end'] as const
export type ChangeMode = (typeof CHANGE_MODES)[number]

/** Only the host chooses when; left out it is as for customers. */
const mode = z.enum(CHANGE_MODES).optional()
export const PreviewChangeByHost = PreviewChange.omit({ subscriptionId: true }).extend({ mode })

export const ChangePreview = z.object({
  /** To change at the price shown; it expires after ten minutes. */
  quoteId: z.string(),
  expiresAt: at,
  mode: z.enum(CHANGE_MODES),
  effectiveAt: at,
  lines: z.array(InvoiceLine),
  /** What is given back for the rest of the period, and what the new price costs now, without tax. */
  credit: Amount,
  charge: Amount,
  dueNow: Amount,
  nextAmount: Amount,
  nextAt: at.nullable(),
  currency: z.string(),
  /** What it makes different besides what it costs. */
  effects: z.array(ChangeEffect),
  blocked: z.array(z.enum(CHANGE_BLOCKS)),
})
export type ChangePreview = z.infer<typeof ChangePreview>

export const ChangePlan = z.strictObject({
  planId: z.uuid(),
  cycle: z.enum(CYCLES),
  quoteId: z.string().max(100).optional(),
})
export type ChangePlan = z.infer<typeof ChangePlan>
export const ChangePlanByHost = ChangePlan.extend({ mode })

/** A plan as the store shows it. */
export const StorePlan = Plan.pick({
  id: true,
  name: true,
  kind: true,
  description: true,
  features: true,
  preset: true,
  prices: true,
  available: true,
}).extend({
  /** Templates, or a machine's hardware profiles. */
  templates: z.array(z.object({ id: z.uuid(), name: z.string() })),
  /** What a machine may begin with; empty for a container. */
  media: z.array(VmMedium.pick({ id: true, name: true, kind: true })),
  locations: z.array(z.string()),
})
export type StorePlan = z.infer<typeof StorePlan>
export const Store = z.object({ items: z.array(StorePlan) })

/** What is to be bought. */
export const PreviewCheckout = z.object({
  planId: z.uuid(),
  cycle: z.enum(CYCLES),
  currency: z.string().length(3).optional(),
})

export type PreviewCheckout = z.infer<typeof PreviewCheckout>

/** What a purchase costs now, with its tax. */
export const CheckoutPreview = z.object({
  lines: z.array(InvoiceLine),
  /** The sum of the lines; pass it on to buy for no other. */
  total: z.int(),
  currency: z.string(),
  /** It begins with a trial of so many days, and nothing is to be paid now. */
  trialDays: z.int(),
  /** The trial begins only once a payment method is saved. */
  methodNeeded: z.boolean(),
})
export type CheckoutPreview = z.infer<typeof CheckoutPreview>

export const StartCheckout = z.strictObject({
  planId: z.uuid(),
  cycle: z.enum(CYCLES),
  /** May be left out if the plan is sold in one currency. */
  currency: z.string().length(3).optional(),
  /** What the preview showed as total: refused if it costs anything else now. */
  total: z.int().optional(),
  /** Only for a server plan. */
  server: z
    .strictObject({
      name: serverName,
      templateId: z.uuid(),
      location: z.string().trim().min(1).max(64).optional(),
      /** Only for a plan with a virtual machine. */
      vm: MachineAccess.extend({ mediumId: z.uuid() }).optional(),
    })
    .optional(),
})
export type StartCheckout = z.infer<typeof StartCheckout>

export const Checkout = z.object({
  id: z.uuid(),
  status: z.enum(['open', 'completed', 'expired', 'canceled']),
  /** Until then the stock and the place are kept. */
  expiresAt: at.nullable(),
  /** What is to be paid, if anything. */
  invoice: Invoice.nullable(),
  /** It is a trial that begins once a payment method is saved. */
  methodNeeded: z.boolean(),
  instructions: z.string(),
})
export type Checkout = z.infer<typeof Checkout>

export const MarkPaid = z.strictObject({
  ...{ amount: Amount.min(1), receivedAt: at.optional() },
  reference: z.string().trim().max(40).optional(),
})
export type MarkPaid = z.infer<typeof MarkPaid>

export const BillingSettings = z.strictObject({
  /** How customers pay, on invoices and at the checkout. */
  instructions: z.string().max(4000),
  /** The host's name and address, as they stand on invoices from now on. */
  sender: AddressLines,
  /** Begins the numbers of invoices. */
  invoicePrefix: z.string().regex(/^[A-Z][A-Z0-9]{0,9}$/),
  /** How long before a period begins its invoice is issued. */
  invoiceDaysAhead: z.int().min(1).max(60),
  /** How long a first invoice may stay unpaid. */
  checkoutDays: z.int().min(1).max(60),
  /** How long a renewal may stay unpaid before suspension. */
  graceDays: z.int().min(1).max(90),
  /** How long it may stay unpaid before the subscription ends. */
  terminateDays: z.int().min(15).max(365),
  /** How long the server of an ended subscription can still be brought back. */
  keepDays: z.int().min(1).max(90),
  /** What becomes of a trial at whose end nothing is paid and nobody can be charged. */
  trialEnd: z.enum(['cancel', 'past_due']),
  /** Whether a trial begins only once a payment method is saved, if a way to pay can save one. */
  trialRequiresPaymentMethod: z.boolean().default(true),
  /** Whether the server of a payment that is disputed is off. */
  suspendDisputed: z.boolean().default(true),
  /** Whose months and weeks the report of revenue counts. */
  timeZone: timeZone.default('UTC'),
  /** The same for everybody, or what a plugin calculates. */
  tax: z
    .union([
      z.strictObject({
        name: z.string().trim().min(1).max(40),
        /** In hundredths of a per cent. */
        basisPoints: z.int().min(1).max(10_000),
      }),
      z.strictObject({
        /** The id of a plugin of the kind `tax` that is turned on. */
        provider: z.string().min(1).max(60),
      }),
    ])
    .nullable(),
  /** How long after the paid period a renewal may wait for the place of its customer before it is overdue. */
  taxPlaceDays: z.int().min(1).max(90).default(3),
})
export type BillingSettings = z.infer<typeof BillingSettings>

/** For administrators: whose it is, too. */
export const ManagedSubscription = Subscription.omit({ actions: true }).extend({
  ...{ userId: z.uuid().nullable(), email: z.string() },
})
export type ManagedSubscription = z.infer<typeof ManagedSubscription>
export const ManagedInvoice = Invoice.extend({ userId: z.uuid().nullable() })
export type ManagedInvoice = z.infer<typeof ManagedInvoice>

export const EditSubscription = z.strictObject({ holdUntil: at.nullable() })

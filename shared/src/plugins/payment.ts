import { z } from 'zod'
import type { Methods } from './method.ts'

// What a plugin of the kind `payment` answers. It returns references and objects in these forms and
// never writes into our tables; what it answers is checked against the schemas here.

export const BILLING_CYCLES = [
  'weekly',
  'monthly',
  'quarterly',
  'semiannual',
  'yearly',
  'biennial',
  'triennial',
] as const
export const BillingCycle = z.enum(BILLING_CYCLES)
export type BillingCycle = z.infer<typeof BillingCycle>

/** Integer minor units, and the upper-case code of ISO 4217. */
const Amount = z.int().min(-9_999_999_999).max(9_999_999_999)
const Currency = z.string().regex(/^[A-Z]{3}$/)
/** Name of an object at the provider. */
const Ref = z.string().min(1).max(255)
const Moment = z.iso.datetime()
const Address = z.url({ protocol: /^https?$/ }).max(2000)
const Text = z.string().max(4000)
/** Idempotency key: a call repeated with it has one effect. */
const key = z.string().min(1).max(200)
/** Kept by the provider with the object and returned with it; contains the id of our installation. */
const Metadata = z.record(z.string().max(40), z.string().max(500))

export const PaymentCapabilities = z.object({
  /** Sends the buyer to a page of the provider. */
  checkout: z.boolean(),
  /** Has a page where customers keep their means of payment. */
  portal: z.boolean(),
  /** Charges a stored means of payment without the customer (`chargeInvoice`). */
  autoCharge: z.boolean(),
  trials: z.boolean(),
  proration: z.boolean(),
  refunds: z.boolean(),
  webhooks: z.boolean(),
  /** Paid outside, such as by bank transfer; an administrator confirms it. */
  offline: z.boolean(),
})

export const PaymentInfo = z.object({
  label: z.string().min(1).max(80),
  currencies: z.union([z.literal('any'), z.array(Currency).max(200)]),
  cycles: z.array(BillingCycle).max(BILLING_CYCLES.length),
  capabilities: PaymentCapabilities,
})
export type PaymentInfo = z.infer<typeof PaymentInfo>

const PaymentCustomer = z.object({
  id: z.uuid(),
  email: z.email(),
  name: z.string().max(200),
  /** What `ensureCustomer` returned before, if it did. */
  ref: Ref.nullable(),
})

const PaymentPrice = z.object({
  id: z.uuid(),
  planName: z.string().max(200),
  cycle: BillingCycle,
  currency: Currency,
  amount: Amount.min(0),
})

const PaymentLine = z.object({
  description: z.string().min(1).max(500),
  quantity: z.int().min(1).max(10_000),
  /** Of one, without tax. */
  amount: Amount,
  /** Renewed every cycle: what `ensurePrice` returned. Null for what is paid once. */
  priceRef: Ref.nullable(),
})

/** An invoice of ours that is to be paid. */
export const PaymentInvoice = z.object({
  id: z.uuid(),
  number: z.string().min(1).max(60),
  currency: Currency,
  amountDue: Amount.min(0),
  dueAt: Moment.nullable(),
  customerRef: Ref.nullable(),
})

export const PAYMENT_OBJECTS = ['subscription', 'invoice', 'checkout', 'payment'] as const
const PaymentObject = z.enum(PAYMENT_OBJECTS)

export const PaidSubscription = z.object({
  kind: z.literal('subscription'),
  ref: Ref,
  status: z.enum([
    'incomplete',
    'trialing',
    'active',
    'past_due',
    'suspended',
    'canceled',
    'expired',
  ]),
  customerRef: Ref,
  priceRef: Ref,
  periodStart: Moment,
  periodEnd: Moment,
  cancelAtPeriodEnd: z.boolean(),
  latestInvoiceRef: Ref.nullable(),
  metadata: Metadata,
})
export type PaidSubscription = z.infer<typeof PaidSubscription>

export const PaidInvoice = z.object({
  kind: z.literal('invoice'),
  ref: Ref,
  status: z.enum(['draft', 'open', 'paid', 'void', 'uncollectible']),
  subscriptionRef: Ref.nullable(),
  currency: Currency,
  subtotal: Amount,
  tax: Amount,
  total: Amount,
  amountPaid: Amount,
  paymentRef: Ref.nullable(),
  /** The provider's own page of the invoice. */
  hostedUrl: Address.nullable(),
  paidAt: Moment.nullable(),
  metadata: Metadata,
})
export type PaidInvoice = z.infer<typeof PaidInvoice>

export const PaidCheckout = z.object({
  kind: z.literal('checkout'),
  ref: Ref,
  /** `processing`: confirmed, but the money is still on its way. */
  status: z.enum(['open', 'processing', 'completed', 'expired', 'failed']),
  customerRef: Ref.nullable(),
  subscriptionRef: Ref.nullable(),
  invoiceRef: Ref.nullable(),
  paymentRef: Ref.nullable(),
  currency: Currency,
  amountTotal: Amount,
  metadata: Metadata,
})
export type PaidCheckout = z.infer<typeof PaidCheckout>

export const PaidDispute = z.object({
  ref: Ref,
  state: z.enum(['open', 'won', 'lost']),
  amount: Amount.min(0),
  /** Words for people. */
  reason: z.string().max(200),
})
export type PaidDispute = z.infer<typeof PaidDispute>

export const PaidPayment = z.object({
  kind: z.literal('payment'),
  ref: Ref,
  status: z.enum(['processing', 'succeeded', 'failed', 'refunded', 'disputed']),
  currency: Currency,
  amount: Amount,
  amountRefunded: Amount,
  /** All of its disputes, the oldest first; left out by providers that tell only the status. */
  disputes: z.array(PaidDispute).max(100).optional(),
  /** Its newest dispute, from plugins written before `disputes`: one that it replaces counts as won. */
  dispute: PaidDispute.nullish(),
  /** Words for people, if it failed. */
  failure: Text.nullable(),
  metadata: Metadata,
})
export type PaidPayment = z.infer<typeof PaidPayment>

export const PaidObject = z.discriminatedUnion('kind', [
  PaidSubscription,
  PaidInvoice,
  PaidCheckout,
  PaidPayment,
])
export type PaidObject = z.infer<typeof PaidObject>

export const PaymentEvent = z.object({
  /** Unique at the provider: the same event may come several times. */
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(100),
  occurredAt: Moment,
  /** What to `fetch`, because only that tells the present state. */
  objects: z.array(z.object({ kind: PaymentObject, ref: Ref })).max(20),
})
export type PaymentEvent = z.infer<typeof PaymentEvent>

const Nothing = z.object({})

/**
 * The methods of a payment plugin. A plugin has those that its capabilities promise; a call of
 * another is refused with the reason `unsupported`.
 */
export const PAYMENT_METHODS = {
  'payment.info': { request: Nothing, reply: PaymentInfo },
  'payment.ensureCustomer': {
    request: z.object({ customer: PaymentCustomer, key }),
    reply: z.object({ ref: Ref }),
  },
  'payment.ensurePrice': {
    request: z.object({ price: PaymentPrice, key }),
    reply: z.object({ ref: Ref }),
  },
  'payment.createCheckout': {
    request: z.object({
      customer: PaymentCustomer,
      currency: Currency,
      lines: z.array(PaymentLine).min(1).max(50),
      /** `payment` is paid once; `subscription` renews its lines with a `priceRef`. */
      mode: z.enum(['payment', 'subscription']),
      trialEnd: Moment.nullable(),
      successUrl: Address,
      cancelUrl: Address,
      expiresAt: Moment,
      /** What people write into a transfer. */
      reference: z.string().min(1).max(60),
      metadata: Metadata,
      key,
    }),
    reply: z.object({
      ref: Ref,
      /** Where the buyer pays; null if `instructions` say how. */
      redirectUrl: Address.nullable(),
      /** Markdown for the buyer; null with a `redirectUrl`. */
      instructions: Text.nullable(),
    }),
  },
  'payment.expireCheckout': { request: z.object({ ref: Ref }), reply: Nothing },
  'payment.createPortal': {
    request: z.object({ customerRef: Ref, returnUrl: Address }),
    reply: z.object({ url: Address }),
  },
  'payment.changeSubscription': {
    request: z.object({
      subscriptionRef: Ref,
      priceRef: Ref,
      /** `now` prorates if the provider can. */
      when: z.enum(['now', 'period_end']),
      key,
    }),
    reply: PaidSubscription,
  },
  'payment.cancel': {
    request: z.object({ subscriptionRef: Ref, when: z.enum(['now', 'period_end']), key }),
    reply: PaidSubscription,
  },
  'payment.resume': {
    request: z.object({ subscriptionRef: Ref, key }),
    reply: PaidSubscription,
  },
  /** `paused`: nothing is collected, and periods that begin meanwhile are not billed. */
  'payment.pauseCollection': {
    request: z.object({ subscriptionRef: Ref, paused: z.boolean(), key }),
    reply: PaidSubscription,
  },
  'payment.chargeInvoice': {
    request: z.object({ invoice: PaymentInvoice, metadata: Metadata, key }),
    reply: PaidPayment,
  },
  /** How to pay an invoice of ours: a page of the provider or instructions. */
  'payment.payInvoice': {
    request: z.object({
      invoice: PaymentInvoice,
      successUrl: Address,
      cancelUrl: Address,
      metadata: Metadata,
      key,
    }),
    reply: z.object({
      ref: Ref.nullable(),
      redirectUrl: Address.nullable(),
      instructions: Text.nullable(),
    }),
  },
  'payment.refund': {
    request: z.object({
      paymentRef: Ref,
      currency: Currency,
      amount: Amount.min(1),
      key,
    }),
    reply: z.object({ ref: Ref, status: z.enum(['pending', 'succeeded', 'failed']) }),
  },
  /** The only source of a state. Null if there is no such object. */
  'payment.fetch': {
    request: z.object({ kind: PaymentObject, ref: Ref }),
    reply: z.object({ object: PaidObject.nullable() }),
  },
  /** Refused with the code `bad_signature` if it does not come from the provider or is too old. */
  'payment.verifyWebhook': {
    request: z.object({
      headers: z.record(z.string().max(100), z.string().max(8000)),
      /** The exact bytes. */
      bodyBase64: z.base64().max(1_500_000),
      now: Moment,
    }),
    reply: z.object({ events: z.array(PaymentEvent).max(50) }),
  },
} as const satisfies Methods

/** What a method is given. */
export type PaymentRequest<Method extends keyof typeof PAYMENT_METHODS> = z.output<
  (typeof PAYMENT_METHODS)[Method]['request']
>

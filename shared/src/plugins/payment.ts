import { z } from 'zod'
import type { Methods } from './method.ts'

// What a plugin of the kind `payment` answers. It returns references and objects in these forms and
// never writes into our tables; what it answers is checked against the schemas here.

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
/** Kept by the provider with the object and returned with it: ids of ours, which no other installation has. */
const Metadata = z.record(z.string().max(40), z.string().max(500))

/** What a way to pay can do beyond taking a payment; its manifest says so. */
export const PAYMENT_ABILITIES = [
  /** Has a page where customers keep their payment methods (`createPortal`). */
  'portal',
  /** Keeps payment methods and charges them without the customer (`savedMethod`, `chargeInvoice`, …). */
  'autoCharge',
  /** With `autoCharge`: keeps a payment method although nothing is paid (`saveMethod`). */
  'saveMethod',
] as const
export type PaymentAbility = (typeof PAYMENT_ABILITIES)[number]

const PaymentCustomer = z.object({
  id: z.uuid(),
  email: z.email(),
  name: z.string().max(200),
  /** What `ensureCustomer` returned before, if it did. */
  ref: Ref.nullable(),
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

const PAYMENT_OBJECTS = ['checkout', 'payment'] as const
const PaymentObject = z.enum(PAYMENT_OBJECTS)

/** A payment method that a provider keeps. */
export const SavedMethod = z.object({
  /** For people, such as `Visa •••• 4242`. */
  label: z.string().min(1).max(80),
  /** The last month in which it works, such as `2028-04`; null if it does not expire. */
  expires: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .nullable(),
})
export type SavedMethod = z.infer<typeof SavedMethod>

/**
 * A page of the provider on which somebody pays, or has a payment method kept: what counts is the payment
 * or the customer that it led to.
 */
export const PaidCheckout = z.object({
  kind: z.literal('checkout'),
  ref: Ref,
  /** Null as long as there is none. */
  paymentRef: Ref.nullable(),
  /** Whose payment method it has kept, if it was a page of `saveMethod`. */
  savedFor: Ref.nullish(),
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

export const PaidObject = z.discriminatedUnion('kind', [PaidCheckout, PaidPayment])
export type PaidObject = z.infer<typeof PaidObject>

export const PaymentEvent = z.object({
  /** Unique at the provider: the same event may come several times. */
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(100),
  occurredAt: Moment,
  /**
   * What to `fetch`, because only that tells the present state. Plugins of before also named
   * subscriptions and invoices of the provider, which are passed over.
   */
  objects: z
    .array(z.object({ kind: z.enum([...PAYMENT_OBJECTS, 'subscription', 'invoice']), ref: Ref }))
    .max(20),
})
export type PaymentEvent = z.infer<typeof PaymentEvent>

const Nothing = z.object({})

/**
 * The methods of a payment plugin. `payInvoice`, `fetch` and `verifyWebhook` are what a provider needs;
 * the abilities of its manifest say which others there are, and a call of another is refused with the
 * reason `unsupported`.
 */
export const PAYMENT_METHODS = {
  /** With one of the abilities: makes the provider know a customer, or what is new of them. */
  'payment.ensureCustomer': {
    request: z.object({ customer: PaymentCustomer, key }),
    reply: z.object({ ref: Ref }),
  },
  /** `portal`: where this customer keeps payment methods. */
  'payment.createPortal': {
    request: z.object({ customerRef: Ref, returnUrl: Address }),
    reply: z.object({ url: Address }),
  },
  /** `autoCharge`: the payment method that `chargeInvoice` would charge. */
  'payment.savedMethod': {
    request: z.object({ customerRef: Ref }),
    reply: z.object({ method: SavedMethod.nullable() }),
  },
  /** `saveMethod`: a page on which this customer has a payment method kept, without paying anything. */
  'payment.saveMethod': {
    request: z.object({
      customerRef: Ref,
      /** What it is charged in later. */
      currency: Currency,
      successUrl: Address,
      cancelUrl: Address,
      metadata: Metadata,
    }),
    reply: z.object({ url: Address }),
  },
  /** `autoCharge`: removes all payment methods of this customer. */
  'payment.forgetMethods': { request: z.object({ customerRef: Ref }), reply: Nothing },
  /**
   * `autoCharge`: charges the saved payment method now. What was charged with this `key` before is
   * returned as it stands, also days later and if it failed: nothing is charged twice. Refused with the
   * code `no_payment_method` if nothing is saved.
   */
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
      /** `autoCharge`: keep the payment method for `chargeInvoice`; the customer agreed. */
      save: z.boolean(),
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

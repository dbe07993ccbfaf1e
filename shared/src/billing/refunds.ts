import { z } from 'zod'
import { Amount } from './money.ts'

/** Where money goes back to: through the provider that took it, by the host's own hands, or to the balance. */
const RETURN_WAYS = ['provider', 'host', 'balance'] as const
/** A dispute is decided between the customer's bank and the provider. */
export const REFUND_WAYS = [...RETURN_WAYS, 'dispute'] as const
/**
 * Until its provider answers a refund is pending, like a dispute that is open. One that succeeded has a
 * credit note, which no longer counts once the money came back: then it is reversed.
 */
export const REFUND_STATES = ['pending', 'succeeded', 'failed', 'reversed'] as const
export type RefundState = (typeof REFUND_STATES)[number]

export const Refund = z.object({
  id: z.uuid(),
  /** Of its credit note. */
  number: z.string().nullable(),
  amount: z.int(),
  way: z.enum(REFUND_WAYS),
  state: z.enum(REFUND_STATES),
  reason: z.string(),
  /** Why the provider did not do it; only the host reads it. */
  failure: z.string().nullable(),
  createdAt: z.iso.datetime(),
})
export type Refund = z.infer<typeof Refund>

const reason = z.string().trim().max(200)

export const RefundInvoice = z.strictObject({
  amount: Amount.min(1),
  way: z.enum(RETURN_WAYS),
  /** The payment that goes back; only through its provider. */
  paymentId: z.uuid().optional(),
  reason: reason.optional(),
  /** What becomes of the subscription. */
  subscription: z.enum(['keep', 'end_of_period', 'now']),
})
export type RefundInvoice = z.infer<typeof RefundInvoice>

export const RefundSubscription = z.strictObject({
  /** Where money goes that no provider can return. */
  rest: z.enum(['host', 'balance']),
})

/**
 * The tax in a refund, so that the parts of an invoice that go back one after the other contain
 * together exactly its tax. Halves are rounded up.
 * @param before what was refunded of it earlier
 */
export function taxInRefund(given: {
  readonly gross: number
  readonly tax: number
  readonly before: number
  readonly amount: number
}): number {
  const { gross, tax, before, amount } = given
  if (gross <= 0 || before < 0 || amount < 0 || before + amount > gross)
    throw new RangeError('A refund is between nothing and the whole')
  const whole = BigInt(gross)
  const upTo = (part: number) => (BigInt(tax) * BigInt(part) * 2n + whole) / (whole * 2n)
  return Number(upTo(before + amount) - upTo(before))
}

type Moves = { readonly [From in RefundState]: readonly RefundState[] }
const MOVES: Moves = {
  pending: ['succeeded', 'failed'],
  succeeded: ['reversed'],
  failed: [],
  reversed: [],
}

/** Whether a refund may come from one state into another. */
export const refundMayBecome = (from: RefundState, to: RefundState): boolean =>
  MOVES[from].includes(to)

import { hasPermission } from '../../actor.ts'
import type { Resource } from '../../http/access.ts'
import { findInvoice, type InvoiceRow } from './invoice-store.ts'
import { findRefund, type RefundRow } from './refunds/refund-store.ts'
import { findSubscription, type SubscriptionRow } from './subscription-store.ts'

/** One's own subscription. */
export const ownSubscription: Resource<'subscription', SubscriptionRow, never> = {
  name: 'subscription',
  loads: (ctx, id) => findSubscription(ctx.db, id),
  permits: (actor, { userId }) => actor.id === userId,
}

export const subscription: Resource<'subscription', SubscriptionRow, never> = {
  name: 'subscription',
  loads: (ctx, id) => findSubscription(ctx.db, id),
  permits: (actor) => actor.role === 'admin',
}

export const invoice: Resource<'invoice', InvoiceRow, never> = {
  name: 'invoice',
  loads: (ctx, id) => findInvoice(ctx.db, id),
  permits: (actor) => actor.role === 'admin',
}

/** One's own invoice. */
export const ownInvoice: Resource<'invoice', InvoiceRow, never> = {
  name: 'invoice',
  loads: (ctx, id) => findInvoice(ctx.db, id),
  permits: (actor, { userId }) => actor.id === userId,
}

/** An invoice, readable by its payer and by the host. */
export const readableInvoice: Resource<'invoice', InvoiceRow, never> = {
  name: 'invoice',
  loads: (ctx, id) => findInvoice(ctx.db, id),
  permits: (actor, { userId }) => actor.id === userId || hasPermission(actor, 'billing.view'),
}

interface CreditNote {
  readonly refund: RefundRow
  readonly invoice: InvoiceRow
}

/** The credit note of a successful refund, readable by the payer of the invoice and by the host. */
export const creditNote: Resource<'creditNote', CreditNote, never> = {
  name: 'creditNote',
  loads: async (ctx, id) => {
    const refund = await findRefund(ctx.db, id)
    const invoice = refund?.number ? await findInvoice(ctx.db, refund.invoiceId) : undefined
    return refund && invoice && { refund, invoice }
  },
  permits: (actor, { invoice }) => readableInvoice.permits(actor, invoice, undefined),
}

import { Billing, ChangePlan, ChangePreview, PreviewChange } from '@lodge/shared/billing/billing.ts'
import { PaidAll, PayAll } from '@lodge/shared/billing/pay-all.ts'
import { z } from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { notFound } from '../../../problem.ts'
import { ownInvoice, ownSubscription } from '../access.ts'
import { billingBudgets } from '../budgets.ts'
import { cancelSubscription as cancel, resumeSubscription as resume } from '../cancel.ts'
import { changePlan, previewChange as preview } from '../change.ts'
import { chargeNow } from '../charges/charge-again.ts'
import { payAll } from '../providers/pay-all.ts'
import { payWith } from '../providers/pay-with.ts'
import { takeBack } from '../refunds/undelivered.ts'
import { findSubscription } from '../subscription-store.ts'
import { showBilling as show } from '../view.ts'
import { billingPage } from './billing-page.ts'

const own = { who: 'user', own: true, on: ownSubscription } as const

export const showBilling = get('/api/billing', {
  summary: 'Own subscriptions and invoices, and what may be done with them',
  access: { who: 'user', whileSuspended: 'signed-in' },
  reply: Billing,
  handle: ({ ctx }) => show(ctx, ctx.actor.id),
})

export const previewPlanChange = get('/api/billing/preview-change', {
  summary: 'What a change of plan costs and when it happens, without doing it',
  access: { who: 'user', throttle: billingBudgets.preview },
  query: PreviewChange,
  reply: ChangePreview,
  waits: true,
  handle: async ({ ctx, query }) => {
    const row = await findSubscription(ctx.db, query.subscriptionId)
    if (row?.userId !== ctx.actor.id) throw notFound('subscription')
    return preview(ctx, ctx.now, row, query)
  },
})

export const cancelSubscription = post('/api/billing/subscriptions/{id}/cancel', {
  summary: 'Cancel at the end of the paid time; what is not paid ends at once',
  access: own,
  reply: Billing,
  recorded: 'cancelled a subscription',
  handle: async ({ ctx, subscription }) => {
    await cancel(ctx, ctx.now, subscription)
    return show(ctx, ctx.actor.id)
  },
})

export const resumeSubscription = post('/api/billing/subscriptions/{id}/resume', {
  summary: 'Undo a cancellation before the paid time ends',
  access: own,
  reply: Billing,
  recorded: 'resumed a subscription',
  handle: async ({ ctx, subscription }) => {
    await resume(ctx, ctx.now, subscription)
    return show(ctx, ctx.actor.id)
  },
})

export const takeBackPayment = post('/api/billing/subscriptions/{id}/take-back', {
  summary: 'Take back what was paid for a server that could not be made within a day, and end it',
  access: own,
  reply: Billing,
  recorded: 'took back what they paid for a server',
  handle: async ({ ctx, subscription }) => {
    await takeBack(ctx, subscription)
    return show(ctx, ctx.actor.id)
  },
})

export const changeSubscription = post('/api/billing/subscriptions/{id}/change', {
  summary: 'Move to another plan or cycle: upwards once it is paid, downwards with the next period',
  access: own,
  body: ChangePlan,
  reply: Billing,
  recorded: 'changed the plan of a subscription',
  handle: async ({ ctx, subscription, body }) => {
    await changePlan(ctx, ctx.now, subscription, body)
    return show(ctx, ctx.actor.id)
  },
})

export const payInvoice = post('/api/billing/invoices/{id}/pay', {
  summary: 'Where or how an open invoice is paid with a provider',
  access: {
    ...{ who: 'user', own: true, on: ownInvoice, whileSuspended: 'signed-in' },
    throttle: billingBudgets.payInvoice,
  },
  body: z.strictObject({
    provider: z.string().min(1).max(100),
    save: z
      .boolean()
      .optional()
      .describe('keep the payment method at the provider, and charge renewals with it'),
  }),
  reply: z.object({
    redirectUrl: z.string().nullable(),
    /** In Markdown. */
    instructions: z.string().nullable(),
    instructionsHtml: z.string().nullable(),
  }),
  waits: true,
  recorded: false,
  handle: async ({ ctx, invoice, body, http }) => {
    const billingUrl = await billingPage(ctx, http.request)
    const { userId } = invoice
    const { provider, save = false } = body
    return payWith(ctx, invoice, { userId, provider, billingUrl, save })
  },
})

export const retryInvoice = post('/api/billing/invoices/{id}/retry', {
  summary: 'Charge an open invoice with the saved payment method, also after a charge was declined',
  access: {
    ...{ who: 'user', own: true, on: ownInvoice, whileSuspended: 'signed-in' },
    throttle: billingBudgets.payInvoice,
  },
  reply: Billing,
  recorded: 'had an invoice charged',
  handle: async ({ ctx, invoice }) => {
    await chargeNow(ctx, ctx.now, invoice)
    return show(ctx, ctx.actor.id)
  },
})

export const payAllInvoices = post('/api/billing/pay-all', {
  summary: 'Pay all open invoices: from the balance, with the saved payment method, or in one sum',
  access: { who: 'user', whileSuspended: 'signed-in', throttle: billingBudgets.payInvoice },
  body: PayAll,
  reply: PaidAll,
  waits: true,
  recorded: 'asked to pay all open invoices',
  handle: async ({ ctx, body, http }) =>
    payAll(ctx, ctx.now, body, await billingPage(ctx, http.request)),
})

import { ManagedInvoice, ManagedSubscription } from '@lodge/shared/billing/billing.ts'
import { RefundInvoice, RefundSubscription } from '@lodge/shared/billing/refunds.ts'
import { get, post } from '../../../http/endpoint.ts'
import { panelName } from '../../auth/index.ts'
import { invoice as anyInvoice, subscription as anySubscription, creditNote } from '../access.ts'
import { billingBudgets } from '../budgets.ts'
import { paperOfCreditNote } from '../pdf/credit-note-paper.ts'
import { sendPaper } from '../pdf/send.ts'
import { refundInvoice as refund } from '../refunds/refund.ts'
import { refundSubscription as refundAll } from '../refunds/refund-subscription.ts'
import { oneInvoice, oneSubscription } from './for-host.ts'

const access = { who: 'admin', may: 'billing.refund' } as const

export const refundInvoice = post('/api/billing/invoices/{id}/refund', {
  summary: 'Refund a paid invoice in whole or in part, with a credit note',
  access: { ...access, on: anyInvoice, stepUp: true },
  body: RefundInvoice,
  reply: ManagedInvoice,
  recorded: 'refunded an invoice',
  handle: async ({ ctx, invoice, body }) => {
    await refund(ctx, ctx.now, invoice, body)
    return oneInvoice(ctx, invoice.id)
  },
})

export const refundSubscription = post('/api/billing/subscriptions/{id}/refund', {
  summary: 'Refund all that was paid for a server that could not be created, and end it',
  access: { ...access, on: anySubscription, stepUp: true },
  body: RefundSubscription,
  reply: ManagedSubscription,
  recorded: 'refunded and ended a subscription',
  handle: async ({ ctx, subscription, body }) => {
    await refundAll(ctx, ctx.now, subscription, body.rest)
    return oneSubscription(ctx, subscription.id)
  },
})

export const printCreditNote = get('/api/billing/credit-notes/{id}/pdf', {
  summary: 'The credit note of a refund as PDF, for its customer and the host',
  access: {
    ...{ who: 'user', on: creditNote, whileSuspended: 'signed-in' },
    throttle: billingBudgets.paper,
  },
  streams: 'application/pdf',
  handle: async ({ ctx, creditNote: { refund, invoice }, http }) => {
    const name = await ctx.catalogue.answers.to(panelName)(ctx.db)
    await sendPaper(http.reply, paperOfCreditNote(refund, invoice, name))
  },
})

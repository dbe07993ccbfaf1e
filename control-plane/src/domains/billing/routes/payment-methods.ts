import { Billing } from '@lodge/shared/billing/billing.ts'
import { z } from 'zod'
import { del, post, put } from '../../../http/endpoint.ts'
import { billingBudgets } from '../budgets.ts'
import { portalOf, removeMethods, savingPage, setAutoCharge } from '../providers/saved-methods.ts'
import { showBilling } from '../view.ts'
import { billingPage } from './billing-page.ts'

const provider = z.string().min(1).max(100)
const own = {
  who: 'user',
  whileSuspended: 'signed-in',
  throttle: billingBudgets.payInvoice,
} as const

export const openPortal = post('/api/billing/portal', {
  summary: 'Where payment methods are kept: a page of a provider, or the panel’s own',
  access: own,
  query: z.strictObject({
    provider: provider.optional().describe('one of those with `portal`; any of them if left out'),
  }),
  reply: z.object({ url: z.string() }),
  waits: true,
  recorded: false,
  handle: async ({ ctx, query, http }) => ({
    url: await portalOf(ctx, query.provider, await billingPage(ctx, http.request)),
  }),
})

export const savePaymentMethod = post('/api/billing/payment-methods/{provider}', {
  summary: 'Where one has a payment method saved without paying anything, as before a trial',
  access: own,
  reply: z.object({ url: z.string() }),
  waits: true,
  recorded: false,
  handle: async ({ ctx, params, http }) => ({
    url: await savingPage(ctx, params.provider, await billingPage(ctx, http.request)),
  }),
})

export const setPaymentMethod = put('/api/billing/payment-methods/{provider}', {
  summary: 'Whether renewals are charged with the payment method that a provider keeps',
  access: own,
  body: z.strictObject({ autoCharge: z.boolean() }),
  reply: Billing,
  waits: true,
  recorded: 'changed how their renewals are paid',
  handle: async ({ ctx, params, body }) => {
    await setAutoCharge(ctx, params.provider, body.autoCharge)
    return showBilling(ctx, ctx.actor.id)
  },
})

export const removePaymentMethod = del('/api/billing/payment-methods/{provider}', {
  summary: 'Have a provider forget one’s payment methods; nothing more is charged from now on',
  access: own,
  reply: Billing,
  waits: true,
  recorded: 'removed their saved payment method',
  handle: async ({ ctx, params }) => {
    await removeMethods(ctx, params.provider)
    return showBilling(ctx, ctx.actor.id)
  },
})

import {
  Checkout,
  CheckoutPreview,
  PreviewCheckout,
  StartCheckout,
  Store,
} from '@lodge/shared/billing/billing.ts'
import { z } from 'zod'
import { del, get, post } from '../../../http/endpoint.ts'
import { ownSubscription } from '../access.ts'
import { billingBudgets } from '../budgets.ts'
import {
  cancelCheckout,
  previewCheckout as preview,
  showCheckout,
  startCheckout as start,
} from '../checkout.ts'
import { showStore as plansFor } from '../storefront.ts'

const query = z.object({
  /** The id of a plan that is sold only through its link. */
  plan: z.uuid().optional(),
})

export const showStore = get('/api/store', {
  summary: 'The plans that everybody can buy, with prices and what is left',
  access: { who: 'anyone' },
  query,
  reply: Store,
  handle: async ({ ctx, query }) => ({ items: await plansFor(ctx, ['public'], query.plan) }),
})

export const showOwnStore = get('/api/me/store', {
  summary: 'The plans that who is signed in can buy, with prices and what is left',
  access: { who: 'user' },
  query,
  reply: Store,
  handle: async ({ ctx, query }) => ({
    items: await plansFor(ctx, ['public', 'customers'], query.plan),
  }),
})

export const previewCheckout = get('/api/store/preview-checkout', {
  summary: 'What a purchase costs now, with the tax on it, without buying anything',
  access: { who: 'user', throttle: billingBudgets.preview },
  query: PreviewCheckout,
  reply: CheckoutPreview,
  waits: true,
  handle: ({ ctx, query }) => preview(ctx, ctx.now, query),
})

export const startCheckout = post('/api/store/checkout', {
  summary: 'Buy a plan; what it needs is kept until the first invoice is paid or overdue',
  access: { who: 'user', throttle: billingBudgets.checkout },
  body: StartCheckout,
  reply: Checkout,
  status: 201,
  recorded: 'bought a plan',
  handle: ({ ctx, body }) => start(ctx, ctx.now, body),
})

export const readCheckout = get('/api/store/checkouts/{id}', {
  summary: 'How a purchase stands',
  access: { who: 'user', own: true, on: ownSubscription },
  reply: Checkout,
  handle: ({ ctx, subscription }) => showCheckout(ctx, subscription),
})

export const dropCheckout = del('/api/store/checkouts/{id}', {
  summary: 'Give up a purchase that is not paid yet',
  access: { who: 'user', own: true, on: ownSubscription },
  recorded: 'gave up a purchase',
  handle: ({ ctx, subscription }) => cancelCheckout(ctx, ctx.now, subscription),
})

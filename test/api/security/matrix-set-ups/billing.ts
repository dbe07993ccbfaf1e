import { invoiceOf, planForSale, subscriptionOf } from '../../support/billing-things.ts'
import type { SetUps } from './set-up.ts'

/** The caller's subscription whose change is previewed. */
const PREVIEWED = '0b120000-0000-7000-8000-000000000001'

/** The plan whose price is previewed. */
const OFFERED = '0b120000-0000-7000-8000-000000000002'

/** Purchases, subscriptions and their changes. */
export const billingSetUps: SetUps = {
  'POST /api/store/checkout': async ({ ground: { lodge } }) => ({
    body: { planId: await planForSale(lodge), cycle: 'monthly' },
  }),
  'GET /api/store/preview-checkout': async ({ ground: { lodge } }) => {
    const { rows } = await lodge.database.pool.query('select from plans where id = $1', [OFFERED])
    if (rows.length === 0) await planForSale(lodge, OFFERED)
    return {}
  },
  'DELETE /api/store/checkouts/{id}': async ({ ground: { lodge }, params }) => {
    await lodge.database.pool.query(
      `update subscriptions set status = 'incomplete' where id = $1`,
      [params.id],
    )
    return {}
  },
  'GET /api/billing/preview-change': async ({ ground: { lodge }, who }) => {
    await lodge.database.pool.query('delete from subscriptions where id = $1', [PREVIEWED])
    await subscriptionOf(lodge, who.caller.id, PREVIEWED)
    return {}
  },
  'POST /api/billing/subscriptions/{id}/change-plan': async ({ ground: { lodge } }) => ({
    body: { planId: await planForSale(lodge), cycle: 'monthly' },
  }),
  'POST /api/billing/pay-all': async ({ ground: { lodge }, who }) => {
    await invoiceOf(lodge, who.caller.id)
    return { body: {} }
  },
  'POST /api/billing/subscriptions': async ({ ground: { lodge } }) => ({
    body: {
      ...{ userId: (await lodge.customer()).id, planId: await planForSale(lodge), price: null },
    },
  }),
  'POST /api/billing/subscriptions/{id}/unsuspend': async ({ ground: { lodge }, params }) => {
    await lodge.database.pool.query(
      `update subscriptions set status = 'suspended', suspended_for = 'admin' where id = $1`,
      [params.id],
    )
    return {}
  },
  'POST /api/billing/subscriptions/{id}/change': async ({ ground: { lodge } }) => ({
    body: { planId: await planForSale(lodge), cycle: 'monthly' },
  }),
}

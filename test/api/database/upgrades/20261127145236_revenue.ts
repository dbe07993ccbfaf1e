import { expect } from 'vitest'
import { ADMIN_COOKIE, KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

const id = (end: string) => `0be70000-0000-7000-8000-0000000000${end}`
const PLAN = id('01')
const [YEARLY, MONTHLY] = [id('02'), id('03')]

const subscription = (own: string, price: string, status: string, more: object = {}) => {
  const row = { anchor: '2026-03-01', ...more }
  return `insert into subscriptions (id, user_id, plan_id, price_id, status, ${Object.keys(row).join(', ')})
    values ('${own}', '${KNOWN.customer}', '${PLAN}', '${price}', '${status}', ${Object.values(row)
      .map((value) => (value === null ? 'null' : `'${value}'`))
      .join(', ')})`
}
const paid = (own: string, kind: string, at: string) =>
  `insert into invoices (id, number, user_id, subscription_id, plan_name, buyer, kind, status, currency, lines, total, issued_at, due_at, paid_at)
   values (gen_random_uuid(), gen_random_uuid(), '${KNOWN.customer}', '${own}', 'Plan', '{"email": "a@example.com", "name": ""}',
     '${kind}', 'paid', 'EUR', '[]', 0, '${at}', '${at}', '${at}')`

/** A customer's recurring revenue is known from the first payment to the end of each subscription. */
export const upgrade: Upgrade = {
  before: [
    `insert into plans (id, name, kind) values ('${PLAN}', 'Before the report of revenue', 'account')`,
    `insert into plan_prices (id, plan_id, cycle, currency, amount)
     values ('${YEARLY}', '${PLAN}', 'yearly', 'EUR', 9999), ('${MONTHLY}', '${PLAN}', 'monthly', 'EUR', 500)`,
    subscription(id('04'), YEARLY, 'active'),
    paid(id('04'), 'first', '2026-02-01'),
    paid(id('04'), 'renewal', '2026-03-01'),
    subscription(id('05'), MONTHLY, 'canceled', { ended_at: '2026-04-01' }),
    paid(id('05'), 'first', '2026-02-15'),
    // For a trial that was paid in advance, and suspended since.
    subscription(id('06'), MONTHLY, 'suspended', {
      ...{ suspended_for: 'unpaid', suspended_at: '2026-05-01', trial_ends_at: '2026-03-10' },
    }),
    paid(id('06'), 'renewal', '2026-03-03'),
    // Never paid.
    subscription(id('07'), MONTHLY, 'trialing', { anchor: null }),
    subscription(id('08'), MONTHLY, 'canceled', { anchor: null, ended_at: '2026-04-01' }),
  ],
  after: async (pool) => {
    const { rows } = await pool.query(
      `select right(subscription_id::text, 2) as own, at::date::text as at, amount::int, balance::int
       from revenue_entries where plan_id = '${PLAN}' order by id`,
    )
    expect(rows).toEqual([
      { own: '04', at: '2026-02-01', amount: 833, balance: 833 },
      { own: '05', at: '2026-02-15', amount: 500, balance: 1333 },
      { own: '06', at: '2026-03-10', amount: 500, balance: 1833 },
      { own: '05', at: '2026-04-01', amount: -500, balance: 1333 },
      { own: '06', at: '2026-05-01', amount: -500, balance: 833 },
    ])
  },
  works: async (lodge) => {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const { currencies } = await admin.must('GET /api/billing/revenue', {
      query: { from: '2026-01-01', to: '2026-06-30', currency: 'EUR' },
    })
    expect(currencies[0]?.periods.map(({ recurring }) => recurring.end)).toEqual([
      ...[0, 1333, 1833, 1333, 833, 833],
    ])
    expect(currencies[0]?.total.recurring).toMatchObject({
      new: 833,
      expansion: 1000,
      contraction: 1000,
    })
  },
}

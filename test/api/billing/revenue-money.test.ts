import { randomUUID } from 'node:crypto'
import type { PaidPayment } from '@lodge/shared/plugins/payment.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contextFor } from '../../../control-plane/src/context.ts'
import { recordPayment } from '../../../control-plane/src/domains/billing/pay.ts'
import { reconcile } from '../../../control-plane/src/domains/billing/reconcile.ts'
import { takeDisputes } from '../../../control-plane/src/domains/billing/refunds/disputes.ts'
import { takeRefunded } from '../../../control-plane/src/domains/billing/refunds/project-refunds.ts'
import { paymentNamed } from '../../../control-plane/src/domains/billing/refunds/refund-store.ts'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { at, revenueWorld, ZONE } from './revenue-world.ts'

// Money that moved without a credit note, and changes that no code recorded for the report.

let lodge: Lodge
let admin: Caller
let world: ReturnType<typeof revenueWorld>
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  world = revenueWorld(lodge, admin)
  const settings = await admin.must('GET /api/billing/settings')
  await admin.must('PUT /api/billing/settings', { body: { ...settings, timeZone: ZONE } })
})
afterAll(() => lodge[Symbol.asyncDispose]())

const PROVIDER = 'far-away'
/** Each try has a currency of its own, since the report adds up all amounts of a currency. */
const unused = ['NOK', 'SEK', 'DKK', 'CZK']
const host = () => contextFor(lodge.controlPlane.services, { kind: 'system' } as const)
const sells = (currency: string, amounts: readonly number[]) =>
  Promise.all(amounts.map((amount) => world.plan([{ cycle: 'monthly', amount, currency }])))
async function months(currency: string) {
  const { currencies } = await world.report(at('2027-06-20 12:00'), {
    ...{ from: '2027-01-01', to: '2027-06-20', currency },
  })
  return currencies[0]?.periods ?? []
}

test('a balance reduced because its payment was refunded counts as a refund of that month, permanently', async () => {
  const currency = unused.shift() ?? ''
  const [planId = ''] = await sells(currency, [1000])
  const { id: userId } = await lodge.customer()
  const { id, invoiceId } = await world.buy(userId, planId, 'monthly', at('2027-01-10 12:00'))
  const ref = `again:${randomUUID()}`
  await recordPayment(host(), at('2027-01-11 12:00'), invoiceId, {
    ...{ amount: 5000, receivedAt: at('2027-01-11 12:00'), reference: '', provider: PROVIDER },
    externalRef: ref,
  })
  await takeRefunded(host(), at('2027-02-01 00:30'), PROVIDER, ref, 700)
  const disputed = async (state: 'lost' | 'won', now: Date) => {
    const payment = await paymentNamed(host().db, PROVIDER, ref)
    if (!payment) throw new Error('no payment')
    await takeDisputes(host(), now, payment, {
      ...{ kind: 'payment', ref, status: 'disputed', amount: 5000, amountRefunded: 700 },
      ...{ currency, failure: null, metadata: {} },
      dispute: { ref: 'dp', state, amount: 3000, reason: '' },
    } satisfies PaidPayment)
  }
  await disputed('lost', at('2027-03-05 12:00'))
  const money = async () =>
    (await months(currency)).map((one) => `${one.paid} ${one.refunded} ${one.credited}`)
  const [before, after] = [
    ['6000 0 0', '0 700 0', '0 3000 0', '0 0 0', '0 0 0', '0 0 0'],
    // The credit note of 10.00 no longer counts; the held amount returned in May.
    ['6000 0 0', '0 700 0', '0 2000 0', '0 0 0', '0 -2000 0', '0 0 0'],
  ]
  const inCreditNotes = async () => (await months(currency)).map((one) => one.creditNotes.net)
  expect(await money()).toEqual(before)
  expect(await inCreditNotes()).toEqual([0, 0, 1000, 0, 0, 0])
  await disputed('won', at('2027-05-05 12:00'))
  expect(await money()).toEqual(after)
  expect(await inCreditNotes()).toEqual([0, 0, 0, 0, 0, 0])
  await admin.must('POST /api/billing/subscriptions/{id}/cancel-now', { params: { id } })
  await admin.must('DELETE /api/customers/{id}', { params: { id: userId } })
  expect(await money()).toEqual(after)
  const { body } = await admin.send({
    method: 'GET',
    url: `/api/billing/revenue.csv?currency=${currency}`,
  })
  expect(body).toContain(',refunded,credited,')
})

test('changes made by the release before the report are added automatically, once', async () => {
  const currency = unused.shift() ?? ''
  const [small = '', large = ''] = await sells(currency, [1000, 4000])
  const { pool } = lodge.database
  const [grows, stops, lacks, stays, leaves] = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const { id: userId } = await lodge.customer()
      return { userId, ...(await world.buy(userId, small, 'monthly', at('2027-01-10 12:00'))) }
    }),
  )
  if (!grows || !stops || !lacks || !stays || !leaves) throw new Error('a customer is missing')
  await pool.query(
    `update subscriptions set price_id = (select id from plan_prices where plan_id = $1), plan_id = $1 where id = $2`,
    [large, grows.id],
  )
  await pool.query(`update subscriptions set status = 'canceled' where id = $1`, [stops.id])
  await pool.query('delete from revenue_entries where subscription_id = $1', [lacks.id])
  await pool.query(
    'update invoices set subscription_id = null, user_id = null where user_id = $1',
    [leaves.userId],
  )
  await pool.query('delete from subscriptions where id = $1', [leaves.id])
  await pool.query('delete from users where id = $1', [leaves.userId])

  const run = () => reconcile(lodge.controlPlane.services, undefined, at('2027-03-10 12:00'))
  const added = await Promise.all([run(), run()])
  const sum = (name: 'recorded' | 'ended') => added.reduce((all, one) => all + one[name], 0)
  expect(sum('recorded')).toBe(3)
  expect(await run()).toEqual({ recorded: 0, ended: 0, noted: 0 })
  const { rows } = await pool.query<{ of: string; amounts: number[] }>(
    `select subscription_id as of, array_agg(amount::int order by id) as amounts
     from revenue_entries where currency = $1 group by 1`,
    [currency],
  )
  const amounts = new Map(rows.map((row) => [row.of, row.amounts]))
  expect([grows, stops, lacks, stays, leaves].map(({ id }) => amounts.get(id))).toEqual([
    [1000, -1000, 4000],
    [1000, -1000],
    [1000],
    [1000],
    [1000, -1000],
  ])
  const { recurring, customers } = (await months(currency))[2] ?? {}
  expect([recurring?.end, customers?.end]).toEqual([6000, 3])
})

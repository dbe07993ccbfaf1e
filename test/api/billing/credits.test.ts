import { randomUUID } from 'node:crypto'
import { type Cycle, periodEnd } from '@lodge/shared/billing/cycles.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceDue } from '../../../control-plane/src/domains/billing/advance.ts'
import { projectEvents } from '../../../control-plane/src/domains/billing/providers/project.ts'
import { newKey, publicKeyOf } from '../../../plugins/sdk/pack.ts'
import type { Caller } from '../../support/caller.ts'
import { addProvider } from '../../support/plugin.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { TOLD_PROVIDER } from './told-provider.ts'

// What changes of plan give back of a paid period: never more than was paid, and never twice.

const key = newKey()
let lodge: Lodge
let admin: Caller
let planId: string
beforeAll(async () => {
  lodge = await startLodge({ environment: { LODGE_PLUGIN_KEYS: publicKeyOf(key) } })
  admin = await lodge.admin()
  await addProvider(admin, 'moves-money', TOLD_PROVIDER, key)
  const amounts = { weekly: 300, monthly: 1000, yearly: 12_000, biennial: 20_000 }
  const prices = Object.entries(amounts).map(([cycle, amount]) => ({
    ...{ cycle: cycle as Cycle, amount, currency: 'EUR' },
  }))
  const body = { name: randomUUID(), kind: 'account', visibility: 'public', prices } as const
  planId = (await admin.must('POST /api/plans', { body })).id
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

const DAY_MS = 86_400_000
const paid = (id: string, amount: number) =>
  admin.must('POST /api/billing/invoices/{id}/mark-paid', { params: { id }, body: { amount } })
const refund = (id: string, amount: number) =>
  admin.call('POST /api/billing/invoices/{id}/refund', {
    ...{ params: { id }, body: { amount, way: 'host', subscription: 'keep' } },
  })
/** Somebody who bought the plan, with its invoice. */
async function buyer(cycle: Cycle = 'yearly') {
  const customer = await lodge.customer()
  const person = await lodge.session(customer.id, customer.email)
  const { id, invoice } = await person.must('POST /api/store/checkout', { body: { planId, cycle } })
  const state = async () => {
    const { subscriptions, invoices, balances } = await person.must('GET /api/billing')
    const [subscription] = subscriptions
    if (!subscription) throw new Error('no subscription')
    const invoiceOf = (of: string) => invoices.find((one) => one.id === of)
    return { ...subscription, invoices, invoiceOf, inHand: balances[0]?.amount ?? 0 }
  }
  return {
    ...{ id, first: invoice?.id ?? '', total: invoice?.total ?? 0, state },
    preview: (to: Cycle) =>
      person.must('GET /api/billing/preview-change', {
        query: { subscriptionId: id, planId, cycle: to },
      }),
    change: (to: Cycle, quoteId?: string) =>
      person.call('POST /api/billing/subscriptions/{id}/change', {
        params: { id },
        body: { planId, cycle: to, ...(quoteId !== undefined && { quoteId }) },
      }),
  }
}
/** Somebody who paid for the first period. */
async function subscriber(cycle: Cycle = 'yearly') {
  const one = await buyer(cycle)
  await paid(one.first, one.total)
  return one
}
type Subscriber = Awaited<ReturnType<typeof buyer>>

test('what a change of cycle gave back to the balance is not refunded as well, also after a suspension', async () => {
  const one = await subscriber()
  const path = { params: { id: one.id } }
  await admin.must('POST /api/billing/subscriptions/{id}/suspend', {
    ...{ ...path, body: { reason: 'Too many mails' } },
  })
  await admin.must('POST /api/billing/subscriptions/{id}/unsuspend', path)
  expect((await one.change('monthly')).status).toBe(200)
  const { invoiceOf, inHand } = await one.state()
  // The rest of the year, without the month that was bought with it.
  expect(inHand).toBeGreaterThan(10_900)
  const left = 12_000 - inHand
  expect(invoiceOf(one.first)).toMatchObject({ amountCredited: inHand, refundable: left })
  expect(await refund(one.first, left + 1)).toMatchObject({
    ...{ status: 409, body: { code: 'refund_too_much' } },
  })
  expect((await refund(one.first, left)).status).toBe(200)
  // Now the month is free.
  expect(await one.preview('weekly')).toMatchObject({ mode: 'at_period_end', lines: [] })
})

test('a credit that several invoices paid is counted against each of them', async () => {
  const one = await subscriber()
  await one.change('biennial')
  const [asked] = (await one.state()).invoices
  await paid(asked?.id ?? '', asked?.total ?? 0)
  expect((await one.change('monthly')).status).toBe(200)
  const { invoices, inHand } = await one.state()
  expect(inHand).toBeGreaterThan(18_900)
  const sum = (of: 'amountCredited' | 'refundable') =>
    invoices.reduce((total, invoice) => total + invoice[of], 0)
  expect([sum('amountCredited'), sum('refundable')]).toEqual([inHand, 20_000 - inHand])
})

test('what was refunded of a period is no credit, and one that was refunded whole is free until its end', async () => {
  const one = await subscriber()
  const { credit } = await one.preview('monthly')
  await refund(one.first, 9000)
  const rest = await one.preview('monthly')
  expect(rest.mode).toBe('immediate')
  expect(Math.abs(rest.credit - credit / 4)).toBeLessThanOrEqual(1)
  await refund(one.first, 3000)
  expect(await one.preview('monthly')).toMatchObject({
    ...{ blocked: [], mode: 'at_period_end', lines: [], credit: 0 },
  })
  // A change at once was shown before, so this is not what was agreed to.
  expect(await one.change('monthly', rest.quoteId)).toMatchObject({
    ...{ status: 409, body: { code: 'quote_expired' } },
  })
})

test('money that an unpaid change of plan counts on is refunded only once that is voided', async () => {
  const one = await subscriber('monthly')
  await one.change('yearly')
  const [asked] = (await one.state()).invoices
  expect(await refund(one.first, 1000)).toMatchObject({
    ...{ status: 409, body: { detail: expect.stringContaining(`void invoice ${asked?.number}`) } },
  })
  await admin.must('POST /api/billing/invoices/{id}/void', { params: { id: asked?.id ?? '' } })
  expect((await refund(one.first, 1000)).status).toBe(200)
  expect((await one.state()).pendingChange).toBeNull()
})

test('a lost dispute takes back from the balance what a change of plan had given there', async () => {
  const one = await buyer()
  const ref = `pay:${one.first}`
  const report = async (said: object) => {
    await lodge.anonymous().send({
      ...{ method: 'POST', url: '/api/billing/webhooks/moves-money' },
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ ref, amount: 12_000, ...said }),
    })
    await projectEvents(lodge.controlPlane.services, new Date(Date.now() + 60_000))
  }
  await report({})
  expect((await one.change('monthly')).status).toBe(200)
  const before = (await one.state()).inHand
  expect(before).toBeGreaterThan(10_900)
  const dispute = { ref: 'dp', state: 'lost', amount: 12_000, reason: 'Not received' }
  for (const _ of [1, 2]) await report({ status: 'disputed', dispute })
  const { invoiceOf, inHand } = await one.state()
  expect(inHand).toBe(0)
  expect(invoiceOf(one.first)).toMatchObject({
    ...{ amountRefunded: 12_000 - before, refundable: 0 },
    payments: [{ refunded: 12_000, fromBalance: before }],
  })
  for (const _ of [1, 2]) await report({ dispute: { ...dispute, state: 'won' } })
  expect((await one.state()).inHand).toBe(before)
})

test('a change whose next period is paid takes effect after a suspension, too', async () => {
  const one = await subscriber('monthly')
  const path = { params: { id: one.id } }
  await admin.must('POST /api/billing/subscriptions/{id}/change-plan', {
    ...{ ...path, body: { planId, cycle: 'yearly', mode: 'at_period_end' } },
  })
  const end = Date.parse((await one.state()).periodEnd ?? '')
  await runAt(one, new Date(end - 3 * DAY_MS))
  const [renewal] = (await one.state()).invoices
  await paid(renewal?.id ?? '', 12_000)
  const reason = 'Too many mails'
  await admin.must('POST /api/billing/subscriptions/{id}/suspend', { ...path, body: { reason } })
  await admin.must('POST /api/billing/subscriptions/{id}/unsuspend', path)
  const start = new Date((await one.state()).periodEnd ?? '')
  await runAt(one, start)
  expect(await one.state()).toMatchObject({
    ...{ status: 'active', pendingChange: null, price: { cycle: 'yearly' } },
    ...{ periodStart: start.toISOString() },
    periodEnd: periodEnd(start, 'yearly', 1).toISOString(),
  })
})

async function runAt({ id }: Subscriber, now: Date) {
  for (let round = 0; round < 4; round += 1) {
    const { pool } = lodge.database
    await pool.query('update subscriptions set next_at = $1 where id = $2', [now, id])
    await advanceDue(lodge.controlPlane.services, now)
  }
}

test('a credit has the tax that was paid, whatever the tax is now', async () => {
  const settings = await admin.must('GET /api/billing/settings')
  const taxed = (basisPoints: number | null) =>
    admin.must('PUT /api/billing/settings', {
      body: { ...settings, tax: basisPoints === null ? null : { name: 'VAT', basisPoints } },
    })
  const untaxed = await subscriber()
  const cheap = await subscriber('monthly')
  await taxed(1900)
  const lower = await subscriber()
  const shown = async (one: Subscriber, cycle: Cycle) => {
    const { lines, quoteId } = await one.preview(cycle)
    const taxes = lines.flatMap(({ kind, amount }) => (kind === 'tax' ? [amount] : []))
    const credit = lines.find(({ kind }) => kind === 'proration_credit')?.amount ?? 0
    return { taxes, credit, quoteId }
  }
  expect((await shown(untaxed, 'monthly')).taxes).toEqual([190])
  // One that was not taxed stays so, also in the credit for what it paid in part.
  const yearly = await shown(cheap, 'yearly')
  expect(yearly.taxes).toEqual([2280])
  await cheap.change('yearly', yearly.quoteId)
  const [asked] = (await cheap.state()).invoices
  await paid(asked?.id ?? '', asked?.total ?? 0)
  await taxed(700)
  const { taxes, credit } = await shown(lower, 'monthly')
  expect(taxes).toEqual([70, Math.round(credit * 0.19)])
  const back = await shown(cheap, 'monthly')
  expect(back.taxes).toEqual([70, Math.round(back.credit * 0.19)])
  await lower.change('monthly')
  const [monthly] = (await lower.state()).invoices
  expect(monthly).toMatchObject({ total: 0, status: 'paid' })
  await taxed(null)
  const weekly = await shown(lower, 'weekly')
  expect(weekly.taxes).toEqual([Math.round(weekly.credit * 0.07)])
})

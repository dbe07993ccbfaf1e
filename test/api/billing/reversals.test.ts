import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectEvents } from '../../../control-plane/src/domains/billing/providers/project.ts'
import { refetchPayments } from '../../../control-plane/src/domains/billing/providers/refetch.ts'
import { provisionDue } from '../../../control-plane/src/domains/billing/provision.ts'
import { newKey, publicKeyOf } from '../../../plugins/sdk/pack.ts'
import type { Caller } from '../../support/caller.ts'
import { addProvider } from '../../support/plugin.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

const key = newKey()
let lodge: Lodge
let admin: Caller
let templateId: string

/** What is said of a payment is what the last webhook carried; those of `silently` reach nobody. */
const PROVIDER = `
const said = new Map()
export default (host) => ({
  payment: {
    info: () => ({ label: 'Test', currencies: 'any', cycles: [], capabilities: {
      checkout: true, portal: false, autoCharge: false, trials: false, proration: false,
      refunds: true, webhooks: true, offline: false } }),
    payInvoice: () => ({ ref: 'page', redirectUrl: 'https://pay.example', instructions: null }),
    verifyWebhook({ bodyBase64 }) {
      const { silently, ref, ...payment } = JSON.parse(Buffer.from(bodyBase64, 'base64').toString())
      said.set(ref, { status: 'succeeded', amount: 1000, amountRefunded: 0, ...payment })
      const event = { id: Math.random().toString(), type: 'x.y', occurredAt: new Date().toISOString(),
        objects: [{ kind: 'payment', ref }] }
      return { events: silently ? [] : [event] }
    },
    refund: ({ key }) => ({ ref: 're_' + key, status: 'succeeded' }),
    fetch: ({ ref }) => ({ object: { kind: 'payment', ref, currency: 'EUR', failure: null,
      metadata: { invoiceId: ref.slice(-36) }, ...said.get(ref) } }),
  },
})`

beforeAll(async () => {
  lodge = await startLodge({ environment: { LODGE_PLUGIN_KEYS: publicKeyOf(key) } })
  admin = await lodge.admin()
  await lodge.node()
  templateId = (await lodge.template()).id
  await addProvider(admin, 'moves-money', PROVIDER, key)
})
afterAll(() => lodge[Symbol.asyncDispose]())

const MINUTE_MS = 60_000
async function bought() {
  const plan = await admin.must('POST /api/plans', {
    body: {
      ...{ name: randomUUID(), kind: 'server', visibility: 'public' },
      prices: [{ cycle: 'monthly', amount: 1000, currency: 'EUR' }],
      preset: {
        ...{ templateIds: [templateId], memoryMb: 64, cpuPercent: 1, diskMb: 64 },
        locations: 'any',
      },
    },
  })
  const { id, email } = await lodge.customer()
  const person = await lodge.session(id, email)
  const { invoice } = await person.must('POST /api/store/checkout', {
    body: { planId: plan.id, cycle: 'monthly', server: { name: 'shop', templateId } },
  })
  return { person, id: invoice?.id ?? '', ref: `pay:${invoice?.id}` }
}
const send = (ref: string, said: object) =>
  lodge.anonymous().send({
    method: 'POST',
    url: '/api/billing/webhooks/moves-money',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ ref, ...said }),
  })
async function report(ref: string, said: object = {}, minutes = 1) {
  await send(ref, said)
  await projectEvents(lodge.controlPlane.services, new Date(Date.now() + minutes * MINUTE_MS))
}
async function paid() {
  const one = await bought()
  await report(one.ref)
  await provisionDue(lodge.controlPlane.services, new Date(Date.now() + 2 * MINUTE_MS))
  return one
}
async function standing(person: Caller) {
  const { invoices, balances } = await person.must('GET /api/billing')
  const [invoice] = invoices
  if (!invoice) throw new Error('no invoice')
  const { items } = await person.must('GET /api/servers')
  return {
    refunds: invoice.refunds.map(({ way, amount, state }) => `${way} ${amount} ${state}`),
    notes: invoice.refunds.map(({ number }) => number !== null),
    refundable: invoice.refundable,
    inHand: balances[0]?.amount ?? 0,
    holds: items[0]?.holds.map(({ kind, cause }) => `${kind} ${cause}`),
  }
}
/** What the host was told about an invoice, the oldest first. */
async function told(id: string) {
  const invoice = (await admin.must('GET /api/billing/invoices')).items.find((one) => one.id === id)
  const { rows } = await lodge.database.pool.query<{ title: string }>(
    `select title from notifications where type = 'payment.moved' and title like $1 order by id`,
    [`%${invoice?.number}%`],
  )
  return rows.map(({ title }) => title.replace(invoice?.number ?? '', 'it'))
}

test('a refund made at the provider is told to the host, and one that comes back no longer counts', async () => {
  const { person, id, ref } = await paid()
  await report(ref, { amountRefunded: 300 })
  await report(ref, { amountRefunded: 500 })
  expect(await standing(person)).toMatchObject({
    refunds: expect.arrayContaining(['provider 300 succeeded', 'provider 200 succeeded']),
    refundable: 500,
  })
  // An answer of before the refund may come late, so it is asked again.
  await report(ref, { amountRefunded: 300 })
  expect((await standing(person)).refunds).toContain('provider 200 succeeded')
  await report(ref, { amountRefunded: 300 }, 20)
  await report(ref, { amountRefunded: 300 }, 21)
  expect(await standing(person)).toMatchObject({
    refunds: expect.arrayContaining(['provider 300 succeeded', 'provider 200 reversed']),
    refundable: 700,
    notes: [true, true],
  })
  expect(await told(id)).toEqual([
    '3.00 EUR of it were refunded at the provider',
    '2.00 EUR of it were refunded at the provider',
    'The refund of 2.00 EUR of it came back',
  ])
  const { rows } = await lodge.database.pool.query(
    `select count(*)::int as mails from email_messages where template = 'billing_refund_reversed' and user_id = $1`,
    [person.id],
  )
  expect(rows).toEqual([{ mails: 1 }])
})

test('a dispute keeps its amount and its server, and ends in the money staying or going back', async () => {
  const dispute = { ref: 'dp', state: 'open', amount: 1000, reason: 'Not received' }
  const winner = await paid()
  await report(winner.ref, { status: 'disputed', dispute })
  await report(winner.ref, { status: 'disputed', dispute })
  expect(await standing(winner.person)).toMatchObject({
    ...{ refunds: ['dispute 1000 pending'], notes: [false], refundable: 0 },
    holds: ['suspension dispute'],
  })
  const refused = await admin.call('POST /api/billing/invoices/{id}/refund', {
    params: { id: winner.id },
    body: { amount: 1, way: 'host', subscription: 'keep' },
  })
  expect(refused).toMatchObject({ status: 409, body: { code: 'refund_too_much' } })
  await report(winner.ref, { dispute: { ...dispute, state: 'won' } })
  expect(await standing(winner.person)).toMatchObject({
    ...{ refunds: ['dispute 1000 failed'], refundable: 1000, holds: [] },
  })
  expect(await told(winner.id)).toEqual([
    expect.stringMatching(/disputes 10\.00 EUR of it$/),
    'The dispute of 10.00 EUR of it is over: the money stays',
  ])

  // Nobody was told by a webhook: it is noticed by looking.
  const loser = await paid()
  await send(loser.ref, { silently: true, status: 'disputed' })
  const days = (count: number) => new Date(Date.now() + count * 1440 * MINUTE_MS)
  await refetchPayments(lodge.controlPlane.services, days(0))
  expect((await standing(loser.person)).refunds).toEqual([])
  await refetchPayments(lodge.controlPlane.services, days(2))
  expect((await standing(loser.person)).refunds).toEqual(['dispute 1000 pending'])
  await report(loser.ref, {
    status: 'disputed',
    dispute: { ...dispute, ref: loser.ref, state: 'lost' },
  })
  await report(loser.ref, {
    status: 'disputed',
    dispute: { ...dispute, ref: loser.ref, state: 'lost' },
  })
  expect(await standing(loser.person)).toMatchObject({
    ...{ refunds: ['dispute 1000 succeeded'], notes: [true], refundable: 0 },
    holds: ['suspension dispute'],
  })
  // What becomes of it the host decides.
  const [server] = (await loser.person.must('GET /api/servers', { query: {} })).items
  await admin.must('POST /api/servers/{id}/actions', {
    params: { id: server?.id ?? '' },
    body: { action: 'unsuspend' },
  })
  expect((await standing(loser.person)).holds).toEqual([])
})

test('a host that does not want it keeps servers on during a dispute', async () => {
  const settings = await admin.must('GET /api/billing/settings')
  expect(settings.suspendDisputed).toBe(true)
  await admin.must('PUT /api/billing/settings', { body: { ...settings, suspendDisputed: false } })
  const { person, ref } = await paid()
  await report(ref, { status: 'disputed' })
  expect(await standing(person)).toMatchObject({ refunds: ['dispute 1000 pending'], holds: [] })
  await admin.must('PUT /api/billing/settings', { body: settings })
})

test('what an invoice did not ask for goes back from the balance, once', async () => {
  const { person, id, ref } = await paid()
  const second = `again:${id}`
  await report(second)
  expect(await standing(person)).toMatchObject({ inHand: 1000, refundable: 1000 })
  await report(second, { amountRefunded: 400 })
  await report(second, { amountRefunded: 400 })
  expect(await standing(person)).toMatchObject({ inHand: 600, refundable: 1000, refunds: [] })
  await report(second, { status: 'refunded', amountRefunded: 1000 })
  expect(await standing(person)).toMatchObject({ inHand: 0, refundable: 1000, refunds: [] })
  await report(ref, { amountRefunded: 100 })
  expect(await standing(person)).toMatchObject({ inHand: 0, refunds: ['provider 100 succeeded'] })
})

test('what refunds and disputes took from the balance comes back with the money, each for itself', async () => {
  const { person, id } = await paid()
  const second = `again:${id}`
  const amount = 3000
  await report(second, { amount })
  expect(await standing(person)).toMatchObject({ inHand: 3000 })
  await report(second, { amount, amountRefunded: 500 })
  expect(await standing(person)).toMatchObject({ inHand: 2500, refunds: [] })
  // An answer that was on its way meanwhile says less; only later it is believed.
  await report(second, { amount })
  expect(await standing(person)).toMatchObject({ inHand: 2500 })
  await report(second, { amount }, 20)
  expect(await standing(person)).toMatchObject({ inHand: 3000, refunds: [] })
  const lost = { ref: 'large', state: 'lost', amount, reason: 'Not received' }
  await report(second, { amount, status: 'disputed', dispute: lost })
  await report(second, { amount, status: 'disputed', dispute: lost })
  expect(await standing(person)).toMatchObject({
    ...{ inHand: 1000, refunds: ['dispute 1000 succeeded'] },
  })
  await report(second, { amount, dispute: { ...lost, state: 'won' } })
  await report(second, { amount, dispute: { ...lost, state: 'won' } })
  expect(await standing(person)).toMatchObject({
    ...{ inHand: 3000, refunds: ['dispute 1000 reversed'] },
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectEvents } from '../../../control-plane/src/domains/billing/providers/project.ts'
import { refetchPayments } from '../../../control-plane/src/domains/billing/providers/refetch.ts'
import { provisionDue } from '../../../control-plane/src/domains/billing/provision.ts'
import { newKey, publicKeyOf } from '../../../plugins/sdk/pack.ts'
import type { Caller } from '../../support/caller.ts'
import { addProvider } from '../../support/plugin.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { TOLD_PROVIDER } from './told-provider.ts'

const key = newKey()
let lodge: Lodge
let admin: Caller
let templateId: string

beforeAll(async () => {
  lodge = await startLodge({ environment: { LODGE_PLUGIN_KEYS: publicKeyOf(key) } })
  admin = await lodge.admin()
  await lodge.node()
  await lodge.keepNodesOnline()
  templateId = (await lodge.template()).id
  await addProvider(admin, 'moves-money', TOLD_PROVIDER, key)
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
  // In no order of time: the control plane projects events too, without the minutes added here.
  const refunds = invoice.refunds
    .map(({ way, amount, state, number }) => ({ what: `${way} ${amount} ${state}`, number }))
    .sort((a, b) => a.what.localeCompare(b.what))
  return {
    refunds: refunds.map(({ what }) => what),
    notes: refunds.map(({ number }) => number !== null),
    refundable: invoice.refundable,
    wentBack: invoice.payments.map(({ refunded }) => refunded),
    inHand: balances[0]?.amount ?? 0,
    holds: items[0]?.holds.map(({ kind, cause }) => `${kind} ${cause}`),
  }
}
/** The host's notifications about an invoice, the oldest first. */
async function told(id: string) {
  const invoice = (await admin.must('GET /api/billing/invoices')).items.find((one) => one.id === id)
  const { rows } = await lodge.database.pool.query<{ title: string }>(
    `select title from notifications where type = 'payment.moved' and title like $1 order by id`,
    [`%${invoice?.number}%`],
  )
  return rows.map(({ title }) => title.replace(invoice?.number ?? '', 'it'))
}

test('the host is notified of a refund made at the provider, and a failed refund no longer counts', async () => {
  const { person, id, ref } = await paid()
  await report(ref, { amountRefunded: 300 })
  await report(ref, { amountRefunded: 500 })
  expect(await standing(person)).toMatchObject({
    refunds: expect.arrayContaining(['provider 200 succeeded', 'provider 300 succeeded']),
    refundable: 500,
  })
  // A response from before the refund may arrive late, so the provider is queried again.
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
    '3.00 EUR of it was refunded at the provider',
    '2.00 EUR of it was refunded at the provider',
    'The refund of 2.00 EUR of it came back',
  ])
  const { rows } = await lodge.database.pool.query(
    `select count(*)::int as mails from email_messages where template = 'billing_refund_reversed' and user_id = $1`,
    [person.id],
  )
  expect(rows).toEqual([{ mails: 1 }])
})

test('a disputed amount is held and its server suspended until the dispute is won or lost', async () => {
  const dispute = { ref: 'dp', state: 'open', amount: 1000, reason: 'Not received' }
  const winner = await paid()
  for (const _ of [1, 2]) await report(winner.ref, { status: 'disputed', dispute })
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

  // No webhook reported it: the periodic check finds it.
  const loser = await paid()
  await send(loser.ref, { silently: true, status: 'disputed' })
  const days = (count: number) => new Date(Date.now() + count * 1440 * MINUTE_MS)
  await refetchPayments(lodge.controlPlane.services, days(0))
  expect((await standing(loser.person)).refunds).toEqual([])
  await refetchPayments(lodge.controlPlane.services, days(2))
  expect((await standing(loser.person)).refunds).toEqual(['dispute 1000 pending'])
  const lost = { status: 'disputed', dispute: { ...dispute, ref: loser.ref, state: 'lost' } }
  for (const _ of [1, 2]) await report(loser.ref, lost)
  expect(await standing(loser.person)).toMatchObject({
    ...{ refunds: ['dispute 1000 succeeded'], notes: [true], refundable: 0 },
    holds: ['suspension dispute'],
  })
  // The host decides what happens to the server.
  const [server] = (await loser.person.must('GET /api/servers', { query: {} })).items
  await admin.must('POST /api/servers/{id}/actions', {
    params: { id: server?.id ?? '' },
    body: { action: 'unsuspend' },
  })
  expect((await standing(loser.person)).holds).toEqual([])
})

test('servers stay on during a dispute if the host configures so', async () => {
  const settings = await admin.must('GET /api/billing/settings')
  expect(settings.suspendDisputed).toBe(true)
  await admin.must('PUT /api/billing/settings', { body: { ...settings, suspendDisputed: false } })
  const { person, ref } = await paid()
  await report(ref, { status: 'disputed' })
  expect(await standing(person)).toMatchObject({ refunds: ['dispute 1000 pending'], holds: [] })
  await admin.must('PUT /api/billing/settings', { body: settings })
})

test('a refunded overpayment is taken from the balance, once', async () => {
  const { person, id, ref } = await paid()
  const second = `again:${id}`
  await report(second)
  expect(await standing(person)).toMatchObject({ inHand: 1000, refundable: 1000 })
  for (const _ of [1, 2]) await report(second, { amountRefunded: 400 })
  expect(await standing(person)).toMatchObject({ inHand: 600, refundable: 1000, refunds: [] })
  await report(second, { status: 'refunded', amountRefunded: 1000 })
  expect(await standing(person)).toMatchObject({ inHand: 0, refundable: 1000, refunds: [] })
  await report(ref, { amountRefunded: 100 })
  expect(await standing(person)).toMatchObject({ inHand: 0, refunds: ['provider 100 succeeded'] })
})

test('amounts that refunds and disputes took from the balance return separately when each is reversed', async () => {
  const { person, id } = await paid()
  const second = `again:${id}`
  const amount = 3000
  await report(second, { amount })
  expect(await standing(person)).toMatchObject({ inHand: 3000 })
  await report(second, { amount, amountRefunded: 500 })
  expect(await standing(person)).toMatchObject({ inHand: 2500, refunds: [] })
  // A response that was already on its way reports less; only a later one is accepted.
  await report(second, { amount })
  expect(await standing(person)).toMatchObject({ inHand: 2500 })
  await report(second, { amount }, 20)
  expect(await standing(person)).toMatchObject({ inHand: 3000, refunds: [] })
  const lost = { ref: 'large', state: 'lost', amount, reason: 'Not received' }
  for (const _ of [1, 2]) await report(second, { amount, status: 'disputed', dispute: lost })
  expect(await standing(person)).toMatchObject({
    ...{ inHand: 1000, refunds: ['dispute 1000 succeeded'] },
  })
  for (const _ of [1, 2]) await report(second, { amount, dispute: { ...lost, state: 'won' } })
  expect(await standing(person)).toMatchObject({
    ...{ inHand: 3000, refunds: ['dispute 1000 reversed'] },
  })
})

test('money that was refunded to the balance is taken from there when its payment is reversed as well', async () => {
  const toBalance = (id: string, amount: number) =>
    admin.must('POST /api/billing/invoices/{id}/refund', {
      params: { id },
      body: { amount, way: 'balance', subscription: 'keep' },
    })
  const dispute = { ref: 'dp', state: 'lost', amount: 1000, reason: 'Not received' }
  const disputing = await paid()
  await toBalance(disputing.id, 1000)
  expect(await standing(disputing.person)).toMatchObject({ inHand: 1000, refundable: 0 })
  const opened = { status: 'disputed', dispute: { ...dispute, state: 'open' } }
  for (const _ of [1, 2]) await report(disputing.ref, opened)
  const holds = ['suspension dispute']
  expect(await standing(disputing.person)).toMatchObject({ inHand: 1000, holds })
  // The balance pays for something else meanwhile.
  await lodge.database.pool.query(
    `insert into balance_entries (id, user_id, currency, amount, created_at) values ($1, $2, 'EUR', -1000, now())`,
    [randomUUID(), disputing.person.id],
  )
  for (const _ of [1, 2]) await report(disputing.ref, { status: 'disputed', dispute })
  expect(await standing(disputing.person)).toMatchObject({ inHand: -1000, holds })
  expect(await told(disputing.id)).toEqual([
    expect.stringMatching(/disputes 10\.00 EUR of it$/),
    'The dispute of 10.00 EUR of it is lost',
  ])
  const lost = {
    inHand: -1000,
    refunds: ['balance 1000 succeeded'],
    refundable: 0,
    wentBack: [1000],
  }
  expect(await standing(disputing.person)).toMatchObject(lost)
  for (const _ of [1, 2]) await report(disputing.ref, { dispute: { ...dispute, state: 'won' } })
  const won = { ...lost, inHand: 0, wentBack: [0], holds: [] }
  expect(await standing(disputing.person)).toMatchObject(won)

  // Refunded at the provider: first the rest of the invoice, then what the customer holds as balance.
  const other = await paid()
  await toBalance(other.id, 300)
  await report(other.ref, { amountRefunded: 200 })
  expect(await standing(other.person)).toMatchObject({ inHand: 300, wentBack: [200] })
  await report(other.ref, { status: 'refunded', amountRefunded: 1000 })
  expect(await standing(other.person)).toMatchObject({ inHand: 0, wentBack: [1000] })

  // A failed refund is not restored while a dispute holds that money.
  const third = await paid()
  await toBalance(third.id, 600)
  const said = { status: 'disputed', dispute: { ...dispute, amount: 600 } }
  await report(third.ref, { amountRefunded: 400 })
  await report(third.ref, { ...said, amountRefunded: 400 })
  expect(await standing(third.person)).toMatchObject({ inHand: 0, wentBack: [1000] })
  for (const minutes of [20, 21]) await report(third.ref, said, minutes)
  expect(await standing(third.person)).toMatchObject({
    ...{ inHand: 0, wentBack: [600], refundable: 400 },
    refunds: ['balance 600 succeeded', 'provider 400 reversed'],
  })
})

test.each(['first', 'second'])(
  'each of two disputes of a payment holds and releases its own amount, although the %s one is reported first after an upgrade',
  async (next) => {
    const { person, id } = await paid()
    const ref = `again:${id}`
    const about = (name: string, state: string, amount: number) =>
      report(ref, {
        ...{ amount: 3000, status: state === 'won' ? 'succeeded' : 'disputed' },
        dispute: { ref: name, state, amount, reason: '' },
      })
    await report(ref, { amount: 3000 })
    await about('first', 'lost', 1500)
    expect(await standing(person)).toMatchObject({
      ...{ inHand: 2500, refunds: ['dispute 1000 succeeded'] },
    })
    // The state that the release before this one leaves, while nothing else works on the payment.
    await lodge.database.pool.query(
      `with payment as (select id from invoice_payments where external_ref = $1 for update)
        delete from taken_back_entries using payment where payment_id = payment.id`,
      [ref],
    )
    if (next === 'first') await about('first', 'lost', 1500)
    expect(await standing(person)).toMatchObject({ inHand: 2500 })
    await about('second', 'lost', 700)
    await about('second', 'lost', 700)
    expect(await standing(person)).toMatchObject({ inHand: 1800 })
    await about('second', 'won', 700)
    await about('second', 'won', 700)
    expect(await standing(person)).toMatchObject({
      ...{ inHand: 2500, refunds: ['dispute 1000 succeeded'] },
    })
    await about('first', 'won', 1500)
    await about('first', 'won', 1500)
    expect(await standing(person)).toMatchObject({
      ...{ inHand: 3000, refunds: ['dispute 1000 reversed'], wentBack: [0, 0] },
    })
  },
)

test('each of several disputes of a payment ends in its own state, and a server stays off after one is lost', async () => {
  const { person, id, ref } = await paid()
  const about = (...states: string[]) =>
    report(ref, {
      status: states.every((state) => state === 'won') ? 'succeeded' : 'disputed',
      disputes: states.map((state, at) => ({
        ...{ ref: `dp_${at + 1}`, state, amount: at === 0 ? 600 : 700, reason: '' },
      })),
    })
  await about('open', 'open')
  await about('open', 'open')
  // Together no more than was paid.
  const open = ['dispute 400 pending', 'dispute 600 pending']
  const off = ['suspension dispute']
  expect(await standing(person)).toMatchObject({ refunds: open, refundable: 0, holds: off })
  await about('lost', 'open')
  expect(await standing(person)).toMatchObject({
    ...{ refunds: ['dispute 400 pending', 'dispute 600 succeeded'], refundable: 0, holds: off },
  })
  await about('lost', 'won')
  await about('lost', 'won')
  expect(await standing(person)).toMatchObject({
    ...{ refunds: ['dispute 400 failed', 'dispute 600 succeeded'], refundable: 400, holds: off },
    notes: [false, true],
  })
  await about('won', 'won')
  expect(await standing(person)).toMatchObject({
    ...{ refunds: ['dispute 400 failed', 'dispute 600 reversed'], refundable: 1000, holds: [] },
  })
  expect(await told(id)).toEqual([
    expect.stringMatching(/disputes 6\.00 EUR of it$/),
    expect.stringMatching(/disputes 4\.00 EUR of it$/),
    'The dispute of 6.00 EUR of it is lost',
    'The dispute of 4.00 EUR of it is over: the money stays',
    'The dispute of 6.00 EUR of it is over: the money stays',
  ])
  // The amount released by a dispute that is won can be held by another one reported in the same
  // event.
  const other = await paid()
  const said = { status: 'disputed' }
  const [first, second] = ['dp_1', 'dp_2'].map((ref) => ({ ref, amount: 1000, reason: '' }))
  await report(other.ref, { ...said, disputes: [{ ...first, state: 'open' }] })
  await report(other.ref, {
    ...{
      ...said,
      disputes: [
        { ...second, state: 'lost' },
        { ...first, state: 'won' },
      ],
    },
  })
  expect(await standing(other.person)).toMatchObject({
    ...{ refunds: ['dispute 1000 failed', 'dispute 1000 succeeded'], refundable: 0 },
  })
})

test('a dispute that follows another of the same payment keeps what is left of the invoice', async () => {
  const { person, ref } = await paid()
  const about = (name: string, state: string) =>
    report(ref, {
      status: 'disputed',
      dispute: { ref: name, state, amount: 1000, reason: '' },
    })
  await about('former', 'open')
  await about('latter', 'open')
  const refunds = ['dispute 1000 failed', 'dispute 1000 pending']
  expect(await standing(person)).toMatchObject({ refunds, refundable: 0 })
  // The former dispute was not over after all.
  await about('former', 'lost')
  expect(await standing(person)).toMatchObject({
    refunds: ['dispute 1000 failed', 'dispute 1000 failed', 'dispute 1000 succeeded'],
    refundable: 0,
  })
})

test('a part payment that a dispute took is due again on its open invoice', async () => {
  const { person, ref } = await bought()
  const due = async () => {
    const { invoices, balances } = await person.must('GET /api/billing')
    return [invoices[0]?.status, invoices[0]?.amountDue, balances[0]?.amount ?? 0]
  }
  await report(ref, { amount: 400 })
  expect(await due()).toEqual(['open', 600, 0])
  const dispute = { ref: 'part', state: 'lost', amount: 400, reason: '' }
  for (const _ of [1, 2]) await report(ref, { amount: 400, status: 'disputed', dispute })
  expect(await due()).toEqual(['open', 1000, 0])
  await report(`rest:${ref}`)
  expect(await due()).toEqual(['paid', 0, 0])
  await report(ref, { amount: 400, status: 'disputed', dispute })
  expect(await standing(person)).toMatchObject({ inHand: 0, refunds: [], wentBack: [400, 0] })
})

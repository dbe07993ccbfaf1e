import { randomUUID } from 'node:crypto'
import type { StartCheckout } from '@lodge/shared/billing/billing.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectEvents } from '../../../control-plane/src/domains/billing/providers/project.ts'
import { provisionDue } from '../../../control-plane/src/domains/billing/provision.ts'
import { refundDue } from '../../../control-plane/src/domains/billing/refunds/refund-due.ts'
import { newKey, publicKeyOf } from '../../../plugins/sdk/pack.ts'
import type { Caller } from '../../support/caller.ts'
import { addProvider } from '../../support/plugin.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { TOLD_PROVIDER } from './told-provider.ts'

// Several invoices that were paid at once: the payment is one of the oldest, and the others are paid by
// what it was too much.

const key = newKey()
let lodge: Lodge
let admin: Caller
let planId: string
let templateId: string

beforeAll(async () => {
  lodge = await startLodge({ environment: { LODGE_PLUGIN_KEYS: publicKeyOf(key) } })
  admin = await lodge.admin()
  await lodge.node()
  await lodge.keepNodesOnline()
  templateId = (await lodge.template()).id
  await addProvider(admin, 'sums', TOLD_PROVIDER, key)
  const plan = await admin.must('POST /api/plans', {
    body: {
      ...{ name: randomUUID(), kind: 'account', visibility: 'public' },
      prices: [{ cycle: 'monthly', amount: 1000, currency: 'EUR' }],
    },
  })
  planId = plan.id
})
afterAll(() => lodge[Symbol.asyncDispose]())

const MINUTE_MS = 60_000
const account = (_name: string): StartCheckout => ({ planId, cycle: 'monthly' })
/** Three invoices of 10.00 EUR each, paid in one sum; `report` is what the provider says of that. */
async function paidAtOnce(inHand = 0, bodyOf = account) {
  const { id: userId, email } = await lodge.customer()
  const person = await lodge.session(userId, email)
  const buy = async (name: string) => {
    const body = bodyOf(name)
    return (await person.must('POST /api/store/checkout', { body })).invoice?.id ?? ''
  }
  const [lead, second, third] = [await buy('a'), await buy('b'), await buy('c')] as const
  if (inHand > 0)
    await lodge.database.pool.query(
      `insert into balance_entries (id, user_id, currency, amount, created_at) values ($1, $2, 'EUR', $3, now())`,
      [randomUUID(), userId, inHand],
    )
  const ref = `sum:${lead}`
  async function report(said: object = {}, minutes = 1) {
    await lodge.anonymous().send({
      ...{ method: 'POST', url: '/api/billing/webhooks/sums' },
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ ref, amount: 3000, ...said }),
    })
    await projectEvents(lodge.controlPlane.services, new Date(Date.now() + minutes * MINUTE_MS))
  }
  await person.must('POST /api/billing/pay-all', { body: { provider: 'sums' } })
  await report()
  const now = async () => {
    const { invoices, balances } = await person.must('GET /api/billing')
    const byAge = [lead, second, third].map((id) => invoices.find((one) => one.id === id))
    return { invoices: byAge, inHand: balances[0]?.amount ?? 0 }
  }
  /** What each invoice got back, and what the provider could still give back of it. */
  const standing = async () => {
    const { invoices, inHand } = await now()
    return {
      back: invoices.map((one) =>
        one?.refunds.map(({ way, amount, state }) => `${way} ${amount} ${state}`),
      ),
      left: invoices.map((one) =>
        one?.payments.reduce((sum, { refundable }) => sum + refundable, 0),
      ),
      inHand,
    }
  }
  /** Refunds an invoice, the first, second or third, through the provider. */
  const refund = async (at: number, amount: number, way: 'provider' | 'balance' = 'provider') => {
    const invoice = (await now()).invoices[at]
    const payment = invoice?.payments.find((one) => one.refundable > 0) ?? invoice?.payments[0]
    const asked = await admin.call('POST /api/billing/invoices/{id}/refund', {
      params: { id: invoice?.id ?? '' },
      body: {
        ...{ amount, way, subscription: 'keep' },
        ...(way === 'provider' && { paymentId: payment?.id ?? '' }),
      },
    })
    await refundDue(lodge.controlPlane.services, new Date(Date.now() + MINUTE_MS))
    return asked.status === 200 ? 'begun' : (asked.body as unknown as { code: string }).code
  }
  return { person, report, standing, now, refund }
}

test('each invoice of a sum goes back through its payment, up to what it got, and in parts', async () => {
  const { report, standing, now, refund } = await paidAtOnce()
  expect(await standing()).toEqual({ back: [[], [], []], left: [1000, 1000, 1000], inHand: 0 })
  expect((await now()).invoices.map((one) => one?.payments[0]?.sumOf)).toEqual([
    ...[null, 'sums', 'sums'],
  ])
  expect(await refund(1, 1001)).toBe('refund_too_much')
  expect([await refund(1, 400), await refund(1, 700), await refund(2, 1000)]).toEqual([
    ...['begun', 'refund_too_much', 'begun'],
  ])
  const refunded = {
    back: [[], ['provider 400 succeeded'], ['provider 1000 succeeded']],
    ...{ left: [1000, 600, 0], inHand: 0 },
  }
  expect(await standing()).toEqual(refunded)
  // The provider reports the same refunds, and nothing counts twice.
  await report({ amountRefunded: 1400 })
  expect(await standing()).toEqual(refunded)
  expect([await refund(0, 1000), await refund(1, 600)]).toEqual(['begun', 'begun'])
  await report({ status: 'refunded', amountRefunded: 3000 })
  expect(await standing()).toEqual({
    back: [
      ['provider 1000 succeeded'],
      ['provider 400 succeeded', 'provider 600 succeeded'],
      ['provider 1000 succeeded'],
    ],
    ...{ left: [0, 0, 0], inHand: 0 },
  })
  expect((await now()).invoices[1]?.payments[0]).toMatchObject({ refunded: 1000 })
})

test('ten refunds of two invoices of a sum at once return no more than each got of it', async () => {
  const { standing, refund } = await paidAtOnce()
  const asked = await Promise.all(Array.from({ length: 10 }, (_, at) => refund((at % 2) + 1, 300)))
  expect(asked.filter((one) => one === 'begun')).toHaveLength(6)
  const { back, left } = await standing()
  expect(back.map((one) => one?.length)).toEqual([0, 3, 3])
  expect(left).toEqual([1000, 100, 100])
})

test('what was in hand before is no part of the sum, and does not go back to the payer', async () => {
  const { standing, now, refund } = await paidAtOnce(500)
  // The oldest was paid with it in part, so that the sum was more than was owed.
  const { invoices, inHand } = await now()
  expect(invoices.map((one) => one?.status)).toEqual(['paid', 'paid', 'paid'])
  expect(inHand).toBe(500)
  expect((await standing()).left).toEqual([1000, 1000, 1000])
  expect([await refund(1, 1000), await refund(2, 1000)]).toEqual(['begun', 'begun'])
  expect((await standing()).inHand).toBe(500)
})

test('a sum that is refunded at the provider is credited to each of its invoices', async () => {
  const { report, standing, refund } = await paidAtOnce()
  await refund(1, 200)
  await report({ amountRefunded: 1700 })
  expect(await standing()).toEqual({
    back: [['provider 1000 succeeded'], ['provider 200 succeeded', 'provider 500 succeeded'], []],
    ...{ left: [0, 300, 1000], inHand: 0 },
  })
  await report({ status: 'refunded', amountRefunded: 3000 })
  expect(await standing()).toMatchObject({ left: [0, 0, 0], inHand: 0 })
  // The newest one failed after all.
  for (const minutes of [20, 21]) await report({ amountRefunded: 2000 }, minutes)
  expect(await standing()).toMatchObject({
    back: [
      ['provider 1000 succeeded'],
      ['provider 200 succeeded', 'provider 500 succeeded', 'provider 300 succeeded'],
      ['provider 1000 reversed'],
    ],
    ...{ left: [0, 0, 1000], inHand: 0 },
  })
})

test('a refund whose call failed is made although the provider reports as much for another', async () => {
  const { report, standing, refund } = await paidAtOnce()
  const told = async (said: object) => {
    await lodge.anonymous().send({
      ...{ method: 'POST', url: '/api/billing/webhooks/sums' },
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ silently: true, ref: 'refunds', ...said }),
    })
  }
  await told({ fails: true })
  await refund(1, 400)
  await told({ status: 'pending' })
  await refund(2, 400)
  await told({})
  await report({ amountRefunded: 400 })
  expect((await standing()).back).toEqual([
    ...[[], ['provider 400 pending'], ['provider 400 succeeded']],
  ])
  await refundDue(lodge.controlPlane.services, new Date(Date.now() + 1440 * MINUTE_MS))
  const both = {
    back: [[], ['provider 400 succeeded'], ['provider 400 succeeded']],
    ...{ left: [1000, 600, 600], inHand: 0 },
  }
  expect(await standing()).toEqual(both)
  await report({ amountRefunded: 800 })
  expect(await standing()).toEqual(both)
})

test('a dispute of a sum holds all of it, and takes only what has not gone back', async () => {
  const { report, standing, refund } = await paidAtOnce()
  await refund(1, 400)
  const dispute = { ref: 'dp', state: 'open', amount: 2600, reason: '' }
  const said = { status: 'disputed', amountRefunded: 400 }
  await report({ ...said, dispute })
  expect(await standing()).toMatchObject({ left: [0, 0, 0] })
  expect(await refund(2, 100)).toBe('refund_too_much')
  await report({ ...said, dispute: { ...dispute, state: 'lost' } })
  await report({ ...said, dispute: { ...dispute, state: 'lost' } })
  // The rest of it was paid to other invoices from the balance, which is owed now.
  expect(await standing()).toEqual({
    back: [['dispute 1000 succeeded'], ['provider 400 succeeded'], []],
    ...{ left: [0, 0, 0], inHand: -1600 },
  })
  expect(await refund(1, 1)).toBe('refund_too_much')
  await report({ amountRefunded: 400, dispute: { ...dispute, state: 'won' } })
  expect(await standing()).toMatchObject({
    back: [['dispute 1000 reversed'], ['provider 400 succeeded'], []],
    ...{ left: [1000, 600, 1000], inHand: 0 },
  })
  // A dispute of more than is left takes no more than was paid in total.
  const whole = { ref: 'all', state: 'lost', amount: 3000, reason: '' }
  for (const _ of [1, 2]) await report({ ...said, disputes: [{ ...dispute, state: 'won' }, whole] })
  expect(await standing()).toMatchObject({ left: [0, 0, 0], inHand: -1600 })
})

test('a dispute of a sum suspends the server of each invoice that it paid, until it is over', async () => {
  const preset = { templateIds: [templateId], memoryMb: 64, cpuPercent: 1, diskMb: 64 }
  const sold = await admin.must('POST /api/plans', {
    body: {
      ...{ name: randomUUID(), kind: 'server', visibility: 'public' },
      prices: [{ cycle: 'monthly', amount: 1000, currency: 'EUR' }],
      preset: { ...preset, locations: 'any' },
    },
  })
  const { report, person, refund, standing } = await paidAtOnce(0, (name) => ({
    ...{ planId: sold.id, cycle: 'monthly', server: { name, templateId } },
  }))
  await provisionDue(lodge.controlPlane.services, new Date(Date.now() + 2 * MINUTE_MS))
  const holds = async () =>
    (await person.must('GET /api/servers')).items
      .map(({ name, holds: all }) => `${name}: ${all.map(({ cause }) => cause).join()}`)
      .toSorted()
  const all = (cause: string) => [`a: ${cause}`, `b: ${cause}`, `c: ${cause}`]
  expect(await holds()).toEqual(all(''))
  // Each notice and mail names the server besides the plan, of which there are several.
  const told = (await person.must('GET /api/notifications')).items.map(({ title }) => title)
  for (const name of ['a', 'b', 'c'])
    expect(told).toContainEqual(expect.stringContaining(`for ${sold.name} (${name}) is paid`))
  const one = { ref: 'one', state: 'open', amount: 1000, reason: '' }
  const other = { ...one, ref: 'other', amount: 2000 }
  const said = (...disputes: object[]) => ({ status: 'disputed', disputes })
  await report(said(one))
  expect(await holds()).toEqual(all('dispute'))
  await report(said({ ...one, state: 'won' }))
  expect(await holds()).toEqual(all(''))
  // After a lost one, the host decides about each.
  await report(said({ ...one, state: 'won' }, { ...other, state: 'lost' }))
  expect(await holds()).toEqual(all('dispute'))
  await report(said({ ...one, state: 'won' }, { ...other, state: 'won' }))
  expect(await holds()).toEqual(all(''))
  // What remains of the sum is disputed when the oldest invoice has gone back.
  expect(await refund(0, 1000)).toBe('begun')
  const rest = { ...other, ref: 'rest' }
  const ended = [
    { ...one, state: 'won' },
    { ...other, state: 'won' },
  ]
  const later = (...disputes: object[]) => ({
    ...{ status: 'disputed', amountRefunded: 1000, disputes: [...ended, ...disputes] },
  })
  await report(later(rest))
  expect(await holds()).toEqual(['a: ', 'b: dispute', 'c: dispute'])
  await report(later({ ...rest, state: 'lost' }))
  expect(await holds()).toEqual(['a: ', 'b: dispute', 'c: dispute'])
  expect(await standing()).toMatchObject({ left: [0, 0, 0], inHand: -1000 })
  await report(later({ ...rest, state: 'won' }))
  expect(await holds()).toEqual(all(''))
  expect((await standing()).inHand).toBe(0)
})

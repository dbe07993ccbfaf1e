import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let admin: Caller
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
})
afterAll(() => lodge[Symbol.asyncDispose]())

const MONTHLY = { cycle: 'monthly', amount: 999, currency: 'EUR' } as const
const YEARLY = { cycle: 'yearly', amount: 9990, currency: 'EUR' } as const
const account = (more: object = {}) =>
  admin.must('POST /api/plans', { body: { name: randomUUID(), kind: 'account', ...more } })
const idOf = ({ id }: { id: string }) => ({ params: { id } })

test('a plan is sold with the host’s settings, and a change keeps the fields that it leaves out', async () => {
  const preset = {
    templateIds: [randomUUID()],
    ...{ memoryMb: 2048, cpuPercent: 100, diskMb: 4096 },
    locations: ['Here'],
  }
  const plan = await admin.must('POST /api/plans', {
    body: {
      ...{ name: 'Server S', kind: 'server', description: 'Small', features: ['Fast', 'Safe'] },
      ...{ preset, stock: 3, perCustomerMax: 1, visibility: 'public' },
      prices: [YEARLY, { ...MONTHLY, trialDays: 7, setupFee: 500 }],
    },
  })
  expect(plan).toMatchObject({
    ...{ kind: 'server', features: ['Fast', 'Safe'], preset, limits: {}, active: true },
    ...{ stock: 3, available: 3, perCustomerMax: 1, visibility: 'public' },
    prices: [
      { ...MONTHLY, trialDays: 7, setupFee: 500 },
      { ...YEARLY, trialDays: 0, setupFee: 0 },
    ],
  })
  const edited = await admin.must('PUT /api/plans/{id}', {
    ...idOf(plan),
    body: { name: 'Server S', active: false, stock: null },
  })
  expect(edited).toEqual({ ...plan, active: false, stock: null, available: null })
  expect(await admin.must('GET /api/plans/{id}', idOf(plan))).toEqual(edited)
})

test.each([
  ['a server plan without its server', { kind: 'server' }, '/preset'],
  ['limits of a server plan', { kind: 'server', limits: {} }, '/limits'],
  ['half a cent', { prices: [{ ...MONTHLY, amount: 0.5 }] }, '/prices/0/amount'],
  ['a negative price', { prices: [{ ...MONTHLY, amount: -1 }] }, '/prices/0/amount'],
  ['an unknown currency', { prices: [{ ...MONTHLY, currency: 'EURO' }] }, '/prices/0/currency'],
  ['two monthly prices in euros', { prices: [MONTHLY, { ...MONTHLY, amount: 1 }] }, '/prices/1'],
  ['a trial of two years', { prices: [{ ...MONTHLY, trialDays: 730 }] }, '/prices/0/trialDays'],
  ['less than nothing in stock', { stock: -1 }, '/stock'],
])('%s is refused', async (_name, more, pointer) => {
  const body = { name: randomUUID(), kind: 'account', ...more } as never
  const answer = await admin.call('POST /api/plans', { body })
  expect(answer).toMatchObject({ status: 400 })
  expect(answer.body).toMatchObject({
    errors: expect.arrayContaining([expect.objectContaining({ pointer })]),
  })
})

test('subscribers are counted by price, and keep one that is no longer sold', async () => {
  const plan = await account({ visibility: 'public', prices: [MONTHLY] })
  const subscribe = async () => {
    const { id, email } = await lodge.customer()
    const person = await lodge.session(id, email)
    const { invoice } = await person.must('POST /api/store/checkout', {
      body: { planId: plan.id, cycle: 'monthly' },
    })
    return () =>
      admin.must('POST /api/billing/invoices/{id}/mark-paid', {
        params: { id: invoice?.id ?? '' },
        body: { amount: invoice?.total ?? 0 },
      })
  }
  for (const pay of [await subscribe(), await subscribe()]) await pay()
  const { prices } = await admin.must('PUT /api/plans/{id}/prices', {
    ...idOf(plan),
    body: { prices: [{ ...MONTHLY, amount: 1099 }, YEARLY] },
  })
  await (await subscribe())()
  // Not paid, so not active.
  await subscribe()
  const { subscribersByPrice } = await admin.must('GET /api/plans/{id}', idOf(plan))
  const price = { cycle: 'monthly', currency: MONTHLY.currency }
  expect(subscribersByPrice).toEqual([
    { ...price, priceId: prices[0]?.id, amount: 1099, retired: false, subscribers: 1 },
    { ...price, priceId: plan.prices[0]?.id, amount: 999, retired: true, subscribers: 2 },
  ])
})

test('a changed price becomes a new one, and unchanged ones keep their ids', async () => {
  const plan = await account({ prices: [MONTHLY, YEARLY] })
  const prices = [{ ...MONTHLY, amount: 1099 }, YEARLY]
  const replace = { ...idOf(plan), body: { prices } }
  const answers = await Promise.all([
    admin.must('PUT /api/plans/{id}/prices', replace),
    admin.must('PUT /api/plans/{id}/prices', replace),
  ])
  const [monthly, yearly] = answers[0]?.prices ?? []
  expect(answers[1]?.prices).toEqual([monthly, yearly])
  expect(monthly).toMatchObject({ amount: 1099 })
  expect(monthly?.id).not.toBe(plan.prices[0]?.id)
  expect(yearly).toEqual(plan.prices[1])
  const { rows } = await lodge.database.pool.query(
    'select amount from plan_prices where plan_id = $1 and retired_at is not null',
    [plan.id],
  )
  expect(rows).toEqual([{ amount: 999 }])
})

test('a copy is complete, hidden and not for sale, and each copy has a name of its own', async () => {
  const name = 'n'.repeat(79)
  const plan = await account({ name, stock: 5, visibility: 'public', prices: [MONTHLY] })
  const copies = await Promise.all(
    [1, 2, 3].map(() => admin.must('POST /api/plans/{id}/duplicate', idOf(plan))),
  )
  expect(copies.map((copy) => copy.name).sort()).toEqual([
    `${'n'.repeat(71)} (copy 2)`,
    `${'n'.repeat(71)} (copy 3)`,
    `${'n'.repeat(73)} (copy)`,
  ])
  for (const copy of copies)
    expect(copy).toMatchObject({
      ...{ stock: 5, available: 5, visibility: 'hidden', active: false },
      prices: [MONTHLY],
    })
})

test('plans are listed in the given order; others follow in their own order, and new ones come last', async () => {
  const made = [await account(), await account(), await account()]
  const [one, two, three] = made.map(({ id }) => id) as [string, string, string]
  const ids = async () => (await admin.must('GET /api/plans')).items.map(({ id }) => id)
  expect((await ids()).slice(-3)).toEqual([one, two, three])
  await Promise.all([
    admin.must('POST /api/plans/reorder', { body: { ids: [three, one] } }),
    admin.must('POST /api/plans/reorder', { body: { ids: [three, one] } }),
  ])
  expect((await ids()).slice(0, 2)).toEqual([three, one])
  expect((await ids()).at(-1)).toBe(two)
  const fourth = await account()
  expect((await ids()).at(-1)).toBe(fourth.id)
  for (const [wrong, pointer] of [
    [[one, one], '/ids/1'],
    [[randomUUID()], '/ids/0'],
  ] as const)
    expect(
      await admin.call('POST /api/plans/reorder', { body: { ids: [...wrong] } }),
    ).toMatchObject({ status: 400, body: { errors: [{ pointer }] } })
})

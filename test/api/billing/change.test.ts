import { randomUUID } from 'node:crypto'
import type { ChangeBlock } from '@lodge/shared/billing/billing.ts'
import { type Cycle, periodEnd } from '@lodge/shared/billing/cycles.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advanceDue } from '../../../control-plane/src/domains/billing/advance.ts'
import { provisionDue } from '../../../control-plane/src/domains/billing/provision.ts'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let admin: Caller
let templateId: string
let otherTemplateId: string
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  await lodge.node()
  await lodge.keepNodesOnline()
  templateId = (await lodge.template()).id
  otherTemplateId = (await lodge.template()).id
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await lodge.database.pool.query<Row>(text, values)).rows

const DAY_MS = 86_400_000
const price = (amount: number, more: object = {}) => ({
  ...{ cycle: 'monthly' as Cycle, amount, currency: 'EUR' },
  ...more,
})
const plan = (amount: number, more: object = {}) =>
  admin.must('POST /api/plans', {
    body: {
      ...{ name: randomUUID(), kind: 'account', visibility: 'public', prices: [price(amount)] },
      ...more,
    },
  })
const size = { memoryMb: 128, cpuPercent: 10, diskMb: 128 }
const serverPlan = (amount: number, preset: object = {}, more: object = {}) =>
  plan(amount, {
    ...{ kind: 'server', ...more },
    preset: { ...size, templateIds: [templateId], locations: 'any', ...preset },
  })

interface Subscribed {
  readonly person: Caller
  readonly userId: string
  readonly id: string
}
/** Somebody who paid for the first month of a plan, if it costs anything yet. */
async function subscriber(planId: string, more: object = {}): Promise<Subscribed> {
  const { id: userId, email } = await lodge.customer()
  const person = await lodge.session(userId, email)
  const { id, invoice } = await person.must('POST /api/store/checkout', {
    body: { planId, cycle: 'monthly', ...more },
  })
  if (invoice) await pay(invoice.id, invoice.total)
  return { person, userId, id }
}
const pay = (id: string, amount: number) =>
  admin.must('POST /api/billing/invoices/{id}/mark-paid', { params: { id }, body: { amount } })
const withServer = () => ({ server: { name: 'shop', templateId } })

const preview = ({ person, id }: Subscribed, planId: string, cycle: Cycle = 'monthly') =>
  person.must('GET /api/billing/preview-change', { query: { subscriptionId: id, planId, cycle } })
const change = ({ person, id }: Subscribed, planId: string, more: object = {}) =>
  person.call('POST /api/billing/subscriptions/{id}/change', {
    params: { id },
    body: { planId, cycle: 'monthly', ...more },
  })
const stateOf = async ({ person, id }: Subscribed) => {
  const { subscriptions, invoices, balances } = await person.must('GET /api/billing')
  const found = subscriptions.find((one) => one.id === id)
  if (!found) throw new Error('no such subscription')
  return { ...found, invoices, balances }
}
/** Runs what is due for one subscription at a time, until nothing is. */
async function runAt({ id }: Subscribed, now: Date) {
  for (let round = 0; round < 4; round += 1) {
    await query('update subscriptions set next_at = $1 where id = $2', [now, id])
    await advanceDue(lodge.controlPlane.services, now)
  }
}

describe('a preview says what a change of plan makes different', () => {
  test('of an account: the limits that change, and what is beyond the new ones', async () => {
    const limits = { maxServers: 4, maxMemoryMb: 4096, maySftp: true, maxBackups: 3 }
    const big = await plan(2000, { limits: { ...limits, allowedTemplates: 'unlimited' } })
    const small = await plan(1000, {
      limits: { maxServers: 1, maxMemoryMb: 4096, maySftp: false, allowedTemplates: [] },
    })
    const one = await subscriber(big.id)
    const server = { ownerId: one.userId, templateId, memoryMb: 64, cpuPercent: 5, diskMb: 64 }
    for (const name of ['first', 'second'])
      await admin.must('POST /api/servers', { body: { ...server, name } })
    const { effects, mode } = await preview(one, small.id)
    expect(mode).toBe('at_period_end')
    expect(effects).toEqual([
      { code: 'limit', key: 'maxServers', from: 4, to: 1, used: 2, over: true },
      { code: 'limit', key: 'maxBackups', from: 3, to: 'unlimited', used: 0, over: false },
      ...[
        {
          code: 'limit',
          key: 'allowedTemplates',
          from: 'unlimited',
          to: [],
          used: null,
          over: true,
        },
        { code: 'limit', key: 'maySftp', from: true, to: false, used: null, over: false },
      ],
    ])
  })

  test('of a server: its size, before it is made and after; a plan of the same size changes nothing', async () => {
    const small = await serverPlan(1000)
    const big = await serverPlan(2000, { memoryMb: 256, cpuPercent: 20 })
    const same = await serverPlan(1500)
    const one = await subscriber(small.id, withServer())
    const grows = [
      { code: 'resource', resource: 'memoryMb', from: 128, to: 256 },
      { code: 'resource', resource: 'cpuPercent', from: 10, to: 20 },
    ]
    expect((await preview(one, big.id)).effects).toEqual(grows)
    while ((await provisionDue(lodge.controlPlane.services)) > 0);
    expect((await stateOf(one)).server?.state).toBe('made')
    expect((await preview(one, big.id)).effects).toEqual(grows)
    expect(await preview(one, same.id)).toMatchObject({ blocked: [], effects: [] })
  })

  test('of its time: another cycle begins a new period, and a trial goes on', async () => {
    const yearly = price(9000, { cycle: 'yearly' })
    const one = await subscriber((await plan(0, { prices: [price(1000), yearly] })).id)
    const { planId, periodEnd } = await stateOf(one)
    const { effects, credit, charge, nextAt, lines } = await preview(one, planId, 'yearly')
    expect(effects).toEqual([{ code: 'period', from: periodEnd, to: nextAt }])
    expect([charge, lines.map(({ amount }) => amount)]).toEqual([9000, [-credit, 9000]])
    const tried = await subscriber(
      (await plan(1000, { prices: [price(1000, { trialDays: 9 })] })).id,
    )
    const other = await plan(3000, { prices: [price(3000, { setupFee: 700 })] })
    const { trialEndsAt } = await stateOf(tried)
    expect(await preview(tried, other.id)).toMatchObject({
      ...{ dueNow: 0, nextAmount: 3700, nextAt: trialEndsAt },
      effects: [{ code: 'trial', until: trialEndsAt }],
    })
  })
})

test('each reason against a change is told by its own code', async () => {
  const small = await serverPlan(1000, { memoryMb: 256 })
  const one = await subscriber(small.id, withServer())
  while ((await provisionDue(lodge.controlPlane.services)) > 0);
  const [server] = await query<{ key: number }>(
    'select metric_key as key from servers where subscription_id = $1',
    [one.id],
  )
  const measured = (mb: number) =>
    query(
      `insert into server_usage (key, at, cpu, memory, rx, tx, disk) values ($1, now(), 0, 0, 0, 0, $2)
       on conflict (key) do update set disk = excluded.disk`,
      [server?.key, mb * 1024 * 1024],
    )
  const blocked = async (planId: string, cycle: Cycle = 'monthly') =>
    (await preview(one, planId, cycle)).blocked
  const reasons: [ChangeBlock, Awaited<ReturnType<typeof plan>>][] = [
    ['same_plan', small],
    ['not_purchasable', await serverPlan(2000, {}, { visibility: 'hidden' })],
    ['out_of_stock', await serverPlan(2000, {}, { stock: 0 })],
    ['no_capacity', await serverPlan(2000, { memoryMb: 16_000_000 })],
    ['template_not_in_plan', await serverPlan(2000, { templateIds: [otherTemplateId] })],
    ['currency', await serverPlan(2000, {}, { prices: [price(2000, { currency: 'USD' })] })],
    ['kind', await plan(2000)],
  ]
  for (const [block, { id }] of reasons)
    expect([block, await blocked(id)]).toEqual([block, [block]])
  expect(await blocked(small.id, 'yearly')).toEqual(['not_purchasable'])
  const few = await serverPlan(2000, {}, { perCustomerMax: 1 })
  await one.person.must('POST /api/store/checkout', {
    body: { planId: few.id, cycle: 'monthly', ...withServer() },
  })
  expect(await blocked(few.id)).toEqual(['per_customer_max'])
  // A container's disk shrinks as far as its files permit, once somebody knows how much they take.
  const tight = await serverPlan(2000, { diskMb: 64 })
  expect(await blocked(tight.id)).toEqual(['disk_shrink'])
  await measured(65)
  expect(await blocked(tight.id)).toEqual(['disk_shrink'])
  await measured(64)
  expect(await preview(one, tight.id)).toMatchObject({
    ...{
      blocked: [],
      effects: expect.arrayContaining([
        { code: 'resource', resource: 'diskMb', from: 128, to: 64 },
      ]),
    },
  })
  const refused = await change(one, few.id)
  expect(refused).toMatchObject({
    ...{ status: 409, body: { code: 'change_blocked', blocked: ['per_customer_max'] } },
  })
  const big = await serverPlan(2000)
  expect((await change(one, big.id)).status).toBe(200)
  expect(await blocked(tight.id)).toEqual(['pending_change'])
  await query(`update subscriptions set status = 'past_due' where id = $1`, [one.id])
  expect(await blocked(big.id)).toEqual(expect.arrayContaining(['past_due']))
})

test('an open renewal is void as soon as an upgrade is asked for, and comes again at the price of what is paid', async () => {
  const [paid, dropped] = [
    await subscriber((await plan(1000)).id),
    await subscriber((await plan(1000)).id),
  ]
  const big = await plan(3000)
  for (const one of [paid, dropped]) {
    const end = new Date((await stateOf(one)).periodEnd ?? '')
    const before = new Date(end.getTime() - 3 * DAY_MS)
    const inHand = one === paid ? 400 : 0
    if (inHand > 0) await pay((await stateOf(one)).invoices[0]?.id ?? '', inHand)
    await runAt(one, before)
    const total = 1000 - inHand
    expect((await stateOf(one)).invoices[0]).toMatchObject({ status: 'open', total })
    const { dueNow, quoteId } = await preview(one, big.id)
    expect((await change(one, big.id, { quoteId })).status).toBe(200)
    const [asked, renewal] = (await stateOf(one)).invoices
    expect([asked?.status, renewal?.status]).toEqual(['open', 'void'])
    // What the renewal had taken from the balance is used for the change.
    expect(asked?.total).toBe(dueNow)
    if (one === paid) await pay(asked?.id ?? '', asked?.total ?? 0)
    await runAt(one, one === paid ? before : end)
    const price = one === paid ? 3000 : 1000
    expect((await stateOf(one)).invoices[0]).toMatchObject({ status: 'open', total: price })
  }
})

test('a period that the host gave is free: what is left of it is no credit, and a change waits for its end', async () => {
  const one = await subscriber((await plan(2000)).id)
  const end = new Date((await stateOf(one)).periodEnd ?? '')
  await runAt(one, new Date(end.getTime() - 3 * DAY_MS))
  const id = (await stateOf(one)).invoices[0]?.id ?? ''
  await admin.must('POST /api/billing/invoices/{id}/void', { params: { id } })
  await runAt(one, end)
  expect((await stateOf(one)).periodStart).toBe(end.toISOString())
  const yearly = await plan(0, { prices: [price(9000, { cycle: 'yearly' })] })
  expect(await preview(one, yearly.id, 'yearly')).toMatchObject({
    ...{ blocked: [], mode: 'at_period_end', lines: [], credit: 0 },
  })
})

test('a next period that is paid already is delivered before a cancellation takes effect, unless it was refunded', async () => {
  for (const isRefunded of [false, true]) {
    const one = await subscriber((await plan(1000)).id)
    const { periodStart, periodEnd: until } = await stateOf(one)
    const end = new Date(until ?? '')
    await runAt(one, new Date(end.getTime() - 3 * DAY_MS))
    const id = (await stateOf(one)).invoices[0]?.id ?? ''
    await pay(id, 1000)
    if (isRefunded)
      await admin.must('POST /api/billing/invoices/{id}/refund', {
        ...{ params: { id }, body: { amount: 1000, way: 'host', subscription: 'keep' } },
      })
    await one.person.must('POST /api/billing/subscriptions/{id}/cancel', { params: { id: one.id } })
    const last = isRefunded ? end : periodEnd(new Date(periodStart ?? ''), 'monthly', 2)
    expect((await stateOf(one)).periodEnd).toBe(last.toISOString())
    await runAt(one, end)
    expect((await stateOf(one)).status).toBe(isRefunded ? 'canceled' : 'active')
    await runAt(one, last)
    expect((await stateOf(one)).status).toBe('canceled')
  }
})

describe('the host', () => {
  const byHost = (id: string, planId: string, more: object = {}) => ({
    params: { id },
    body: { planId, cycle: 'monthly' as Cycle, ...more },
  })
  const shownToHost = (
    id: string,
    query: { planId: string; cycle?: Cycle; mode?: 'immediate' | 'at_period_end' },
  ) =>
    admin.must('GET /api/billing/subscriptions/{id}/preview-change', {
      params: { id },
      query: { cycle: 'monthly', ...query },
    })

  test('moves a customer down at once, whose rest goes to their balance, and gives plans that are not for sale', async () => {
    const one = await subscriber((await plan(3000)).id)
    const hidden = await plan(1000, { visibility: 'hidden' })
    expect((await preview(one, hidden.id)).blocked).toEqual(['not_purchasable'])
    const shown = await shownToHost(one.id, { planId: hidden.id, mode: 'immediate' })
    expect(shown).toMatchObject({ blocked: [], mode: 'immediate', dueNow: 0, nextAmount: 1000 })
    await admin.must(
      'POST /api/billing/subscriptions/{id}/change-plan',
      byHost(one.id, hidden.id, { mode: 'immediate', quoteId: shown.quoteId }),
    )
    expect(await stateOf(one)).toMatchObject({
      ...{ planName: hidden.name, pendingChange: null },
      balances: [{ currency: 'EUR', amount: shown.credit - shown.charge }],
    })
    expect(shown.credit).toBeGreaterThan(shown.charge)
  })

  test('moves a customer up, or to another cycle, with the next period, which is counted from there', async () => {
    const big = await plan(0, { prices: [price(3000), price(20_000, { cycle: 'yearly' })] })
    const one = await subscriber((await plan(1000)).id)
    const end = new Date((await stateOf(one)).periodEnd ?? '')
    const wanted = { planId: big.id, cycle: 'yearly', mode: 'at_period_end' } as const
    const shown = await shownToHost(one.id, wanted)
    expect(shown).toMatchObject({ lines: [], dueNow: 0, nextAt: end.toISOString(), effects: [] })
    await admin.must(
      'POST /api/billing/subscriptions/{id}/change-plan',
      byHost(one.id, big.id, { cycle: 'yearly', mode: 'at_period_end' }),
    )
    expect(await stateOf(one)).toMatchObject({
      pendingChange: { planName: big.name, effectiveAt: end.toISOString() },
    })
    await runAt(one, new Date(end.getTime() - 3 * DAY_MS))
    const renewal = (await stateOf(one)).invoices.find(({ status }) => status === 'open')
    expect(renewal).toMatchObject({ total: 20_000 })
    await pay(renewal?.id ?? '', 20_000)
    await runAt(one, end)
    const after = await stateOf(one)
    const year = periodEnd(end, 'yearly', 1)
    expect(after).toMatchObject({ planName: big.name, pendingChange: null })
    expect([after.periodStart, after.periodEnd]).toEqual([end.toISOString(), year.toISOString()])
  })
})

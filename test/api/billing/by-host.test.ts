import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceDue } from '../../../control-plane/src/domains/billing/advance.ts'
import { provisionDue } from '../../../control-plane/src/domains/billing/provision.ts'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

// What hosts do with single subscriptions: suspend them, give them free time, give them away.

let lodge: Lodge
let admin: Caller
let templateId: string
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  await lodge.node()
  templateId = (await lodge.template()).id
})
afterAll(() => lodge[Symbol.asyncDispose]())

const DAY_MS = 86_400_000
const REASON = 'Too many mails were sent from it'
const MONTHLY = { cycle: 'monthly', amount: 1000, currency: 'EUR' } as const

const makePlan = (more: object = {}) =>
  admin.must('POST /api/plans', {
    body: {
      ...{ name: randomUUID(), kind: 'account', visibility: 'public', prices: [MONTHLY], ...more },
    },
  })
const serverPlan = (more: object = {}) =>
  makePlan({
    kind: 'server',
    preset: {
      ...{ memoryMb: 128, cpuPercent: 10, diskMb: 128, locations: 'any' },
      templateIds: [templateId],
    },
    ...more,
  })
async function buyer() {
  const { id, email } = await lodge.customer()
  return lodge.session(id, email)
}
/** A paid month of a plan with a server. */
async function subscribed() {
  const person = await buyer()
  const { id, invoice } = await person.must('POST /api/store/checkout', {
    body: {
      ...{ planId: (await serverPlan()).id, cycle: 'monthly' },
      server: { name: 'shop', templateId },
    },
  })
  await admin.must('POST /api/billing/invoices/{id}/mark-paid', {
    params: { id: invoice?.id ?? '' },
    body: { amount: 1000 },
  })
  await provisionDue(lodge.controlPlane.services)
  return { person, path: { params: { id } }, id }
}
const state = async (person: Caller, id?: string) => {
  const { subscriptions, invoices } = await person.must('GET /api/billing')
  const found = subscriptions.find((one) => id === undefined || one.id === id)
  if (!found) throw new Error('no such subscription')
  return { ...found, invoices }
}
const holdsOf = async (id: string) => {
  const { rows } = await lodge.database.pool.query<{ cause: string }>(
    `select cause from server_holds as hold join servers on servers.id = server_id
     where subscription_id = $1 and hold.kind = 'suspension' order by cause`,
    [id],
  )
  return rows.map(({ cause }) => cause)
}
async function runAt(now: Date, id: string) {
  for (let round = 0; round < 4; round += 1) {
    await lodge.database.pool.query(
      'update subscriptions set next_at = $1 where next_at is not null and id = $2',
      [now, id],
    )
    await advanceDue(lodge.controlPlane.services, now)
  }
}
const suspend = (path: { params: { id: string } }) =>
  admin.call('POST /api/billing/subscriptions/{id}/suspend', { ...path, body: { reason: REASON } })
const lift = (path: { params: { id: string } }) =>
  admin.call('POST /api/billing/subscriptions/{id}/unsuspend', path)

test('a suspended subscription says why, is billed nothing, and gets back the time that it lost', async () => {
  const { person, path, id } = await subscribed()
  const before = await state(person)
  expect(await suspend(path)).toMatchObject({ status: 200 })
  const suspended = await state(person)
  expect(suspended).toMatchObject({
    ...{ status: 'suspended', suspendedFor: 'admin', suspensionReason: REASON },
    actions: { pay: { allowed: false }, change: { allowed: false }, cancel: { allowed: true } },
  })
  expect(await holdsOf(id)).toEqual(['billing'])
  const { items } = await person.must('GET /api/notifications')
  expect(items.find(({ type }) => type === 'subscription.suspended')?.body).toContain(REASON)
  await runAt(new Date(Date.parse(before.periodEnd ?? '') + 40 * DAY_MS), id)
  expect(await state(person)).toMatchObject({ status: 'suspended', invoices: [{ status: 'paid' }] })
  expect(await suspend(path)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } })
  await lodge.database.pool.query(
    `update subscriptions set suspended_at = now() - interval '10 days' where id = $1`,
    [id],
  )
  expect(await lift(path)).toMatchObject({ status: 200, body: { suspensionReason: null } })
  const after = await state(person)
  expect(after).toMatchObject({ status: 'active', suspendedFor: null })
  const later = Date.parse(after.periodEnd ?? '') - Date.parse(before.periodEnd ?? '')
  expect(Math.round(later / DAY_MS)).toBe(10)
  expect(await holdsOf(id)).toEqual([])
  expect(await lift(path)).toMatchObject({ status: 409 })
})

/** Pays or voids the renewal that is issued before the boundary. */
async function settleNext(person: Caller, id: string, boundary: string, how: 'paid' | 'void') {
  await runAt(new Date(Date.parse(boundary) - DAY_MS), id)
  const open = (await state(person)).invoices.find(({ status }) => status === 'open')
  const params = { id: open?.id ?? '' }
  if (how === 'void') await admin.must('POST /api/billing/invoices/{id}/void', { params })
  else
    await admin.must('POST /api/billing/invoices/{id}/mark-paid', {
      params,
      body: { amount: 1000 },
    })
}
const chargedOf = async (person: Caller) =>
  (await state(person)).invoices.filter(({ status }) => status !== 'void').length

test('a next period that was given away stays free when free time is added before it', async () => {
  const { person, path, id } = await subscribed()
  const { periodEnd } = await state(person)
  await settleNext(person, id, periodEnd ?? '', 'void')
  await admin.must('POST /api/billing/subscriptions/{id}/grant', { ...path, body: { days: 3 } })
  await runAt(new Date(Date.parse(periodEnd ?? '') + 4 * DAY_MS), id)
  const after = await state(person)
  expect(after.status).toBe('active')
  expect(Date.parse(after.periodEnd ?? '')).toBeGreaterThan(
    Date.parse(periodEnd ?? '') + 20 * DAY_MS,
  )
  expect(await chargedOf(person)).toBe(1)
})

test('a period that was paid during a trial is not charged again after a suspension', async () => {
  const person = await buyer()
  const plan = await makePlan({ prices: [{ ...MONTHLY, trialDays: 14 }] })
  const { id } = await person.must('POST /api/store/checkout', {
    body: { planId: plan.id, cycle: 'monthly' },
  })
  const path = { params: { id } }
  const { trialEndsAt } = await state(person)
  await settleNext(person, id, trialEndsAt ?? '', 'paid')
  await suspend(path)
  await lodge.database.pool.query(
    `update subscriptions set suspended_at = now() - interval '10 days' where id = $1`,
    [id],
  )
  await lift(path)
  await runAt(new Date(Date.parse(trialEndsAt ?? '') + 11 * DAY_MS), id)
  expect((await state(person)).status).toBe('active')
  expect(await chargedOf(person)).toBe(1)
})

test('a change of plan waits for the end of a period that free time made longer', async () => {
  const { person, path, id } = await subscribed()
  const large = await serverPlan({ prices: [{ ...MONTHLY, amount: 9000 }] })
  const modeNow = async () =>
    (
      await person.must('GET /api/billing/preview-change', {
        query: { subscriptionId: id, planId: large.id, cycle: 'monthly' },
      })
    ).mode
  expect(await modeNow()).toBe('immediate')
  await admin.must('POST /api/billing/subscriptions/{id}/grant', { ...path, body: { days: 30 } })
  expect(await modeNow()).toBe('at_period_end')
})

test('lifting it lifts neither what its server nor what its account is suspended for', async () => {
  const { person, path, id } = await subscribed()
  const serverId = (await state(person)).server?.id ?? ''
  const act = (action: 'suspend' | 'unsuspend') =>
    admin.must('POST /api/servers/{id}/actions', { params: { id: serverId }, body: { action } })
  await act('suspend')
  await suspend(path)
  expect(await holdsOf(id)).toEqual(['administrator', 'billing'])
  await act('unsuspend')
  expect(await holdsOf(id)).toEqual(['billing'])
  const account = { params: { id: person.id } }
  await suspendAccount(account, true)
  await lift(path)
  expect(await holdsOf(id)).toEqual(['account'])
  const [row] = (
    await lodge.database.pool.query(
      'select status, suspended_for as "for", suspension_reason as why from subscriptions where id = $1',
      [id],
    )
  ).rows
  expect(row).toEqual({ status: 'suspended', for: 'account', why: null })
  // Nor does what belongs to the account end by this one.
  expect(await lift(path)).toMatchObject({ status: 409 })
  await liftAccount(account)
  expect(await holdsOf(id)).toEqual([])
  expect(await state(await lodge.session(person.id))).toMatchObject({ status: 'active' })
})

/** Lets ten days pass for what stands still. */
const pauseLonger = (userId: string) =>
  lodge.database.pool.query(
    `update subscriptions set suspended_at = suspended_at - interval '10 days' where user_id = $1`,
    [userId],
  )
const suspendAccount = (account: { params: { id: string } }, pauseBilling: boolean) =>
  admin.must('POST /api/customers/{id}/suspend', {
    ...{ ...account, body: { reasonCode: 'other', options: { pauseBilling } } },
  })
const liftAccount = (account: { params: { id: string } }) =>
  admin.must('DELETE /api/customers/{id}/suspension', { ...account, query: {} })
/** The status, also of somebody who cannot sign in. */
const statusesOf = async (userId: string) =>
  (await admin.must('GET /api/billing/subscriptions', { query: { userId } })).items.map(
    ({ status, suspendedFor }) => `${status} ${suspendedFor}`,
  )

test('changing whether a suspension pauses billing pauses it, or lets it go on', async () => {
  const { person } = await subscribed()
  const before = await state(person)
  const account = { params: { id: person.id } }
  const change = (pauseBilling: boolean) =>
    admin.must('PATCH /api/customers/{id}/suspension', {
      ...{ ...account, body: { options: { pauseBilling } } },
    })
  await suspendAccount(account, false)
  expect(await statusesOf(person.id)).toEqual(['active null'])
  await change(true)
  expect(await statusesOf(person.id)).toEqual(['suspended account'])
  await pauseLonger(person.id)
  await change(false)
  expect(await statusesOf(person.id)).toEqual(['active null'])
  await liftAccount(account)
  const after = await state(await lodge.session(person.id))
  const later = Date.parse(after.periodEnd ?? '') - Date.parse(before.periodEnd ?? '')
  expect(Math.round(later / DAY_MS)).toBe(10)
})

test('what is paid while billing is paused begins when it goes on, and loses no time', async () => {
  const { person, id } = await subscribed()
  const end = Date.parse((await state(person)).periodEnd ?? '')
  for (const day of [-6, 0, 8]) await runAt(new Date(end + day * DAY_MS), id)
  expect((await state(person)).suspendedFor).toBe('unpaid')
  await person.must('POST /api/store/checkout', {
    body: { planId: (await makePlan()).id, cycle: 'monthly' },
  })
  const open = (await state(person)).invoices.filter(({ status }) => status === 'open')
  const account = { params: { id: person.id } }
  await suspendAccount(account, true)
  for (const invoice of open)
    await admin.must('POST /api/billing/invoices/{id}/mark-paid', {
      ...{ params: { id: invoice.id }, body: { amount: 1000 } },
    })
  expect(await statusesOf(person.id)).toEqual(['suspended account', 'suspended account'])
  await pauseLonger(person.id)
  await liftAccount(account)
  const { subscriptions } = await (await lodge.session(person.id)).must('GET /api/billing')
  for (const { status, periodStart } of subscriptions)
    expect([status, Math.round((Date.parse(periodStart ?? '') - Date.now()) / DAY_MS)]).toEqual([
      ...['active', 10],
    ])
})

test('free time ends the paid period later, and its renewal is asked for by then', async () => {
  const { person, path, id } = await subscribed()
  const end = Date.parse((await state(person)).periodEnd ?? '')
  await runAt(new Date(end - 6 * DAY_MS), id)
  expect((await state(person)).invoices[0]).toMatchObject({ status: 'open' })
  const grant = (days: number) =>
    admin.call('POST /api/billing/subscriptions/{id}/grant', { ...path, body: { days } })
  expect(await grant(10)).toMatchObject({
    body: { status: 'active', periodEnd: new Date(end + 10 * DAY_MS).toISOString() },
  })
  expect((await state(person)).invoices[0]).toMatchObject({ status: 'void' })
  await runAt(new Date(end + 5 * DAY_MS), id)
  const [renewal] = (await state(person)).invoices
  expect(renewal).toMatchObject({
    ...{ status: 'open', total: 1000, dueAt: new Date(end + 10 * DAY_MS).toISOString() },
  })
  // Paid already, the next period begins later, too, and is a whole one.
  await admin.must('POST /api/billing/invoices/{id}/mark-paid', {
    params: { id: renewal?.id ?? '' },
    body: { amount: 1000 },
  })
  await grant(1)
  const from = new Date(end + 11 * DAY_MS)
  await runAt(from, id)
  const next = await state(person)
  expect(next).toMatchObject({ status: 'active', periodStart: from.toISOString() })
  const days = (Date.parse(next.periodEnd ?? '') - from.getTime()) / DAY_MS
  expect([days >= 28, days <= 31]).toEqual([true, true])
  await suspend(path)
  expect(await grant(1)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } })
})

test('a hidden plan is given for nothing, from a later day on, or for its first invoice', async () => {
  const plan = await serverPlan({ visibility: 'hidden', stock: 3, perCustomerMax: 1 })
  const person = await buyer()
  const give = (price: object | null, more: object = {}) =>
    admin.call('POST /api/billing/subscriptions', {
      body: {
        ...{ userId: person.id, planId: plan.id, price: price as never },
        ...{ server: { name: 'gift', templateId }, ...more },
      },
    })
  const at = { cycle: 'monthly' }
  const gift = await give(null)
  expect(gift).toMatchObject({ status: 201, body: { status: 'active', price: null } })
  const later = await give({ ...at, freeDays: 14 })
  expect(later).toMatchObject({ status: 201, body: { status: 'trialing' } })
  const sold = await give({ ...at, freeDays: 0 })
  expect(sold).toMatchObject({ status: 201, body: { status: 'incomplete' } })
  expect(await give(null)).toMatchObject({ status: 409, body: { code: 'out_of_stock' } })
  const { invoices, subscriptions } = await person.must('GET /api/billing')
  expect([subscriptions.length, invoices.map(({ status, total }) => [status, total])]).toEqual([
    3,
    [['open', 1000]],
  ])
  const servers = subscriptions.map(({ server }) => server?.state).sort()
  expect(servers.filter((one) => one === 'reserved')).toHaveLength(1)
  await provisionDue(lodge.controlPlane.services)
  const made = (await person.must('GET /api/servers')).items
  expect(made.filter(({ name }) => name === 'gift')).toHaveLength(2)
  const stranger = await admin.call('POST /api/billing/subscriptions', {
    body: { userId: randomUUID(), planId: plan.id, price: null },
  })
  expect(stranger).toMatchObject({ status: 400 })
  await admin.must('POST /api/plans/{id}/archive', { params: { id: plan.id } })
  expect(await give(null)).toMatchObject({ status: 409, body: { code: 'not_for_sale' } })
  const { items } = await admin.must('GET /api/billing/plans')
  expect(items.some(({ id }) => id === plan.id)).toBe(false)
})

test('staff find invoices and subscribers by customer, number, plan, currency and status', async () => {
  const plan = await makePlan({ name: `Listed ${randomUUID()}` })
  const yen = await makePlan({ prices: [{ ...MONTHLY, currency: 'JPY' }] })
  const { id: userId, email } = await lodge.customer()
  const person = await lodge.session(userId, email)
  const buy = async ({ id }: { id: string }) =>
    (await person.must('POST /api/store/checkout', { body: { planId: id, cycle: 'monthly' } }))
      .invoice
  const bought = [await buy(plan), await buy(plan), await buy(yen)]
  const [first, second, third] = bought.map((one) => one?.number)
  const found = async (filter: string, more: object = {}) =>
    (await admin.must('GET /api/billing/invoices', { query: { filter, ...more } })).items.map(
      ({ number }) => number,
    )
  expect(await found(email)).toEqual([third, second, first])
  expect(await found(email.toUpperCase())).toEqual([third, second, first])
  expect(await found(`${second}`)).toEqual([second])
  expect(await found(`customer:${email} currency:jpy`)).toEqual([third])
  expect(await found(`plan:"${plan.name}" number:${first},${third}`)).toEqual([first])
  expect(await found(`customer:${email} status:paid`)).toEqual([])
  expect(await found('status:gone')).toEqual([])
  await lodge.database.pool.query(
    `update invoices set due_at = now() - interval '1 minute' where number = $1`,
    [second],
  )
  expect(await found(`customer:${email} status:overdue`)).toEqual([second])
  // Of one customer, whatever others are called.
  const [own, other] = [{ userId }, { userId: randomUUID() }]
  expect(await found('currency:eur', own)).toEqual([second, first])
  expect(await found('', other)).toEqual([])
  const ofOne = (query: object) => admin.must('GET /api/billing/subscriptions', { query })
  expect((await ofOne(own)).items.map((one) => one.email)).toEqual([email, email, email])
  expect((await ofOne(other)).items).toEqual([])
  // By the address and the name that a customer has now, too.
  await lodge.database.pool.query(`update users set email = $2, name = $3 where id = $1`, [
    ...[userId, `new-${email}`, `Ada ${userId}`],
  ])
  expect(await found(`new-${email}`)).toHaveLength(3)
  const page = await admin.must('GET /api/billing/invoices', {
    query: { filter: `"Ada ${userId}"`, limit: 2 },
  })
  expect(page.items.map(({ number }) => number)).toEqual([third, second])
  const rest = { limit: 2, after: page.nextCursor ?? '' }
  expect(await found(`"Ada ${userId}"`, rest)).toEqual([first])

  const subscribers = async (filter: string) =>
    (await admin.must('GET /api/billing/subscriptions', { query: { filter } })).items.map(
      ({ planName, status }) => `${planName} ${status}`,
    )
  const listed = `${plan.name} incomplete`
  expect(await subscribers(userId)).toEqual([`${yen.name} incomplete`, listed, listed])
  expect(await subscribers(`${userId} currency:eur`)).toEqual([listed, listed])
  expect(await subscribers(`plan:"${plan.name}" status:incomplete,active`)).toHaveLength(2)
  expect(await subscribers(`customer:ada* plan:"${yen.name}"`)).toHaveLength(1)
  expect(await subscribers(`${userId} status:active`)).toEqual([])
})

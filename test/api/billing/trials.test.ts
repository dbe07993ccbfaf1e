import { randomUUID } from 'node:crypto'
import type { BillingSettings } from '@lodge/shared/billing/billing.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fetchPages } from '../../../control-plane/src/domains/billing/providers/pages.ts'
import { projectEvents } from '../../../control-plane/src/domains/billing/providers/project.ts'
import { refetchPayments } from '../../../control-plane/src/domains/billing/providers/refetch.ts'
import { callPlugin } from '../../../control-plane/src/domains/plugins/index.ts'
import type { Caller } from '../../support/caller.ts'
import { BANK, bank, bankWorld, CARD } from './bank-world.ts'
import { STRIPE_SETTINGS, startStripe } from './stripe-stand-in.ts'

let stripe: Awaited<ReturnType<typeof startStripe>>
let world: Awaited<ReturnType<typeof bankWorld>>
beforeAll(async () => {
  stripe = await startStripe()
  world = await bankWorld(stripe.host)
})
afterAll(async () => {
  await world?.end()
  stripe?.close()
})

const DAY_MS = 86_400_000
const TRIAL_DAYS = 14
const TRIAL = {
  ...({ cycle: 'monthly', amount: 1000, currency: 'EUR' } as const),
  ...{ trialDays: TRIAL_DAYS, setupFee: 500 },
}
const plan = (
  prices: { cycle: 'monthly'; amount: number; currency: string; trialDays?: number }[] = [TRIAL],
) =>
  world.admin.must('POST /api/plans', {
    body: {
      ...{ name: randomUUID(), kind: 'account', visibility: 'public', limits: { maxServers: 7 } },
      prices,
    },
  })
const buy = (person: Caller, planId: string) =>
  person.must('POST /api/store/checkout', { body: { planId, cycle: 'monthly' } })

/** Somebody at the checkout of a trial, whom the provider calls `ref`. */
async function customer() {
  const { id, email } = await world.lodge.customer()
  const person = await world.lodge.session(id, email)
  const billing = async () => {
    const found = await person.must('GET /api/billing')
    const [subscription] = found.subscriptions
    return { ...found, subscription, newest: found.invoices[0] }
  }
  const save = (provider = BANK) =>
    person.must('POST /api/billing/payment-methods/{provider}', { params: { provider } })
  /** What the panel does when they are back from the provider. */
  const back = () =>
    person.call('PUT /api/billing/payment-methods/{provider}', {
      ...bank,
      body: { autoCharge: true },
    })
  const ref = `cus_${id}`
  const card = (value: typeof CARD | null) => world.book(`method:${ref}`, value)
  const told = async () =>
    (await person.must('GET /api/notifications')).items.map(({ title }) => title)
  return { id, person, ref, billing, save, back, card, told, first: '' }
}
type Customer = Awaited<ReturnType<typeof customer>>

/** Somebody whose trial began with a saved card. */
async function onTrial() {
  const one = await customer()
  await buy(one.person, (await plan()).id)
  await one.save()
  await one.card(CARD)
  expect((await one.back()).status).toBe(200)
  return one
}
/** Does what is due so many days after the end of a trial. */
async function runAt(one: Customer, days: number) {
  const { subscription } = await one.billing()
  const ends = Date.parse(subscription?.trialEndsAt ?? '')
  return world.runUntil(one.id, new Date(ends + days * DAY_MS))
}
async function withSettings(change: Partial<BillingSettings>, work: () => Promise<void>) {
  const before = await world.admin.must('GET /api/billing/settings')
  await world.admin.must('PUT /api/billing/settings', { body: { ...before, ...change } })
  try {
    await work()
  } finally {
    await world.admin.must('PUT /api/billing/settings', { body: before })
  }
}

describe('a trial', () => {
  test('begins once a payment method is saved, which is charged when it ends, with the setup fee', async () => {
    const one = await customer()
    const { id: planId } = await plan()
    const offer = { query: { planId, cycle: 'monthly' as const } }
    expect(await one.person.must('GET /api/store/preview-checkout', offer)).toMatchObject({
      ...{ total: 0, trialDays: TRIAL_DAYS, methodNeeded: true },
    })
    const { id, ...bought } = await buy(one.person, planId)
    expect(bought).toMatchObject({ status: 'open', invoice: null, methodNeeded: true })
    const kept = Date.parse(bought.expiresAt ?? '') - Date.now()
    expect(kept / DAY_MS).toBeCloseTo(1, 1)
    const limit = async () =>
      (await one.person.must('GET /api/limits/me')).limits.find(({ key }) => key === 'maxServers')
    expect(await limit()).toMatchObject({ value: 'unlimited' })
    const { url } = await one.save()
    expect(url).toMatch(
      new RegExp(`^https://bank.example/save/${one.ref}#.*/billing\\?charge=${BANK}$`),
    )
    expect(await one.back()).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    expect((await one.billing()).subscription).toMatchObject({
      ...{ id, status: 'incomplete', methodNeeded: true, trialEndsAt: null },
    })
    await one.card(CARD)
    expect((await one.back()).status).toBe(200)
    expect((await one.billing()).subscription).toMatchObject({
      ...{ status: 'trialing', methodNeeded: false, expiresAt: null },
    })
    expect(await limit()).toMatchObject({ value: 7 })
    expect(
      await one.person.must('GET /api/store/checkouts/{id}', { params: { id } }),
    ).toMatchObject({
      ...{ status: 'completed', methodNeeded: false },
    })

    await runAt(one, -6)
    await runAt(one, -2)
    const ending = (await one.told()).filter((title) => title.startsWith('Your trial'))
    expect(ending).toHaveLength(1)
    expect((await one.billing()).newest).toMatchObject({ status: 'open', total: 1500 })
    await runAt(one, 0)
    expect(await one.billing()).toMatchObject({
      subscription: { status: 'active' },
      newest: { status: 'paid', total: 1500 },
    })
  })

  test('begins by the provider’s report, or a look at it, if its customer never comes back', async () => {
    for (const reported of [true, false]) {
      const one = await customer()
      await buy(one.person, (await plan()).id)
      await one.save()
      await one.card(CARD)
      if (reported) {
        const checkout = { kind: 'checkout', ref: `cs_${one.id}`, paymentRef: null }
        await world.book(`checkout:${checkout.ref}`, { ...checkout, savedFor: one.ref })
        await world.report(checkout.ref, one.ref, 'checkout')
      } else await refetchPayments(world.services())
      expect(await one.billing()).toMatchObject({
        subscription: { status: 'trialing' },
        savedPayments: [{ autoCharge: true }],
      })
    }
  })

  test('is given up after a day without one, and is there for another time', async () => {
    const one = await customer()
    const { id: planId } = await plan()
    await buy(one.person, planId)
    await world.runUntil(one.id, new Date(Date.now() + DAY_MS + 60_000))
    expect((await one.billing()).subscription).toMatchObject({ status: 'expired' })
    expect(await buy(one.person, planId)).toMatchObject({ status: 'open', methodNeeded: true })
  })

  test('is one for each plan for ever, however often it is bought at once and whatever it becomes', async () => {
    const one = await customer()
    const [tried, other] = [await plan(), await plan()]
    for (let times = 0; times < 3; times += 1) await buy(one.person, tried.id)
    await one.save()
    await one.card(CARD)
    await one.back()
    const { subscriptions } = await one.billing()
    expect(subscriptions.map(({ status }) => status).toSorted()).toEqual([
      ...['expired', 'expired', 'trialing'],
    ])
    const id = subscriptions.find(({ status }) => status === 'trialing')?.id ?? ''
    await one.person.must('POST /api/billing/subscriptions/{id}/change', {
      ...{ params: { id }, body: { planId: other.id, cycle: 'monthly' } },
    })
    await world.admin.must('POST /api/billing/subscriptions/{id}/cancel-now', { params: { id } })
    for (const { id: planId } of [tried, other])
      expect(await buy(one.person, planId)).toMatchObject({
        ...{ methodNeeded: false, invoice: { total: 1500 } },
      })
  })

  test('ends, or becomes overdue if the settings say so, when nobody can be charged at its end', async () => {
    for (const [trialEnd, status] of [
      ['cancel', 'canceled'],
      ['past_due', 'past_due'],
    ] as const)
      await withSettings({ trialEnd }, async () => {
        const one = await onTrial()
        await one.person.must('DELETE /api/billing/payment-methods/{provider}', bank)
        await runAt(one, -6)
        await runAt(one, 0)
        expect((await one.billing()).subscription).toMatchObject({ status })
      })
  })

  test('that was paid on a page whose report was lost goes on, and ends if there is no money after all', async () => {
    const [paid, unpaid] = [await onTrial(), await onTrial()]
    for (const one of [paid, unpaid]) {
      await one.person.must('DELETE /api/billing/payment-methods/{provider}', bank)
      await runAt(one, -6)
      const id = (await one.billing()).newest?.id ?? ''
      await one.person.must('POST /api/billing/invoices/{id}/pay', {
        ...{ params: { id }, body: { provider: BANK, save: false } },
      })
      if (one === paid) await world.paySilently(id, 'succeeded', 1500)
      await fetchPages(world.services(), await runAt(one, 0))
    }
    expect((await paid.billing()).newest).toMatchObject({ status: 'paid' })
    await runAt(paid, 0)
    expect((await paid.billing()).subscription).toMatchObject({ status: 'active' })
    expect((await unpaid.billing()).subscription).toMatchObject({ status: 'trialing' })
    await runAt(unpaid, 0)
    expect((await unpaid.billing()).subscription).toMatchObject({ status: 'canceled' })
  })

  test('whose charge is declined is overdue, and goes on once it is charged after all', async () => {
    const one = await onTrial()
    await world.book(`mood:${one.ref}`, 'declines')
    await runAt(one, -6)
    await runAt(one, 0)
    expect((await one.billing()).subscription).toMatchObject({ status: 'past_due' })
    await world.book(`mood:${one.ref}`, null)
    await runAt(one, 1)
    expect(await one.billing()).toMatchObject({
      subscription: { status: 'active' },
      newest: { status: 'paid', total: 1500 },
    })
  })

  test('begins at once for who has saved one before, or if the host asks for none', async () => {
    const one = await onTrial()
    await buy(one.person, (await plan()).id)
    expect((await one.billing()).subscription).toMatchObject({ status: 'trialing' })
    await withSettings({ trialRequiresPaymentMethod: false }, async () => {
      const other = await customer()
      const bought = await buy(other.person, (await plan()).id)
      expect(bought).toMatchObject({ status: 'completed', methodNeeded: false })
    })
  })

  test('begins at once where no way to pay can save a payment method', async () => {
    const at = { params: { plugin: BANK } }
    await world.admin.must('PATCH /api/plugins/{plugin}', { ...at, body: { enabled: false } })
    const one = await customer()
    expect(await buy(one.person, (await plan()).id)).toMatchObject({ status: 'completed' })
    const refused = await one.person.call('POST /api/billing/payment-methods/{provider}', bank)
    expect(refused).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    await world.admin.must('PATCH /api/plugins/{plugin}', { ...at, body: { enabled: true } })
  })
})

test('all open invoices are charged when their customer asks for that, once', async () => {
  const one = await world.charged()
  await world.runAt(one, -6)
  await one.buyAgain()
  await one.mood('declines')
  const ask = () => one.person.must('POST /api/billing/pay-all', { body: {} })
  const asked = await Promise.all([ask(), ask()])
  for (const { invoices, sums } of asked)
    expect([invoices.map(({ outcome }) => outcome), sums]).toEqual([['charging', 'charging'], []])
  await world.chargeAtBoth(new Date())
  const charges = async () =>
    (await one.billing()).invoices.slice(0, 2).map(({ status, charge }) => [status, charge])
  const declined = { state: 'failed', failure: 'Your card was declined.' }
  // Each says how it ended, and may be paid anew.
  expect(await charges()).toEqual([
    ['open', declined],
    ['open', declined],
  ])
  await one.mood(null)
  await ask()
  await world.chargeAtBoth(new Date())
  expect(await charges()).toEqual([
    ['paid', null],
    ['paid', null],
  ])
  expect((await one.billing()).balances).toEqual([])
})

test('Stripe saves a card before a trial without a payment, and charges it when the trial ends', async () => {
  const id = 'payment-stripe'
  const at = { params: { plugin: id } }
  await world.admin.must('POST /api/plugins', {
    body: {
      ...{ source: 'upload', package: stripe.packed(world.key).toString('base64') },
      acceptPermissions: true,
    },
  })
  const settings = { ...at, body: { settings: STRIPE_SETTINGS } }
  await world.admin.must('PUT /api/plugins/{plugin}/settings', settings)
  await world.admin.must('PATCH /api/plugins/{plugin}', { ...at, body: { enabled: true } })
  // Nobody waits for the processes below.
  for (const one of [world.lodge, world.beside])
    await callPlugin(one.controlPlane.services, id, 'plugin.health', {})
  const one = await customer()
  await buy(one.person, (await plan()).id)
  const complete = async (url: string) => {
    const { body: payload, signature } = stripe.complete(url)
    const { statusCode } = await world.lodge.anonymous().send({
      ...{ method: 'POST', url: `/api/billing/webhooks/${id}`, payload },
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    })
    expect(statusCode).toBe(200)
    await projectEvents(world.services(), new Date(Date.now() + 1000))
  }
  await complete((await one.save(id)).url)
  expect(await one.billing()).toMatchObject({
    subscription: { status: 'trialing' },
    savedPayments: [{ name: 'Stripe', ...CARD, autoCharge: true }],
  })
  expect(stripe.intents).toEqual([])
  await runAt(one, -6)
  await runAt(one, 0)
  expect(await one.billing()).toMatchObject({ subscription: { status: 'active' } })
  expect(stripe.intents).toMatchObject([{ amount: 1500, status: 'succeeded' }])

  // Of a currency with three decimals Stripe takes tens: nobody is dunned for the rest.
  const other = await customer()
  const dinars = { cycle: 'monthly', amount: 1234, currency: 'KWD' } as const
  const { invoice } = await buy(other.person, (await plan([dinars])).id)
  const page = await other.person.must('POST /api/billing/invoices/{id}/pay', {
    ...{ params: { id: invoice?.id ?? '' }, body: { provider: id, save: false } },
  })
  await complete(page.redirectUrl ?? '')
  expect(await other.billing()).toMatchObject({
    ...{ subscription: { status: 'active' }, newest: { status: 'paid', total: 1234 } },
    balances: [{ currency: 'KWD', amount: 6 }],
  })
})

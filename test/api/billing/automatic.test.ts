import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimCharge } from '../../../control-plane/src/domains/billing/charges/charge-store.ts'
import { claimProviderDeletion } from '../../../control-plane/src/domains/billing/charges/provider-deletion-store.ts'
import { projectEvents } from '../../../control-plane/src/domains/billing/providers/project.ts'
import { forgetDue } from '../../../control-plane/src/domains/billing/providers/provider-deletions.ts'
import { callPlugin } from '../../../control-plane/src/domains/plugins/index.ts'
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

describe('payment methods', () => {
  test('are saved on the provider’s page, which leads back, or on the panel’s own', async () => {
    const { person, ref, billing } = await world.subscriber()
    const portal = async () => (await billing()).subscription?.actions.portal.allowed
    expect(await portal()).toBe(false)
    const { url } = await person.must('POST /api/billing/portal', { query: {} })
    expect(url).toMatch(`https://bank.example/${ref}#http`)
    expect(url).toMatch(/\/billing\?saved=pay-bank$/)
    // Also once the subscription has ended.
    await world.query(`update subscriptions set status = 'canceled' where user_id = $1`, [
      ref.slice('cus_'.length),
    ])
    expect(await portal()).toBe(true)
    expect(await person.must('POST /api/billing/portal', { query: { provider: BANK } })).toEqual({
      url,
    })
    const none = await person.must('POST /api/billing/portal', { query: { provider: 'none' } })
    expect(none).toEqual({ url: '/billing' })
    const { waysToPay } = await person.must('GET /api/billing')
    const abilities = { portal: true, autoCharge: true, saveMethod: true }
    expect(waysToPay).toEqual([{ id: BANK, name: 'Sample', ...abilities }])
  })

  test('are saved with a payment only if the customer chose so and the payment has arrived', async () => {
    const one = await world.subscriber()
    const asked = await one.pay(true)
    expect(asked.body).toMatchObject({
      redirectUrl: `https://bank.example/pay?save=true&customer=${one.ref}`,
    })
    expect((await one.billing()).savedPayments).toEqual([])
    await world.reportPaid(one)
    expect((await one.billing()).savedPayments).toEqual([
      { provider: BANK, name: 'Sample', ...CARD, autoCharge: true },
    ])
    const other = await world.subscriber()
    expect((await other.pay(false)).body).toMatchObject({
      redirectUrl: 'https://bank.example/pay?save=false&customer=null',
    })
    await world.reportPaid(other)
    expect((await other.billing()).savedPayments).toEqual([])
  })

  test('can be turned on once a method is saved, turned off at any time, and removed', async () => {
    const one = await world.subscriber(null)
    await one.person.must('POST /api/billing/portal', { query: {} })
    expect(await one.charge(true)).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    await world.book(`method:${one.ref}`, CARD)
    expect(await one.charge(true)).toMatchObject({
      body: { savedPayments: [{ ...CARD, autoCharge: true }] },
    })
    expect(await one.charge(false)).toMatchObject({
      body: { savedPayments: [{ ...CARD, autoCharge: false }] },
    })
    const remove = () => one.person.call('DELETE /api/billing/payment-methods/{provider}', bank)
    expect(await remove()).toMatchObject({ status: 200, body: { savedPayments: [] } })
    const kept = await world.query('select from plugin_storage where key = $1', [
      `method:${one.ref}`,
    ])
    expect(kept).toEqual([])
    const stranger = await world.subscriber()
    expect(
      await stranger.person.call('DELETE /api/billing/payment-methods/{provider}', bank),
    ).toMatchObject({ status: 404 })
  })
})

describe('a deleted account', () => {
  const minutesLater = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  const HOURS_48 = 48 * 60

  /** A customer with a saved card, who is deleted. */
  async function deleted() {
    const one = await world.charged()
    await world.query('delete from subscriptions where user_id = $1', [one.id])
    await world.admin.must('DELETE /api/customers/{id}', { params: { id: one.id } })
    const kept = async () =>
      (await world.query('select from plugin_storage where key = $1', [`method:${one.ref}`])).length
    const isWaiting = async () =>
      (await world.query('select from provider_farewells where ref = $1', [one.ref])).length > 0
    return { ...one, kept, isWaiting }
  }

  test('leaves no card at the provider, nor one that a page saves after the deletion', async () => {
    const { kept, ref, isWaiting } = await deleted()
    await forgetDue(world.services(), minutesLater(1))
    expect(await kept()).toBe(0)
    await world.book(`method:${ref}`, CARD)
    await forgetDue(world.services(), minutesLater(HOURS_48 - 1))
    expect(await kept()).toBe(1)
    await forgetDue(world.services(), minutesLater(HOURS_48 + 1))
    expect([await kept(), await isWaiting()]).toEqual([0, false])
  })

  test('is forgotten even though the provider was off and a control plane was killed', async () => {
    const { kept, ref } = await deleted()
    const turn = (enabled: boolean) =>
      world.admin.must('PATCH /api/plugins/{plugin}', {
        ...{ params: { plugin: BANK }, body: { enabled } },
      })
    await turn(false)
    await forgetDue(world.services(), minutesLater(1))
    await turn(true)
    expect(await kept()).toBe(1)
    expect(
      await world.admin.call('DELETE /api/plugins/{plugin}', { params: { plugin: BANK } }),
    ).toMatchObject({ status: 409, body: { code: 'plugin_in_use' } })
    // The killed control plane claimed the work, but never called the provider.
    const [at, until] = [minutesLater(60), minutesLater(63)]
    const { db } = world.services()
    expect(await claimProviderDeletion(db, at, { provider: BANK, ref }, until)).toBeDefined()
    await forgetDue(world.beside.controlPlane.services, minutesLater(61))
    expect(await kept()).toBe(1)
    await forgetDue(world.beside.controlPlane.services, minutesLater(64))
    expect(await kept()).toBe(0)
  })
})

describe('a renewal', () => {
  test('is charged on its day, once by two control planes, and nobody is dunned', async () => {
    const one = await world.charged()
    await world.runAt(one, -6)
    expect((await one.billing()).newest).toMatchObject({ status: 'open', charge: null })
    await world.runAt(one, -2)
    expect(await one.asked()).toEqual({ calls: 0, keys: 0 })
    await world.runAt(one, 0)
    const { subscription, invoices } = await one.billing()
    expect(subscription).toMatchObject({ status: 'active' })
    expect(invoices).toMatchObject([
      { status: 'paid', payments: [{ amount: 1000, provider: BANK }] },
      { status: 'paid' },
    ])
    const [newest] = invoices
    const rows = await world.query<{ keys: string }>(
      'select value as keys from plugin_storage where key like $1',
      [`asked:${newest?.id}:%`],
    )
    expect(rows).toHaveLength(1)
    const told = await one.told()
    expect(told.some((title) => title.endsWith('will be charged'))).toBe(true)
    expect(told.filter((title) => /not paid yet|suspended/.test(title))).toEqual([])
  })

  test('is charged once even though the response was lost and a control plane was killed', async () => {
    for (const how of ['cut', 'killed'] as const) {
      const one = await world.charged()
      await world.runAt(one, -6)
      if (how === 'cut') await one.mood('cut')
      const now = await world.runAt(one, 0, how === 'cut')
      if (how === 'killed') {
        const { newest } = await one.billing()
        const [row] = await world.query<{ id: string }>(
          'select id from invoice_charges where invoice_id = $1',
          [newest?.id],
        )
        // The killed control plane called the provider, which charged, but never stored that.
        const until = new Date(now.getTime() + 180_000)
        expect(await claimCharge(world.services().db, now, row?.id ?? '', until)).toBeDefined()
        expect(await claimCharge(world.services().db, now, row?.id ?? '', until)).toBeUndefined()
        await callPlugin(world.services(), BANK, 'payment.chargeInvoice', {
          invoice: {
            ...{ id: newest?.id ?? '', number: 'x', currency: 'EUR', amountDue: 1000 },
            ...{ dueAt: null, customerRef: one.ref },
          },
          ...{ metadata: { invoiceId: newest?.id ?? '' }, key: `charge:${row?.id}` },
        })
      }
      expect((await one.billing()).newest).toMatchObject({
        ...{ status: 'open', charge: { state: 'charging' } },
      })
      expect(await one.pay(false, (await one.billing()).newest?.id)).toMatchObject({ status: 409 })
      const later = new Date(now.getTime() + 5 * 60_000)
      await world.chargeAtBoth(later)
      expect(await one.asked()).toEqual({ calls: 2, keys: 1 })
      const { newest, balances } = await one.billing()
      expect(newest).toMatchObject({ status: 'paid', payments: [{ amount: 1000 }] })
      expect(balances).toEqual([])
    }
  })

  test('whose charge has an unknown outcome is not charged again, unless its customer pays', async () => {
    const one = await world.charged()
    await world.runAt(one, -6)
    await one.mood('lost')
    const now = await world.runAt(one, 0)
    // A try happens up to one of these steps late, and all happen within the day.
    for (let halfHour = 1; halfHour < 48; halfHour += 1)
      await world.chargeAtBoth(new Date(now.getTime() + halfHour * 1_800_000))
    const { calls, keys } = await one.asked()
    expect([calls > 5, keys]).toEqual([true, 1])
    await world.runAt(one, 1)
    await world.runAt(one, 3)
    expect(await one.asked()).toEqual({ calls, keys: 1 })
    const { subscription, newest } = await one.billing()
    expect(subscription).toMatchObject({ status: 'past_due' })
    expect(newest).toMatchObject({ status: 'open', charge: null })
    expect(await one.pay(false, newest?.id)).toMatchObject({ status: 200 })
  })

  test('that is declined is dunned with the reason, tried again, and can still be paid by hand', async () => {
    const one = await world.charged()
    await one.mood('declines')
    await world.runAt(one, -6)
    await world.runAt(one, 0)
    const declined = await one.billing()
    expect(declined.subscription).toMatchObject({ status: 'past_due' })
    expect(declined.newest?.charge).toEqual({
      ...{ state: 'failed', failure: 'Your card was declined.' },
    })
    const failures = async () =>
      (await one.told()).filter((title) => title.endsWith('could not be charged')).length
    expect(await failures()).toBe(1)
    expect(await one.asked()).toEqual({ calls: 1, keys: 1 })
    await world.runAt(one, 1)
    expect(await one.asked()).toEqual({ calls: 2, keys: 2 })
    expect(await failures()).toBe(2)
    await one.mood(null)
    await world.runAt(one, 3)
    expect(await one.billing()).toMatchObject({
      ...{ subscription: { status: 'active' }, newest: { status: 'paid' } },
    })
    expect((await one.told()).filter((title) => title.includes('not paid yet'))).toEqual([])
  })

  test('that was declined is charged again as soon as its customer asks, and once', async () => {
    const one = await world.charged()
    const retry = (id = '') =>
      one.person.call('POST /api/billing/invoices/{id}/retry', { params: { id } })
    const possible = async () => (await one.billing()).subscription?.actions
    expect(await possible()).toMatchObject({
      portal: { allowed: true, reason: null },
      retry: { allowed: false, reason: 'There is no open invoice' },
    })
    expect(await retry(one.first)).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    await one.mood('declines')
    await world.runAt(one, -6)
    const now = await world.runAt(one, 0)
    const { newest } = await one.billing()
    expect(await possible()).toMatchObject({ retry: { allowed: true, reason: null } })
    await one.mood(null)
    const both = await Promise.all([retry(newest?.id), retry(newest?.id)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const why = 'It is being charged now: wait until that is over'
    expect(await possible()).toMatchObject({ retry: { allowed: false, reason: why } })
    await world.chargeAtBoth(new Date(now.getTime() + 1000))
    expect(await one.billing()).toMatchObject({
      ...{ subscription: { status: 'active' }, newest: { status: 'paid' } },
    })
    expect(await one.asked()).toEqual({ calls: 2, keys: 2 })
  })

  test('can be charged only with a method that is charged, and by nobody else', async () => {
    const one = await world.charged()
    await world.runAt(one, -6)
    const { newest } = await one.billing()
    const given = { params: { id: newest?.id ?? '' } }
    const stranger = await world.charged()
    const retry = ({ person }: typeof one) =>
      person.call('POST /api/billing/invoices/{id}/retry', given)
    expect(await retry(stranger)).toMatchObject({ status: 404 })
    await one.charge(false)
    const detail = 'No saved payment method is charged: save one, or pay in another way'
    expect(await retry(one)).toMatchObject({ status: 409, body: { code: 'invalid_state', detail } })
    const { subscription } = await one.billing()
    expect(subscription?.actions.retry).toEqual({ allowed: false, reason: detail })
  })

  test('is no longer charged once automatic payment is turned off or no method is saved', async () => {
    for (const isBegun of [false, true]) {
      const off = await world.charged()
      await world.runAt(off, -6)
      if (isBegun) await world.runAt(off, 0, false)
      await off.charge(false)
      await world.runAt(off, 0)
      expect(await off.asked()).toEqual({ calls: 0, keys: 0 })
      expect((await off.billing()).subscription).toMatchObject({ status: 'past_due' })
    }

    const gone = await world.charged()
    await world.runAt(gone, -6)
    await world.book(`method:${gone.ref}`, null)
    await world.runAt(gone, 0)
    expect(await gone.billing()).toMatchObject({
      ...{ subscription: { status: 'past_due' }, savedPayments: [] },
    })
    await world.runAt(gone, 1)
    expect(await gone.asked()).toEqual({ calls: 1, keys: 1 })
  })

  test('whose payment is pending is not suspended, and is paid when the provider reports it', async () => {
    const one = await world.charged()
    await world.runAt(one, -6)
    await one.mood('slow')
    await world.runAt(one, 0)
    await world.runAt(one, 9)
    const { subscription, newest } = await one.billing()
    expect(subscription).toMatchObject({ status: 'active' })
    expect(newest?.charge).toMatchObject({ state: 'charging' })
    const [row] = await world.query<{ ref: string }>(
      'select external_ref as ref from invoice_charges where invoice_id = $1',
      [newest?.id],
    )
    const name = `payment:${row?.ref}`
    const [kept] = await world.query<{ value: string }>(
      'select value from plugin_storage where key = $1',
      [name],
    )
    await world.book(name, { ...JSON.parse(kept?.value ?? ''), status: 'succeeded' })
    await world.report(row?.ref ?? '', one.ref)
    expect((await one.billing()).newest).toMatchObject({ status: 'paid' })
  })

  test('warns before it is charged with a method that will have expired', async () => {
    const one = await world.charged({ ...CARD, expires: '2020-01' })
    await world.runAt(one, -6)
    await world.runAt(one, -2)
    expect((await one.told()).filter((title) => title.includes('expires before'))).toHaveLength(1)
  })
})

test('Stripe keeps a card with a payment, charges it for renewals, and forgets it', async () => {
  const id = 'payment-stripe'
  const at = { params: { plugin: id } }
  const packed = stripe.packed(world.key).toString('base64')
  await world.admin.must('POST /api/plugins', {
    body: { source: 'upload', package: packed, acceptPermissions: true },
  })
  await world.admin.must('PUT /api/plugins/{plugin}/settings', {
    ...at,
    body: { settings: STRIPE_SETTINGS },
  })
  await world.admin.must('PATCH /api/plugins/{plugin}', { ...at, body: { enabled: true } })
  // Stops the background tasks, whose next run nobody here awaits: the test runs each step itself.
  for (const one of [world.lodge, world.beside])
    await callPlugin(one.controlPlane.services, id, 'plugin.health', {})

  const one = await world.subscriber()
  const { redirectUrl } = await one.person.must('POST /api/billing/invoices/{id}/pay', {
    ...{ params: { id: one.first }, body: { provider: id, save: true } },
  })
  const { body: payload, signature } = stripe.complete(redirectUrl ?? '')
  const { statusCode } = await world.lodge.anonymous().send({
    ...{ method: 'POST', url: `/api/billing/webhooks/${id}`, payload },
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
  })
  expect(statusCode).toBe(200)
  await projectEvents(world.services(), new Date(Date.now() + 1000))
  expect(await one.billing()).toMatchObject({
    subscription: { status: 'active' },
    savedPayments: [{ name: 'Stripe', ...CARD, autoCharge: true }],
  })
  await world.runAt(one, -6)
  stripe.state.declines = true
  await world.runAt(one, 0)
  expect(await one.billing()).toMatchObject({
    subscription: { status: 'past_due' },
    newest: { charge: { state: 'failed', failure: 'Your card was declined.' } },
  })
  stripe.state.declines = false
  await world.runAt(one, 1)
  expect(await one.billing()).toMatchObject({
    subscription: { status: 'active' },
    newest: { status: 'paid', payments: [{ amount: 1000, provider: id }] },
  })
  // The first payment, the attempt that failed, and one more.
  expect(stripe.intents.map(({ status }) => status)).toEqual([
    ...['succeeded', 'requires_payment_method', 'succeeded'],
  ])
  const portal = await one.person.must('POST /api/billing/portal', { query: { provider: id } })
  expect(portal.url).toMatch(/^https:\/\/billing\.example\/cus_/)
  const params = { params: { provider: id } }
  const gone = await one.person.must('DELETE /api/billing/payment-methods/{provider}', params)
  expect(gone.savedPayments).toEqual([])
  expect(
    await one.person.call('PUT /api/billing/payment-methods/{provider}', {
      ...params,
      body: { autoCharge: true },
    }),
  ).toMatchObject({ status: 409 })
})

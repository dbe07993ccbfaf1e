import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advanceDue } from '../../../control-plane/src/domains/billing/advance.ts'
import { STRIPE_SETTINGS, startStripe } from './stripe-stand-in.ts'
import { TAXMAN, taxWorld } from './tax-world.ts'

let stripe: Awaited<ReturnType<typeof startStripe>>
let world: Awaited<ReturnType<typeof taxWorld>>
beforeAll(async () => {
  stripe = await startStripe()
  world = await taxWorld(stripe.host)
})
afterAll(async () => {
  await world?.end()
  stripe?.close()
})

type Lines = readonly { kind: string; amount: number; description: string }[]
const shown = (lines: Lines = []) => lines.map(({ kind, amount }) => [kind, amount])
const taxesOf = (lines: Lines = []) =>
  lines
    .filter(({ kind }) => kind === 'tax')
    .map(({ description, amount }) => [description, amount] as const)
const sum = (lines: Lines) => lines.reduce((all, { amount }) => all + amount, 0)
/** The tax that the plugin calculates for an amount. */
const part = (amount: number, percent: number) => Math.round((amount * percent) / 100)

describe('a purchase', () => {
  test('has exactly the tax that was shown, in any currency, and calculates it once', async () => {
    const one = await world.somebody('US')
    const currency = fc.constantFrom('EUR', 'JPY', 'KWD')
    const amount = fc.integer({ min: 1, max: 9_999_999 })
    await fc.assert(
      fc.asyncProperty(currency, amount, amount, async (currency, amount, setupFee) => {
        const { id } = await world.plan({ currency, amount, setupFee })
        const before = await world.asked()
        const { body: preview } = await one.preview(id)
        const bought = await one.buy(id, (preview as { total: number }).total)
        expect(await world.asked()).toBe(before + 1)
        const { lines, total, currency: paidIn } = bought.body.invoice ?? {}
        expect(preview).toMatchObject({ lines, total, currency: paidIn })
        const taxOf = (percent: number) => part(amount, percent) + part(setupFee, percent)
        expect(taxesOf(lines).map(([, tax]) => tax)).toEqual([taxOf(7.25), taxOf(3.125)])
        expect(sum(lines ?? [])).toBe(total)
      }),
      { numRuns: 8 },
    )
  })

  test('names each tax with its percentage and jurisdiction, also in print', async () => {
    const one = await world.somebody('US', { taxNumber: 'US-99', postalCode: '94501' })
    const { body } = await one.buy((await world.plan()).id)
    expect(taxesOf(body.invoice?.lines)).toEqual([
      ['Sales tax 7.25% (California)', 73],
      ['Sales tax 3.125% (Alameda)', 31],
    ])
    const [{ buyer } = { buyer: null }] = await world.query<{ buyer: object }>(
      'select buyer from invoices where id = $1',
      [body.invoice?.id],
    )
    expect(buyer).toMatchObject({ taxNumber: 'US-99' })
  })

  test('is refused while the plugin is unreachable, loses nothing, and can be repeated', async () => {
    const one = await world.somebody()
    const plan = await world.plan({}, { stock: 1 })
    const key = randomUUID()
    const buy = async () => {
      const {
        statusCode: status,
        headers,
        body,
      } = await one.person.send({
        ...{ method: 'POST', url: '/api/store/checkout', headers: { 'idempotency-key': key } },
        payload: { planId: plan.id, cycle: 'monthly' },
      })
      return { status, after: headers['retry-after'], body: JSON.parse(body) as { code?: string } }
    }
    await world.mood('away')
    expect(await one.preview(plan.id)).toMatchObject({
      ...{ status: 503, body: { code: 'tax_unavailable' } },
    })
    expect(await buy()).toMatchObject({
      ...{ status: 503, after: '60', body: { code: 'tax_unavailable' } },
    })
    expect(await one.billing()).toMatchObject({ subscriptions: [], invoices: [] })
    await world.mood(null)
    expect(await buy()).toMatchObject({ status: 201, body: { invoice: { total: 1190 } } })
    // A stored answer stays valid while the plugin is unreachable.
    await world.mood('away')
    expect(await buy()).toMatchObject({ status: 201, body: { invoice: { total: 1190 } } })
    await world.mood(null)
    expect((await one.billing()).invoices).toHaveLength(1)
  })

  test.each([...['negative', 'sum', 'taxes', 'line', 'currency', 'fraction', 'huge', 'text']])(
    'is not made of a nonsensical answer: %s',
    async (mood) => {
      const one = await world.somebody()
      const { id } = await world.plan({ setupFee: 500 })
      await world.mood(mood)
      expect(await one.buy(id)).toMatchObject({ status: 503, body: { code: 'tax_unavailable' } })
      expect((await one.billing()).invoices).toEqual([])
      await world.mood(null)
      expect((await one.buy(id)).body.invoice?.total).toBe(1785)
    },
  )

  test('costs what was shown or is refused: an address that changed in between needs a new calculation', async () => {
    const one = await world.somebody('DE')
    const { id } = await world.plan()
    const { body: preview } = await one.preview(id)
    expect(preview).toMatchObject({ total: 1190 })
    await one.live({ country: 'US' })
    expect(await one.buy(id, 1190)).toMatchObject({ status: 409, body: { code: 'quote_expired' } })
    expect((await one.billing()).invoices).toEqual([])
    expect(await one.preview(id)).toMatchObject({ body: { total: 1104 } })
    expect((await one.buy(id, 1104)).body.invoice).toMatchObject({ total: 1104 })
  })

  test('requires the customer’s address, and reports which field is not accepted', async () => {
    const one = await world.somebody('')
    const { id } = await world.plan()
    const refused = { status: 409, body: { code: 'tax_address_needed' } }
    const before = await world.asked()
    expect(await one.buy(id)).toMatchObject(refused)
    expect(await world.asked()).toBe(before)
    await one.live({ country: 'AQ' })
    expect(await one.buy(id)).toMatchObject(refused)
    await one.live({ country: 'DE', taxNumber: 'WRONG' })
    const { body } = await one.buy(id)
    expect(body).toMatchObject({ detail: expect.stringContaining('tax number is not accepted') })
    await one.live({ taxNumber: '' })
    expect((await one.billing()).taxPlace).toMatchObject({ country: 'DE', taxNumber: '' })
    expect((await one.buy(id)).status).toBe(201)
  })

  test('is unchanged if a control plane is killed between the calculation and the invoice', async () => {
    const one = await world.somebody()
    const { id } = await world.plan({ amount: 12_345 })
    const numbers = async () =>
      (await world.query<{ next: number }>('select sum(next)::int as next from invoice_series'))[0]
    const [asked, next] = [await world.asked(), await numbers()]
    await world.killedBeforeInvoice(async () => expect((await one.buy(id)).status).toBe(500))
    expect([await world.asked(), await numbers()]).toEqual([asked + 1, next])
    await world.book('rates:DE', [['VAT', 'DE', '99']])
    expect((await one.buy(id)).body.invoice?.total).toBe(12_345 + part(12_345, 19))
    await world.book('rates:DE', null)
    expect(await world.asked()).toBe(asked + 1)
  })

  test('that is free needs no tax, and neither does a trial until it is invoiced', async () => {
    const one = await world.somebody('')
    const free = await world.plan({ amount: 0 })
    expect((await one.buy(free.id)).body).toMatchObject({ status: 'completed' })
    const trial = await world.plan({ trialDays: 7 })
    expect(await one.preview(trial.id)).toMatchObject({
      body: { trialDays: 7, lines: [], total: 0 },
    })
    expect((await one.buy(trial.id, 0)).body).toMatchObject({ status: 'completed', invoice: null })
  })
})

describe('a renewal', () => {
  const minutes = (at: Date, count: number) => new Date(at.getTime() + count * 60_000)

  test('waits while the plugin is unreachable, without consequences, and is issued and due once it is back', async () => {
    const one = await world.subscriber()
    await world.mood('away')
    let at = world.daysAfter(one.end, -7)
    for (const next of [1, 5, 15]) {
      await world.runAt(one, at)
      at = minutes(at, next)
    }
    expect(await world.waiting(one)).toMatchObject([
      {
        ...{ email: one.email, tries: 3, needsAddress: false },
        failure: expect.stringContaining('Nobody is in the office'),
      },
    ])
    const { items } = await world.admin.must('GET /api/notifications')
    const told = items.filter(({ title }) => title.includes(one.email))
    expect(told).toMatchObject([{ title: expect.stringMatching(/^An invoice of .* waits for/) }])
    // Weeks after the period: no invoice was issued, and nothing is suspended.
    const late = world.daysAfter(one.end, 30)
    await world.runAt(one, late)
    const { subscription, invoices } = await one.billing()
    expect(subscription).toMatchObject({ status: 'active', pastDueSince: null })
    expect(invoices).toHaveLength(1)

    await world.mood(null)
    await world.runAt(one, minutes(late, 60))
    const { newest } = await one.billing()
    expect(newest).toMatchObject({ status: 'open', total: 1190 })
    expect(Date.parse(newest?.dueAt ?? '')).toBe(
      world.daysAfter(minutes(late, 60).getTime(), 3).getTime(),
    )
    expect(await world.waiting(one)).toEqual([])
    await one.pay()
    await world.runAt(one, minutes(late, 120))
    expect((await one.billing()).subscription).toMatchObject({ status: 'active' })
  })

  test('is calculated at most once an hour, and an unreachable plugin does not delay other subscriptions', async () => {
    const all = await Promise.all([world.subscriber(), world.subscriber(), world.subscriber()])
    const at = world.daysAfter(Math.max(...all.map(({ end }) => end)), -7)
    await world.mood('away')
    const ids = all.map(({ id }) => id)
    await world.query('update subscriptions set next_at = $1 where user_id = any($2)', [at, ids])
    const before = await world.asked()
    await advanceDue(world.services(), at)
    expect(await world.asked()).toBe(before + 1)
    await world.mood(null)
    await world.query('update subscriptions set next_at = $1 where user_id = any($2)', [at, ids])
    await advanceDue(world.services(), minutes(at, 1))
    for (const one of all) expect((await one.billing()).newest).toMatchObject({ total: 1190 })
  })

  test('is issued once even though a control plane was killed after the calculation', async () => {
    const one = await world.subscriber()
    const at = world.daysAfter(one.end, -7)
    await world.killedBeforeInvoice(() => world.runAt(one, at))
    const asked = await world.asked()
    await world.runAt(one, minutes(at, 1))
    await world.runAt(one, minutes(at, 2))
    const { invoices } = await one.billing()
    expect(invoices.map(({ total }) => total)).toEqual([1190, 1190])
    expect(await world.asked()).toBe(asked)
  })

  test('that lacks an address requests it from the customer, and continues once it is there', async () => {
    const one = await world.subscriber()
    await one.live({ country: '' })
    const at = world.daysAfter(one.end, -7)
    await world.runAt(one, at)
    await world.runAt(one, minutes(at, 1))
    const told = (await one.told()).filter((title) => title.startsWith('We need your country'))
    expect(told).toHaveLength(1)
    expect((await one.billing()).taxPlaceMissing).toBe(true)
    expect(await world.waiting(one)).toMatchObject([{ needsAddress: true }])
    await one.live({ country: 'US' })
    const [{ due } = { due: false }] = await world.query<{ due: boolean }>(
      'select next_at <= now() as due from subscriptions where user_id = $1',
      [one.id],
    )
    expect(due).toBe(true)
    await world.runAt(one, minutes(at, 2))
    const { newest, taxPlaceMissing } = await one.billing()
    expect([newest?.total, taxPlaceMissing]).toEqual([1104, false])
  })
})

describe('a change of plan', () => {
  test('credits the tax that was paid, and charges the current tax, as shown', async () => {
    const big = await world.plan({ amount: 3000 })
    const one = await world.subscriber()
    await one.live({ country: 'US' })
    const wanted = { planId: big.id, cycle: 'monthly' as const }
    const preview = await one.person.must('GET /api/billing/preview-change', {
      query: { subscriptionId: one.subscriptionId, ...wanted },
    })
    const amountOf = (kind: string) => preview.lines.find((line) => line.kind === kind)?.amount ?? 0
    const [credit, charge] = [amountOf('proration_credit'), amountOf('proration_charge')]
    expect(taxesOf(preview.lines)).toEqual([
      ['Sales tax 7.25% (California)', part(charge, 7.25)],
      ['Sales tax 3.125% (Alameda)', part(charge, 3.125)],
      ['VAT 19% (DE)', -part(-credit, 19)],
    ])
    expect(preview.nextAmount).toBe(3000 + part(3000, 7.25) + part(3000, 3.125))
    const asked = await world.asked()
    const change = (quoteId: string) =>
      one.person.call('POST /api/billing/subscriptions/{id}/change', {
        ...{ params: { id: one.subscriptionId }, body: { ...wanted, quoteId } },
      })
    // At another address it would cost a different amount.
    await one.live({ country: 'DE' })
    expect(await change(preview.quoteId)).toMatchObject({ body: { code: 'quote_expired' } })
    await one.live({ country: 'US' })
    expect((await change(preview.quoteId)).status).toBe(200)
    const { newest } = await one.billing()
    expect([shown(newest?.lines), newest?.total]).toEqual([shown(preview.lines), preview.dueNow])
    expect(await world.asked()).toBe(asked + 1)
  })
})

test('a refund has the tax of its invoice, and the report sums each tax separately', async () => {
  const { id } = await world.plan({ currency: 'CHF', amount: 2000 })
  const one = await world.subscriber('US', id)
  const { newest } = await one.billing()
  expect(newest?.total).toBe(2000 + 145 + 63)
  const asked = await world.asked()
  await world.admin.must('POST /api/billing/invoices/{id}/refund', {
    params: { id: newest?.id ?? '' },
    body: { amount: 1104, way: 'host', subscription: 'keep' },
  })
  expect(await world.asked()).toBe(asked)
  const query = { currency: 'CHF' } as const
  const { currencies } = await world.admin.must('GET /api/billing/revenue', { query })
  const [report] = currencies
  const named = { name: 'Sales tax' }
  expect(report?.taxes).toEqual([
    { ...named, jurisdiction: 'Alameda', percent: '3.125', invoiced: 63, credited: 32 },
    { ...named, jurisdiction: 'California', percent: '7.25', invoiced: 145, credited: 72 },
  ])
  expect(report?.total).toMatchObject({ invoiced: { tax: 208 }, creditNotes: { tax: 104 } })
  const { body } = await world.admin.send({
    ...{ method: 'GET', url: '/api/billing/revenue.csv?currency=CHF&rows=tax' },
  })
  expect(body.split('\r\n')).toEqual([
    'currency,jurisdiction,tax,percent,invoiced,credited',
    'CHF,Alameda,Sales tax,3.125,0.63,0.32',
    'CHF,California,Sales tax,7.25,1.45,0.72',
    '',
  ])
})

test('only a plugin that calculates tax and is on can be chosen, and it stays as long as it is', async () => {
  expect(await world.taxBy({ provider: 'nobody' })).toMatchObject({
    ...{ status: 400, body: { errors: [{ pointer: '/tax/provider' }] } },
  })
  const { providers } = await world.admin.must('GET /api/billing/tax')
  expect(providers).toEqual([{ id: TAXMAN, name: 'Sample' }])
  const plugin = { params: { plugin: TAXMAN } }
  expect(await world.admin.call('DELETE /api/plugins/{plugin}', plugin)).toMatchObject({
    ...{ status: 409, body: { code: 'plugin_in_use' } },
  })
  const turn = (enabled: boolean) =>
    world.admin.must('PATCH /api/plugins/{plugin}', { ...plugin, body: { enabled } })
  const one = await world.somebody()
  const { id } = await world.plan({ amount: 777 })
  await turn(false)
  // The plugin is still chosen, so nothing is sold without tax.
  expect(await one.buy(id)).toMatchObject({ status: 503, body: { code: 'tax_unavailable' } })
  expect((await world.taxBy({ provider: TAXMAN })).status).toBe(200)
  await turn(true)
  expect((await one.buy(id)).body.invoice?.total).toBe(777 + part(777, 19))
})

test('Stripe Tax calculates through its plugin, with the tax number of a business', async () => {
  await world.admin.must('POST /api/plugins', {
    body: {
      ...{ source: 'upload', acceptPermissions: true },
      package: stripe.packed(world.key).toString('base64'),
    },
  })
  const plugin = { params: { plugin: 'payment-stripe' } }
  await world.admin.must('PUT /api/plugins/{plugin}/settings', {
    ...{ ...plugin, body: { settings: STRIPE_SETTINGS } },
  })
  await world.admin.must('PATCH /api/plugins/{plugin}', { ...plugin, body: { enabled: true } })
  await world.taxBy({ provider: 'payment-stripe' })
  const { id } = await world.plan({ currency: 'ISK', amount: 1999, setupFee: 333 })
  const one = await world.somebody('DE', { postalCode: '10115' })
  const { body } = await one.buy(id)
  expect(taxesOf(body.invoice?.lines)).toEqual([['VAT 19% (DE)', 443]])
  const business = await world.somebody('DE', { postalCode: '10115', taxNumber: 'DE123456789' })
  const reversed = await business.buy(id)
  expect(taxesOf(reversed.body.invoice?.lines)).toEqual([['VAT reverse charge 0% (DE)', 0]])
  expect(reversed.body.invoice?.total).toBe(2332)
  const lost = await world.somebody('DE', { postalCode: 'nowhere' })
  expect(await lost.buy(id)).toMatchObject({ body: { code: 'tax_address_needed' } })
  await world.taxBy({ provider: TAXMAN })
})

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recordTaxDue } from '../../../control-plane/src/domains/billing/tax/record-due.ts'
import { STRIPE_SETTINGS, startStripe } from './stripe-stand-in.ts'
import { taxWorld } from './tax-world.ts'

const STRIPE = 'payment-stripe'
let stripe: Awaited<ReturnType<typeof startStripe>>
let world: Awaited<ReturnType<typeof taxWorld>>
beforeAll(async () => {
  stripe = await startStripe()
  world = await taxWorld(stripe.host)
  await world.admin.must('POST /api/plugins', {
    body: {
      ...{ source: 'upload', acceptPermissions: true },
      package: stripe.packed(world.key).toString('base64'),
    },
  })
  const plugin = { params: { plugin: STRIPE } }
  await world.admin.must('PUT /api/plugins/{plugin}/settings', {
    ...{ ...plugin, body: { settings: STRIPE_SETTINGS } },
  })
  await world.admin.must('PATCH /api/plugins/{plugin}', { ...plugin, body: { enabled: true } })
  await world.taxBy({ provider: STRIPE })
  // Postpones everything due by an hour, so that only the tests process it.
  await world.query(`create function later() returns trigger language plpgsql as
    $$ begin new.next_at = greatest(new.next_at, now() + interval '1 hour'); return new; end $$`)
  await world.query(`create trigger later before insert or update on tax_records for each row
    when (new.next_at is not null) execute function later()`)
})
afterAll(async () => {
  await world?.end()
  stripe?.close()
})
beforeEach(() => {
  Object.assign(stripe.state, { taxDown: false, taxForbidden: false, vatPercent: 19 })
})

const MINUTE_MS = 60_000
/** Processes everything due by then; work claimed by a run that was killed is due later. */
const recordAt = (minutes: number) =>
  recordTaxDue(world.services(), new Date(Date.now() + (60 + minutes) * MINUTE_MS))
/** What Stripe recorded of an invoice: its sale and the reversals. */
const keptOf = (number: string) =>
  stripe.taxes
    .filter(({ reference }) => reference === number || reference.startsWith(`${number}-`))
    .map(({ reference, form }) => [reference.replace(number, ''), form.mode ?? 'sale'])
const backOf = (sold: string) =>
  stripe.taxes.flatMap(({ id, form: { original_transaction, mode, flat_amount } }) =>
    original_transaction === stripe.taxes.find(({ reference }) => reference === sold)?.id
      ? [{ id, mode, amount: flat_amount }]
      : [],
  )

async function invoiced(price: object = {}) {
  const one = await world.somebody('DE')
  const { id } = await world.plan(price)
  const { invoice } = (await one.buy(id)).body
  return { ...one, invoice: invoice!, number: invoice?.number ?? '' }
}
const refund = (id: string, amount: number) =>
  world.admin.must('POST /api/billing/invoices/{id}/refund', {
    ...{ params: { id }, body: { amount, way: 'host', subscription: 'keep' } },
  })
const unrecorded = async (email: string) => {
  const { unrecorded } = await world.admin.must('GET /api/billing/tax')
  return unrecorded.filter((one) => one.email === email)
}

test('an invoice is one tax transaction with its number, also if a control plane is killed after the call', async () => {
  const { number, invoice } = await invoiced()
  await world.query(`create or replace function lost() returns trigger language plpgsql as
    $$ begin raise exception 'the machine lost its power'; end $$`)
  await world.query(`create or replace trigger lost before update on tax_records for each row
    when (new.external_ref is not null) execute function lost()`)
  try {
    await recordAt(0)
  } finally {
    await world.query('drop trigger lost on tax_records')
  }
  expect(keptOf(number)).toEqual([['', 'sale']])
  await recordAt(4)
  await recordAt(8)
  expect(keptOf(number)).toEqual([['', 'sale']])
  const [row] = await world.query<{ done: boolean; quote: unknown; next: unknown }>(
    'select external_ref is not null as done, quote, next_at as next from tax_records where invoice_id = $1',
    [invoice.id],
  )
  expect(row).toEqual({ done: true, quote: null, next: null })
})

test('two invoices for the same items have a calculation each', async () => {
  const one = await invoiced()
  const { subscription } = await one.billing()
  const other = (await one.buy(subscription?.planId ?? '')).body.invoice?.number ?? ''
  await recordAt(0)
  expect([keptOf(one.number), keptOf(other)]).toEqual([[['', 'sale']], [['', 'sale']]])
})

test('a voided invoice is not recorded if Stripe was not called yet, and reversed otherwise', async () => {
  const void_ = (id: string) =>
    world.admin.must('POST /api/billing/invoices/{id}/void', { params: { id } })
  const [early, late] = [await invoiced(), await invoiced()]
  await void_(early.invoice.id)
  await recordAt(0)
  await void_(late.invoice.id)
  await recordAt(1)
  expect(keptOf(early.number)).toEqual([])
  expect(keptOf(late.number)).toEqual([
    ['', 'sale'],
    ['-VOID', 'full'],
  ])
})

test('refunds reverse the refunded amount with its tax, in whole or in part, and never more', async () => {
  const [part, whole] = [await invoiced({ currency: 'ISK' }), await invoiced()]
  await part.pay()
  await whole.pay()
  // Before the sale itself is recorded.
  await refund(part.invoice.id, 190)
  await recordAt(0)
  await recordAt(2)
  await refund(part.invoice.id, 1000)
  await refund(whole.invoice.id, 1190)
  await recordAt(3)
  expect(backOf(part.number)).toMatchObject([
    { mode: 'partial', amount: '-19000' },
    { mode: 'partial', amount: '-100000' },
  ])
  expect(backOf(whole.number)).toMatchObject([{ mode: 'full' }])
  const notes = (await part.billing()).newest?.refunds.map(({ number }) => number)
  for (const note of notes ?? []) expect(stripe.taxes.map((one) => one.reference)).toContain(note)
})

test('a change of plan reverses the rest of the earlier invoice once paid, and nothing if unpaid', async () => {
  const one = await invoiced()
  await one.pay()
  await recordAt(0)
  const { id: planId } = await world.plan({ amount: 3000 })
  const { subscription } = await one.billing()
  const change = () =>
    one.person.must('POST /api/billing/subscriptions/{id}/change', {
      params: { id: subscription?.id ?? '' },
      body: { planId, cycle: 'monthly' },
    })
  await change()
  const dropped = (await one.billing()).newest
  await recordAt(1)
  await world.admin.must('POST /api/billing/invoices/{id}/void', {
    params: { id: dropped?.id ?? '' },
  })
  await recordAt(2)
  expect(backOf(one.number)).toEqual([])
  expect(keptOf(dropped?.number ?? '')).toEqual([
    ['', 'sale'],
    ['-VOID', 'full'],
  ])
  await change()
  expect(backOf(one.number)).toEqual([])
  await one.pay()
  await recordAt(4)
  // The whole period was left.
  expect(backOf(one.number)).toMatchObject([{ mode: 'full' }])
})

test('a record that Stripe rejects is retried, shown to staff, and retried immediately after a change of settings', async () => {
  stripe.state.taxDown = true
  const away = await invoiced()
  for (const minutes of [0, 1]) await recordAt(minutes)
  const both = await invoiced()
  await recordAt(7)
  expect(await unrecorded(away.email)).toMatchObject([
    { kind: 'sale', reference: away.number, tries: 3, failure: expect.stringContaining('429') },
  ])
  Object.assign(stripe.state, { taxDown: false, taxForbidden: true })
  const refused = await invoiced()
  await recordAt(9)
  expect(await unrecorded(refused.email)).toMatchObject([{ tries: 1, number: refused.number }])
  const { items } = await world.admin.must('GET /api/notifications')
  const told = (number: string) => items.filter(({ title }) => title.startsWith(number))
  expect([away, refused, both].map(({ number }) => told(number).length)).toEqual([1, 1, 1])
  stripe.state.taxForbidden = false
  await world.taxBy({ provider: STRIPE })
  await recordAt(0)
  expect(keptOf(refused.number)).toEqual([['', 'sale']])
  expect([await unrecorded(away.email), await unrecorded(refused.email)]).toEqual([[], []])
})

test('an expired calculation is repeated, and used only if it results in the tax shown on the invoice', async () => {
  stripe.state.taxDown = true
  const [same, other] = [await invoiced(), await invoiced({ amount: 2000 })]
  await recordAt(0)
  stripe.expire()
  stripe.state.taxDown = false
  await recordAt(2)
  expect([keptOf(same.number), keptOf(other.number)]).toEqual([[['', 'sale']], [['', 'sale']]])
  stripe.state.taxDown = true
  const changed = await invoiced({ amount: 4000 })
  await recordAt(0)
  stripe.expire()
  Object.assign(stripe.state, { taxDown: false, vatPercent: 20 })
  await recordAt(2)
  expect(keptOf(changed.number)).toEqual([])
  expect(await unrecorded(changed.email)).toMatchObject([
    { failure: expect.stringContaining('record it at Stripe yourself') },
  ])
})

test('the reversal of an abandoned sale is abandoned, too', async () => {
  stripe.state.taxDown = true
  const { email, invoice, pay } = await invoiced()
  await pay()
  await recordAt(0)
  await world.query('update tax_records set attempts = 179 where invoice_id = $1', [invoice.id])
  await recordAt(2)
  await refund(invoice.id, 500)
  stripe.state.taxDown = false
  await recordAt(4)
  const given = { nextAt: null, failure: expect.stringContaining('429') }
  expect(await unrecorded(email)).toMatchObject([
    { kind: 'sale', tries: 180, ...given },
    { kind: 'reversal', ...given },
  ])
})

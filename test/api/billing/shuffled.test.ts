import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectEvents } from '../../../control-plane/src/domains/billing/providers/project.ts'
import { anyOf, drawn, shuffled } from '../../../drivers/contract/src/suite/chance.ts'
import { newKey, publicKeyOf } from '../../../plugins/sdk/pack.ts'
import { lengthOf } from '../../run/lengths.ts'
import type { Caller } from '../../support/caller.ts'
import { addProvider } from '../../support/plugin.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

// A provider that reports all its events in any order, late, twice, and while more happens.

/** Messages without events, which stand for the actions of its customers, set its state. */
const PROVIDER = `
const present = new Map()
export default () => ({
  payment: {
    verifyWebhook({ bodyBase64 }) {
      const { events = [], payments = [] } = JSON.parse(Buffer.from(bodyBase64, 'base64').toString())
      for (const one of payments) present.set(one.ref, one)
      return { events: events.map(({ id, ref }) => ({ id, type: 'x.y', occurredAt: new Date().toISOString(),
        objects: [{ kind: 'payment', ref }] })) }
    },
    fetch: ({ ref }) => ({ object: present.get(ref) ?? null }),
  },
})`

const AMOUNT = 1000
const EVENTS = lengthOf('LODGE_PROVIDER_EVENTS')
/** The number of changes of each payment, each of which is reported. */
const CHANGES = 5
const AT_ONCE = 20
const HOUR_MS = 3_600_000

const key = newKey()
let lodge: Lodge
let admin: Caller
beforeAll(async () => {
  lodge = await startLodge({ environment: { LODGE_PLUGIN_KEYS: publicKeyOf(key) } })
  admin = await lodge.admin()
  await addProvider(admin, 'shuffles', PROVIDER, key)
})
afterAll(() => lodge[Symbol.asyncDispose]())

interface Payment {
  readonly ref: string
  readonly invoiceId: string
  status: 'processing' | 'succeeded' | 'failed' | 'refunded' | 'disputed'
  amountRefunded: number
  disputes: { ref: string; state: 'open' | 'won' | 'lost'; amount: number; reason: string }[]
}

/** The next possible event of a payment; disputed or refunded money goes nowhere else. */
function happen(payment: Payment): void {
  const { status, disputes } = payment
  const open = disputes.find(({ state }) => state === 'open')
  if (status === 'processing') payment.status = anyOf(['succeeded', 'succeeded', 'failed'])
  else if (open) {
    open.state = anyOf(['won', 'lost'])
    payment.status = open.state === 'won' ? 'succeeded' : 'disputed'
  } else if (status === 'succeeded' && payment.amountRefunded === 0) {
    if (drawn(0, 2) === 0) payment.amountRefunded = anyOf([100, 400])
    else {
      const ref = `dp ${disputes.length} of ${payment.ref}`
      disputes.push({ ref, state: 'open', amount: AMOUNT, reason: '' })
      payment.status = 'disputed'
    }
  } else if (status === 'succeeded') {
    payment.amountRefunded = AMOUNT
    payment.status = 'refunded'
  }
}

const post = async (body: object) => {
  const { statusCode } = await lodge.anonymous().send({
    ...{ method: 'POST', url: '/api/billing/webhooks/shuffles' },
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  })
  expect(statusCode).toBe(200)
}
const objectOf = ({ invoiceId, ...said }: Payment) => ({
  ...{ kind: 'payment', currency: 'EUR', amount: AMOUNT, failure: null, metadata: { invoiceId } },
  ...said,
})
let hours = 0
/** Processes the waiting events until none is left. */
async function settle(): Promise<void> {
  for (hours += 1; ; hours += 1) {
    const now = new Date(Date.now() + hours * HOUR_MS)
    if ((await projectEvents(lodge.controlPlane.services, now)) === 0) return
  }
}

test('whatever the order of events, invoices end in the provider’s state', async () => {
  const planId = (
    await admin.must('POST /api/plans', {
      body: {
        ...{ name: 'Shuffled', kind: 'account', visibility: 'public' },
        prices: [{ cycle: 'monthly', amount: AMOUNT, currency: 'EUR' }],
      },
    })
  ).id
  const payments: Payment[] = []
  while (payments.length * CHANGES < EVENTS) {
    const { id, email } = await lodge.customer()
    const { invoice } = await (await lodge.session(id, email)).must('POST /api/store/checkout', {
      body: { planId, cycle: 'monthly' },
    })
    payments.push({
      ...{ ref: `pay ${payments.length}`, invoiceId: invoice?.id ?? '', status: 'processing' },
      ...{ amountRefunded: 0, disputes: [] },
    })
  }
  let waiting: { id: string; ref: string }[] = payments.map(({ ref }) => ({
    id: `made ${ref}`,
    ref,
  }))
  for (let change = 1; change < CHANGES; change += 1) {
    for (const payment of payments) {
      await post({ payments: [objectOf(payment)] })
      happen(payment)
      waiting.push({ id: `${change} ${payment.ref}`, ref: payment.ref })
    }
    const told = shuffled(waiting)
    const now = told.slice(0, told.length / 2)
    // Half of the events, a fifth of these twice; the others are late.
    const twice = now.filter(() => drawn(0, 5) === 0)
    for (const [at, event] of shuffled([...now, ...twice]).entries()) {
      await post({ events: [event] })
      if (at % AT_ONCE === 0) await settle()
    }
    await settle()
    waiting = told.slice(now.length)
  }
  for (const payment of payments) await post({ payments: [objectOf(payment)] })
  for (const event of shuffled(waiting)) await post({ events: [event] })
  // And once more, like the daily check.
  for (const { ref } of payments) await post({ events: [{ id: `last ${ref}`, ref }] })
  await settle()

  const { rows } = await lodge.database.pool.query<{ id: string; paid: number }>(
    'select id, amount_paid::int as paid from invoices',
  )
  const paid = new Map(rows.map((row) => [row.id, row.paid]))
  const back = await backOf()
  for (const { ref, invoiceId, status, amountRefunded, disputes } of payments) {
    const arrived = status !== 'processing' && status !== 'failed'
    const lost = disputes.filter(({ state }) => state === 'lost').length * AMOUNT
    const open = disputes.filter(({ state }) => state === 'open').length * AMOUNT
    expect({ ref, paid: paid.get(invoiceId), ...back(invoiceId) }).toEqual({
      ...{ ref, paid: arrived ? AMOUNT : 0 },
      ...{ refunded: amountRefunded, lost, open },
    })
  }
  const { rows: odd } = await lodge.database.pool.query(
    `select event_id, failure from provider_events where state in ('waiting', 'dead')`,
  )
  expect(odd).toEqual([])
}, 3_600_000)

/** What was refunded of an invoice, or is disputed. */
async function backOf() {
  const { rows } = await lodge.database.pool.query<{ of: string; what: string; amount: number }>(
    `select invoice_id as of, case when way <> 'dispute' then 'refunded' when state = 'pending' then 'open'
       else 'lost' end as what, sum(amount)::int as amount
     from refunds where state in ('pending', 'succeeded') group by 1, 2`,
  )
  return (id: string) => {
    const sum = (what: string) =>
      rows.find((row) => row.of === id && row.what === what)?.amount ?? 0
    return { refunded: sum('refunded'), lost: sum('lost'), open: sum('open') }
  }
}

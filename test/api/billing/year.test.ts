import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceDue } from '../../../control-plane/src/domains/billing/advance.ts'
import { lengthOf } from '../../run/lengths.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { revenueWorld } from './revenue-world.ts'

// A year of billing, day by day, with customers who pay in time, pay late, stop paying, or leave, and
// a control plane that is down for ten days in the middle.

const COUNT = lengthOf('LODGE_YEAR_SUBSCRIPTIONS')
const DAYS = 365
const DOWN = { from: 180, to: 190 }
const DAY_MS = 86_400_000
/** A year that no background task of the control plane reaches. */
const START = Date.UTC(2031, 0, 1, 9)
const day = (number: number) => new Date(START + number * DAY_MS)
const KINDS = ['punctual', 'late', 'gone', 'leaving'] as const
type Kind = (typeof KINDS)[number]
/** The day until which the later non-payers pay, and on which the leaving customers cancel. */
const LAST_PAID = 100

interface Subscribed {
  readonly id: string
  readonly kind: Kind
}

let lodge: Lodge
let world: ReturnType<typeof revenueWorld>
const all: Subscribed[] = []
beforeAll(async () => {
  lodge = await startLodge()
  world = revenueWorld(lodge, await lodge.admin())
  const planId = await world.plan(
    (['monthly', 'weekly'] as const).map((cycle) => ({ cycle, amount: 1000, currency: 'EUR' })),
  )
  for (let at = 0; at < COUNT; at += 1) {
    const { id: userId } = await lodge.customer()
    // Some begin on the last days of January, whose months are of different lengths.
    const began = new Date(START + ((at * 7) % 31) * DAY_MS + at * 60_000)
    const { id } = await world.buy(userId, planId, at % 6 === 5 ? 'weekly' : 'monthly', began)
    all.push({ id, kind: KINDS[at % KINDS.length] ?? 'punctual' })
  }
}, 600_000)
afterAll(() => lodge[Symbol.asyncDispose]())

interface OpenInvoice {
  readonly id: string
  readonly of: string
  readonly issued: Date
  readonly due: Date
}

async function customersAct(number: number, kinds: ReadonlyMap<string, Kind>): Promise<void> {
  const { rows } = await lodge.database.pool.query<OpenInvoice>(
    `select id, subscription_id as of, issued_at as issued, due_at as due from invoices
     where status = 'open' and subscription_id is not null order by id`,
  )
  for (const { id, of, issued, due } of rows) {
    const kind = kinds.get(of)
    const at = kind === 'late' ? due.getTime() + 10 * DAY_MS : issued.getTime() + 2 * DAY_MS
    if (kind === 'gone' && number > LAST_PAID) continue
    if (day(number).getTime() >= at) await world.pay(id, day(number))
  }
  if (number === LAST_PAID)
    for (const { id, kind } of all) if (kind === 'leaving') await world.cancel(id, day(number))
}

/** The tasks that a control plane runs on a day: several rounds, a minute apart. */
async function advance(at: Date): Promise<void> {
  for (let minute = 0; minute < 8; minute += 1) {
    const now = new Date(at.getTime() + minute * 61_000)
    while ((await advanceDue(lodge.controlPlane.services, now)) > 0);
  }
}

const query = async <Row extends object>(text: string): Promise<Row[]> =>
  (await lodge.database.pool.query<Row>(text)).rows

test('over a year every period is billed once, and nobody is ended without both warnings in time', async () => {
  const kinds = new Map(all.map(({ id, kind }) => [id, kind]))
  for (let number = 0; number <= DAYS; number += 1) {
    await customersAct(number, kinds)
    if (number < DOWN.from || number >= DOWN.to) await advance(day(number))
  }
  const rows = await query<{ id: string; status: string; ended: Date | null; since: Date | null }>(
    `select id, status, ended_at as ended, past_due_since as since from subscriptions`,
  )
  const states = new Map(rows.map((row) => [row.id, row]))
  const statusOf = (kind: Kind) =>
    all.filter((one) => one.kind === kind).map(({ id }) => states.get(id)?.status)
  expect(new Set(statusOf('punctual'))).toEqual(new Set(['active']))
  expect(new Set([...statusOf('gone'), ...statusOf('leaving')])).toEqual(new Set(['canceled']))
  expect(statusOf('late').filter((status) => status === 'canceled')).toEqual([])

  // Customers who pay in time are billed for each day of the year, once.
  const periods = await query<{ of: string; starts: Date; ends: Date }>(
    `select subscription_id as of, period_start as starts, period_end as ends from invoices
     where kind = 'renewal' and status = 'paid' order by subscription_id, period_start`,
  )
  for (const { id, kind } of all) {
    const own = periods.filter(({ of }) => of === id)
    expect(own.length).toBeGreaterThan(0)
    for (const [at, { starts }] of own.entries()) {
      const before = own[at - 1]?.ends
      if (before && kind === 'punctual') expect(starts).toEqual(before)
      // Time without service is billed to nobody, and no day twice.
      else if (before) expect(starts.getTime()).toBeGreaterThanOrEqual(before.getTime())
    }
    if (kind === 'punctual') expect(own.at(-1)?.ends.getTime()).toBeGreaterThan(day(DAYS).getTime())
  }

  // Nothing ends without a warning, however long the control plane was down.
  const warned = await query<{ id: string; first: number; last: number; debt: number }>(
    `select own.id, min(extract(epoch from ended_at - done_at) / 86400)
         filter (where step = 'deletion_warning_1')::float8 as first,
       min(extract(epoch from ended_at - done_at) / 86400)
         filter (where step = 'deletion_warning_2')::float8 as last,
       max(extract(epoch from ended_at - since) / 86400)::float8 as debt
     from subscriptions own join billing_steps on subscription_id = own.id
     where status = 'canceled' and step like 'deletion%' group by own.id`,
  )
  const gone = all.filter(({ kind }) => kind === 'gone').map(({ id }) => id)
  expect(warned.map(({ id }) => id).toSorted()).toEqual(gone.toSorted())
  for (const { first, last, debt } of warned) {
    expect(first).toBeGreaterThanOrEqual(7)
    expect(last).toBeGreaterThanOrEqual(1)
    expect(debt).toBeGreaterThanOrEqual(21)
  }

  // Every payment is on an invoice or in a balance, and the invoice numbers have no gaps.
  const [money] = await query<{ paid: number; used: number; held: number }>(
    `select (select sum(amount) from invoice_payments)::float8 as paid,
       (select sum(amount_paid) from invoices where status <> 'void')::float8 as used,
       (select coalesce(sum(amount), 0) from balance_entries)::float8 as held`,
  )
  expect(money?.paid).toBe((money?.used ?? 0) + (money?.held ?? 0))
  const gaps = await query(
    `select name from invoice_series where next - 1 <>
       (select count(*) from invoices where number like name || '-%')`,
  )
  expect(gaps).toEqual([])
}, 3_600_000)

import { randomUUID } from 'node:crypto'
import { CYCLES } from '@lodge/shared/billing/cycles.ts'
import { monthlyAmount } from '@lodge/shared/billing/mrr.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contextFor } from '../../../control-plane/src/context.ts'
import {
  endRevenueOf,
  recordRevenue,
} from '../../../control-plane/src/domains/billing/revenue/record.ts'
import { revenueOf } from '../../../control-plane/src/domains/billing/revenue/report.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

// Whatever happens to subscriptions, the movements of each period lead from its start to its end, and
// the end matches a model that remembers only the present state.

let lodge: Lodge
const priced: { id: string; currency: string; monthly: number }[] = []
beforeAll(async () => {
  lodge = await startLodge()
  const admin = await lodge.admin()
  const prices = CYCLES.flatMap((cycle, at) => [
    { cycle, amount: 997 * (at + 1), currency: 'EUR' },
    { cycle, amount: 1009 + at, currency: 'JPY' },
  ])
  const plan = await admin.must('POST /api/plans', {
    body: { name: randomUUID(), kind: 'account', prices },
  })
  for (const { id, currency, amount, cycle } of plan.prices)
    priced.push({ id, currency, monthly: monthlyAmount(amount, cycle) })
})
afterAll(() => lodge[Symbol.asyncDispose]())

const START = Date.UTC(2031, 0, 1)
const HOUR_MS = 3_600_000
const [CUSTOMERS, EACH, MONTHS] = [3, 2, 6]

const step = fc.record({
  hours: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 500 })),
  subscription: fc.integer({ min: 0, max: CUSTOMERS * EACH - 1 }),
  status: fc.constantFrom('trialing', 'active', 'past_due', 'suspended', 'canceled', 'deleted'),
  price: fc.integer({ min: 0, max: CYCLES.length * 2 - 1 }),
  isPaid: fc.boolean(),
} as const)

test('movements of every period add up to the recurring revenue at its end', async () => {
  const { services } = lodge.controlPlane
  const { db } = services
  const now = new Date(Date.UTC(2031, MONTHS, 1) - 1)
  const ctx = { ...contextFor(services, { kind: 'system' } as const), now }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      await lodge.database.pool.query('truncate revenue_entries')
      const owners = Array.from({ length: CUSTOMERS }, () => randomUUID())
      const ids = Array.from({ length: CUSTOMERS * EACH }, () => randomUUID())
      const present = new Map<number, (typeof priced)[number]>()
      const totals: Map<string, number>[] = []
      const monthly = (currency: string, owner?: number) =>
        [...present]
          .filter(
            ([at, price]) =>
              price.currency === currency && (owner ?? at % CUSTOMERS) === at % CUSTOMERS,
          )
          .reduce((sum, [, price]) => sum + price.monthly, 0)
      const remember = () => {
        const all = new Map<string, number>()
        for (const currency of ['EUR', 'JPY']) {
          all.set(currency, monthly(currency))
          const paying = owners.filter((_, owner) => monthly(currency, owner) > 0)
          all.set(`${currency} customers`, paying.length)
        }
        totals.push(all)
      }
      let ms = START
      for (const { hours, subscription: at, status, price, isPaid } of steps) {
        ms += hours * HOUR_MS
        while (totals.length < MONTHS && ms >= Date.UTC(2031, totals.length + 1, 1)) remember()
        if (totals.length === MONTHS) break
        const [id, userId] = [ids[at] ?? '', owners[at % CUSTOMERS] ?? '']
        const when = new Date(ms)
        if (status === 'deleted') {
          await endRevenueOf(db, when, userId)
          for (let other = at % CUSTOMERS; other < ids.length; other += CUSTOMERS)
            present.delete(other)
          continue
        }
        const anchor = isPaid ? when : null
        await recordRevenue(db, when, {
          id,
          userId,
          status,
          priceId: priced[price]?.id ?? null,
          anchor,
        })
        const counts = isPaid && (status === 'active' || status === 'past_due')
        if (counts && priced[price]) present.set(at, priced[price])
        else present.delete(at)
      }
      while (totals.length < MONTHS) remember()

      const { currencies } = await revenueOf(ctx, {
        ...{ by: 'month', periods: MONTHS, timeZone: 'UTC' },
      })
      for (const currency of ['EUR', 'JPY']) {
        const found = currencies.find((one) => one.currency === currency)
        const ends = found?.periods.map(({ recurring, customers }) => [
          recurring.end,
          customers.end,
        ])
        expect(ends ?? totals.map(() => [0, 0])).toEqual(
          totals.map((all) => [all.get(currency), all.get(`${currency} customers`)]),
        )
        for (const { recurring: r, customers: c } of [...(found?.periods ?? [])]) {
          expect(r.start + r.new + r.reactivated + r.expansion - r.contraction - r.churned).toBe(
            r.end,
          )
          expect(c.start + c.new + c.reactivated - c.churned).toBe(c.end)
          for (const amount of [...Object.values(r), ...Object.values(c)])
            expect(amount).toBeGreaterThanOrEqual(0)
        }
        const byPrice = found?.prices.reduce((sum, { recurring }) => sum + recurring.end, 0) ?? 0
        expect(byPrice).toBe(totals.at(-1)?.get(currency))
        expect(found?.total.recurring.end ?? 0).toBe(byPrice)
      }
    }),
    { numRuns: 40 },
  )
})

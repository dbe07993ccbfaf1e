import type { RevenueFigures } from '@lodge/shared/billing/revenue.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { at, revenueWorld, ZONE } from './revenue-world.ts'

// A year of a host, computed by hand: two currencies, months in a time zone with daylight saving
// time, and a tax of 19%.

let lodge: Lodge
let admin: Caller
let world: ReturnType<typeof revenueWorld>
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  world = revenueWorld(lodge, admin)
  const settings = await admin.must('GET /api/billing/settings')
  await admin.must('PUT /api/billing/settings', {
    body: { ...settings, timeZone: ZONE, tax: { name: 'VAT', basisPoints: 1900 } },
  })
  await liveThroughTheYear()
})
afterAll(() => lodge[Symbol.asyncDispose]())

const NOW = at('2028-01-05 12:00')
const YEAR = { from: '2027-01-01', to: '2027-12-31' }

async function liveThroughTheYear() {
  const [ada, bob, cleo, dan, eve, finn] = await Promise.all(
    Array.from({ length: 6 }, async () => (await lodge.customer()).id),
  )
  const small = await world.plan([
    { cycle: 'monthly', amount: 1000, currency: 'EUR' },
    { cycle: 'yearly', amount: 9999, currency: 'EUR' },
  ])
  const large = await world.plan([{ cycle: 'monthly', amount: 2500, currency: 'EUR' }])
  const tried = await world.plan([
    { cycle: 'monthly', amount: 500, currency: 'EUR', trialDays: 14 },
  ])
  const weekly = await world.plan([{ cycle: 'weekly', amount: 300, currency: 'USD' }])
  const dollars = await world.plan([{ cycle: 'monthly', amount: 2000, currency: 'USD' }])
  const free = await world.plan([{ cycle: 'monthly', amount: 0, currency: 'EUR' }])
  if (!ada || !bob || !cleo || !dan || !eve || !finn) throw new Error('a customer is missing')

  // The last day of January in that zone, so billing days reach 31.
  const first = await world.buy(ada, small, 'monthly', at('2027-01-31 23:30'))
  const gratis = await world.order(finn, free, 'monthly', at('2027-02-01 12:00'))
  await world.cancel(gratis.id, at('2027-02-02 12:00'))
  await world.buy(bob, small, 'yearly', at('2027-02-10 12:00'))
  const short = await world.buy(cleo, weekly, 'weekly', at('2027-02-15 12:00'))
  await world.cancel(short.id, at('2027-02-16 12:00'))
  await world.advance(at('2027-02-22 12:01'))
  await world.advance(at('2027-02-25 12:00'))
  // A minute after it is due, as it is charged automatically.
  await world.pay(await world.open(first.id), at('2027-02-28 23:31'))
  await world.advance(at('2027-02-28 23:32'))
  // A purchase that is never paid.
  await world.order(finn, small, 'monthly', at('2027-03-01 12:00'))

  await world.change(first.id, large, 'monthly', at('2027-03-10 12:00'))
  await world.pay(await world.open(first.id), at('2027-03-12 12:00'))
  await world.advance(at('2027-03-26 12:00'))
  // Due on March 31 at 22:30 UTC, which is already April in the zone because of daylight saving time.
  await world.advance(at('2027-04-01 12:00'))
  await world.advance(at('2027-04-09 12:00'))
  await world.pay(await world.open(first.id), at('2027-05-05 12:00'))
  await world.change(first.id, small, 'monthly', at('2027-05-20 12:00'))
  await world.advance(at('2027-05-30 12:00'))
  await world.pay(await world.open(first.id), at('2027-05-30 13:00'))
  await world.advance(at('2027-06-05 12:01'))

  const trial = await world.order(dan, tried, 'monthly', at('2027-06-20 12:00'))
  await world.cancel(first.id, at('2027-06-25 12:00'))
  await world.advance(at('2027-06-28 12:00'))
  const ofTrial = await world.open(trial.id)
  await world.pay(ofTrial, at('2027-06-28 13:00'))
  await world.advance(at('2027-07-06 12:00'))
  await world.refund(ofTrial, at('2027-07-20 12:00'), {
    ...{ amount: 595, way: 'balance', subscription: 'now' },
  })

  // Already September in the zone.
  const again = await world.buy(ada, small, 'monthly', at('2027-09-01 00:10'))
  await world.refund(again.invoiceId, at('2027-09-10 12:00'), {
    ...{ amount: 500, way: 'host', subscription: 'keep' },
  })
  await world.cancel(again.id, at('2027-09-15 12:00'))
  await world.advance(at('2027-10-01 00:11'))
  // In the hour that occurs twice at the end of daylight saving time.
  const autumn = await world.buy(eve, dollars, 'monthly', at('2027-10-31 02:30'))
  await world.cancel(autumn.id, at('2027-11-05 12:00'))
  await world.advance(at('2027-11-30 12:00'))
  // Ordered in the old year, paid in the new one.
  const late = await world.order(bob, small, 'monthly', at('2027-12-31 23:59'))
  await world.pay(late.invoiceId, at('2028-01-01 00:01'))
}

const flowOf = ({ recurring: r }: RevenueFigures) =>
  [r.start, r.new, r.reactivated, r.expansion, r.contraction, r.churned, r.end].join(' ')
const customersOf = ({ customers: c }: RevenueFigures) =>
  [c.start, c.new, c.reactivated, c.churned, c.end].join(' ')
const moneyOf = ({ invoiced: i, paid, refunded, credited }: RevenueFigures) =>
  [i.count, i.net, i.tax, paid, refunded, credited].join(' ')
const creditNotesOf = ({ creditNotes: c }: RevenueFigures) => [c.count, c.net, c.tax].join(' ')

const inCurrency = async (code: string, query = {}) => {
  const { currencies } = await world.report(NOW, { ...YEAR, ...query })
  const found = currencies.find(({ currency }) => currency === code)
  if (!found) throw new Error(`no ${code}`)
  return found
}

test('recurring revenue moves by month as computed by hand', async () => {
  const { periods, total } = await inCurrency('EUR')
  expect(periods.map(flowOf)).toEqual([
    '0 1000 0 0 0 0 1000',
    // A twelfth of 99.99.
    '1000 833 0 0 0 0 1833',
    '1833 0 0 1500 0 0 3333',
    // Suspended unpaid, and resumed after the payment.
    '3333 0 0 0 0 2500 833',
    '833 0 2500 0 0 0 3333',
    '3333 0 0 0 1500 0 1833',
    // A trial that was paid and then refunded, and the end of the subscription cancelled in June.
    '1833 500 0 0 0 1500 833',
    '833 0 0 0 0 0 833',
    '833 0 1000 0 0 0 1833',
    '1833 0 0 0 0 1000 833',
    '833 0 0 0 0 0 833',
    '833 0 0 0 0 0 833',
  ])
  expect(flowOf(total)).toBe('0 2333 3500 1500 1500 5000 833')
  expect(periods.map(customersOf)).toEqual([
    ...['0 1 0 0 1', '1 1 0 0 2', '2 0 0 0 2', '2 0 0 1 1', '1 0 1 0 2', '2 0 0 0 2'],
    ...['2 1 0 2 1', '1 0 0 0 1', '1 0 1 0 2', '2 0 0 1 1', '1 0 0 0 1', '1 0 0 0 1'],
  ])
  expect(customersOf(total)).toBe('0 3 2 4 1')
  expect(periods.map((one) => one.customerChurnBasisPoints)).toEqual([
    ...[null, 0, 0, 5000, 0, 0, 5000, 0, 0, 5000, 0, 0],
  ])
  expect(periods.map((one) => one.revenueChurnBasisPoints)).toEqual([
    ...[null, 0, 0, 7501, 0, 4500, 5456, 0, 0, 5456, 0, 0],
  ])
  // 18.33 of two customers.
  expect(periods[1]?.averagePerCustomer).toBe(917)
  expect(total).toMatchObject({ customerChurnBasisPoints: null, averagePerCustomer: 833 })
})

test('invoices, payments, refunds and debts count in the month in which they happened', async () => {
  const { periods, total } = await inCurrency('EUR')
  expect(periods.map(moneyOf)).toEqual([
    '1 1000 190 1190 0 0',
    // The free purchase has an invoice, too.
    '3 10999 2090 13089 0 0',
    // 10.39 for the rest of the month with the larger plan. The invoice that was never paid is void.
    '2 3539 672 1236 0 0',
    '0 0 0 0 0 0',
    '1 1000 190 4165 0 0',
    '1 500 95 595 0 0',
    '0 0 0 0 0 595',
    '0 0 0 0 0 0',
    '1 1000 190 1190 500 0',
    '0 0 0 0 0 0',
    '0 0 0 0 0 0',
    '1 1000 190 0 0 0',
  ])
  expect(moneyOf(total)).toBe('10 19038 3617 21465 500 595')
  expect(periods.map(creditNotesOf)).toEqual([
    ...['0 0 0', '0 0 0', '0 0 0', '0 0 0', '0 0 0', '0 0 0'],
    // All of the trial's first month, and 5.00 of 11.90.
    ...['1 500 95', '0 0 0', '1 420 80', '0 0 0', '0 0 0', '0 0 0'],
  ])
  expect(creditNotesOf(total)).toBe('2 920 175')
  expect(periods.map(({ overdue }) => Object.values(overdue).join(' '))).toEqual([
    ...['0 0 0', '0 0 0', '0 0 0', '1 1 2975', '0 0 0', '0 0 0'],
    ...Array.from({ length: 6 }, () => '0 0 0'),
  ])
  expect(total.overdue).toEqual({ fell: 1, count: 0, amount: 0 })
})

test('each currency is reported separately, and 3 dollars a week are 13 dollars a month', async () => {
  const { periods, total, prices } = await inCurrency('USD')
  expect(flowOf(total)).toBe('0 3300 0 0 0 3300 0')
  expect(periods.map(flowOf)[1]).toBe('0 1300 0 0 0 1300 0')
  expect(periods.map(flowOf)[9]).toBe('0 2000 0 0 0 0 2000')
  expect(periods.map(flowOf)[10]).toBe('2000 0 0 0 0 2000 0')
  expect(moneyOf(total)).toBe('2 2300 437 2737 0 0')
  expect(prices).toHaveLength(2)
  const { currencies } = await world.report(NOW, { ...YEAR, currency: 'CHF' })
  expect(currencies).toMatchObject([{ currency: 'CHF', prices: [], total: { paid: 0 } }])
})

test('the movements of a price lead from its start to its end', async () => {
  const { prices } = await inCurrency('EUR', { from: '2027-03-01', to: '2027-09-30' })
  const shown = prices.map(({ cycle, amount, recurring: r, subscriptions: s }) =>
    [cycle, amount, r.start, r.end, s.start, s.came, s.left, s.end].join(' '),
  )
  expect(shown.sort()).toEqual([
    'monthly 1000 1000 1000 1 2 2 1',
    'monthly 2500 0 0 0 2 2 0',
    'monthly 500 0 0 0 1 1 0',
    'yearly 9999 833 833 1 0 0 1',
  ])
})

test('weeks begin on Monday, and the zone decides to which month something belongs', async () => {
  const weeks = await world.report(NOW, {
    ...{ by: 'week', from: '2027-01-27', to: '2027-02-10', currency: 'EUR' },
  })
  const [euros] = weeks.currencies
  expect(euros?.periods.map(({ from, to, recurring }) => [from, to, recurring.end])).toEqual([
    ['2027-01-25', '2027-01-31', 1000],
    ['2027-02-01', '2027-02-07', 1000],
    ['2027-02-08', '2027-02-14', 1833],
  ])
  // Half an hour before midnight, it is already next year elsewhere.
  const tokyo = await inCurrency('EUR', { timeZone: 'Asia/Tokyo' })
  expect(tokyo.periods.slice(0, 2).map(flowOf)).toEqual(['0 0 0 0 0 0 0', '0 1833 0 0 0 0 1833'])
  expect((await world.report(NOW)).to).toBe('2028-01-31')
  const running = (await world.report(NOW)).currencies[0]?.periods.map((one) => one.running)
  expect(running).toEqual([...Array.from({ length: 11 }, () => false), true])
})

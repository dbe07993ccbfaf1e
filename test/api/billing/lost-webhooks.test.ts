import { randomUUID } from 'node:crypto'
import { type Cycle, periodEnd } from '@lodge/shared/billing/cycles.ts'
import { prorate } from '@lodge/shared/billing/proration.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contextFor } from '../../../control-plane/src/context.ts'
import { fetchPages } from '../../../control-plane/src/domains/billing/providers/pages.ts'
import { takeObject } from '../../../control-plane/src/domains/billing/providers/project.ts'
import { until } from '../../support/until.ts'
import { BANK, bankWorld } from './bank-world.ts'

let world: Awaited<ReturnType<typeof bankWorld>>
beforeAll(async () => {
  world = await bankWorld()
})
afterAll(() => world?.end())

describe('a payment on a page whose webhook was lost', () => {
  test('is found an hour after the page was opened, and the page is forgotten', async () => {
    const one = await world.subscriber()
    await one.pay(false)
    await world.paySilently(one.first)
    await fetchPages(world.services(), new Date(Date.now() + 59 * 60_000))
    expect(await world.pagesOf(one.first)).toBe(1)
    await fetchPages(world.services(), new Date(Date.now() + 61 * 60_000))
    expect((await one.billing()).subscription).toMatchObject({ status: 'active' })
    expect(await world.pagesOf(one.first)).toBe(0)
  })

  test('that was for several invoices is fetched once for all of them', async () => {
    const one = await world.subscriber()
    const second = (await one.buyAgain()).invoice?.id ?? ''
    await one.person.must('POST /api/billing/pay-all', { body: { provider: BANK } })
    const fetched = async () =>
      (
        await world.query('select from plugin_storage where key like $1', [
          `fetched:page_${one.first}:%`,
        ])
      ).length
    await fetchPages(world.services(), new Date(Date.now() + 61 * 60_000))
    expect(await fetched()).toBe(1)
    expect([await world.pagesOf(one.first), await world.pagesOf(second)]).toEqual([1, 1])
    await world.paySilently(one.first, 'succeeded', 2000)
    const dayLater = new Date(Date.now() + 26 * 3_600_000)
    await Promise.all([
      fetchPages(world.services(), dayLater),
      fetchPages(world.beside.controlPlane.services, dayLater),
    ])
    expect(await fetched()).toBe(2)
    expect((await one.billing()).invoices.map(({ status }) => status)).toEqual(['paid', 'paid'])
    expect([await world.pagesOf(one.first), await world.pagesOf(second)]).toEqual([0, 0])
  })

  test('of an invoice that is void or paid meanwhile is on the balance, also once its money arrives later', async () => {
    const [hour, money] = [3_600_000, (amount: number) => [{ currency: 'EUR', amount }]]
    const at = (hours: number) => fetchPages(world.services(), new Date(Date.now() + hours * hour))
    const one = await world.subscriber()
    await one.pay(false)
    await world.paySilently(one.first)
    const params = { id: (await one.billing()).subscription?.id ?? '' }
    await one.person.must('POST /api/billing/subscriptions/{id}/cancel', { params })
    await at(1.1)
    expect(await one.billing()).toMatchObject({
      ...{ subscription: { status: 'expired' }, balances: money(1000) },
    })
    expect(await world.pagesOf(one.first)).toBe(0)

    const twice = await world.subscriber()
    await twice.pay(false)
    await world.admin.must('POST /api/billing/invoices/{id}/mark-paid', {
      ...{ params: { id: twice.first }, body: { amount: 1000 } },
    })
    await at(1.1)
    await world.paySilently(twice.first, 'processing')
    await at(26)
    await world.paySilently(twice.first)
    await at(28)
    expect((await twice.billing()).balances).toEqual(money(1000))
    expect(await world.pagesOf(twice.first)).toBe(0)
    // Nothing is expected of a page that nobody paid while it was open.
    const idle = await world.subscriber()
    await idle.pay(false)
    await idle.person.must('DELETE /api/store/checkouts/{id}', {
      params: { id: (await idle.billing()).subscription?.id ?? '' },
    })
    await at(1.1)
    expect(await world.pagesOf(idle.first)).toBe(1)
    await at(26)
    expect(await world.pagesOf(idle.first)).toBe(0)
  })

  test('is looked for once more before a suspension, which follows if there is none', async () => {
    const paid = await world.overdue()
    await world.paySilently(paid.id)
    await fetchPages(world.services(), await world.runAt(paid.one, 8))
    expect((await paid.one.billing()).subscription).toMatchObject({ status: 'active' })

    const unpaid = await world.overdue()
    await fetchPages(world.services(), await world.runAt(unpaid.one, 8))
    expect((await unpaid.one.billing()).subscription).toMatchObject({ status: 'past_due' })
    await world.runAt(unpaid.one, 8)
    expect((await unpaid.one.billing()).subscription).toMatchObject({ status: 'suspended' })
  })

  test('holds a suspension for as long as its money is on its way', async () => {
    const { one, id } = await world.overdue()
    await world.paySilently(id, 'processing')
    for (const day of [8, 10, 12]) {
      await fetchPages(world.services(), await world.runAt(one, day))
      expect((await one.billing()).subscription).toMatchObject({ status: 'past_due' })
    }
    await world.paySilently(id)
    await fetchPages(world.services(), await world.runAt(one, 14))
    expect((await one.billing()).subscription).toMatchObject({ status: 'active' })
  })

  test('holds a suspension for three days at most while the provider is silent', async () => {
    const { one } = await world.overdue()
    await world.book('silent', true)
    await fetchPages(world.services(), await world.runAt(one, 8))
    await world.runAt(one, 10)
    expect((await one.billing()).subscription).toMatchObject({ status: 'past_due' })
    await world.runAt(one, 12)
    expect((await one.billing()).subscription).toMatchObject({ status: 'suspended' })
    await world.book('silent', null)
  })

  test('is not charged as well while its money is on its way, but once that has failed', async () => {
    const one = await world.charged()
    await world.runAt(one, -6)
    const id = (await one.billing()).newest?.id ?? ''
    await one.pay(false, id)
    await world.paySilently(id, 'processing')
    // What is reported is its payment, which does not name the page.
    await world.report(`pi_${id}`, one.ref)
    const retry = () => one.person.call('POST /api/billing/invoices/{id}/retry', { params: { id } })
    const detail = 'Its money is on its way: wait until it has arrived'
    expect(await retry()).toMatchObject({ status: 409, body: { code: 'invalid_state', detail } })
    expect((await one.billing()).subscription?.actions.retry).toMatchObject({ reason: detail })
    expect(await one.pay(false, id)).toMatchObject({ status: 409 })
    expect(await one.person.must('POST /api/billing/pay-all', { body: {} })).toMatchObject({
      ...{ invoices: [{ outcome: 'charging' }], sums: [] },
    })
    await fetchPages(world.services(), await world.runAt(one, -1))
    await world.runAt(one, 0)
    expect(await one.asked()).toEqual({ calls: 0, keys: 0 })
    expect((await one.billing()).subscription).toMatchObject({ status: 'active' })
    await world.paySilently(id, 'failed')
    await fetchPages(world.services(), await world.runAt(one, 1))
    await world.runAt(one, 1)
    expect(await one.asked()).toEqual({ calls: 1, keys: 1 })
    expect((await one.billing()).newest).toMatchObject({ status: 'paid', amountPaid: 1000 })
  })
})

test('money that is reported while its page is fetched is on its way, whatever the page said before', async () => {
  const one = await world.charged()
  await world.runAt(one, -6)
  const id = (await one.billing()).newest?.id ?? ''
  await one.pay(false, id)
  await world.book(`hold:page_${id}`, true)
  const fetched = fetchPages(world.services(), new Date(Date.now() + 61 * 60_000))
  await until(
    async () =>
      (await world.query('select from plugin_storage where key = $1', [`held:page_${id}`])).length >
      0,
  )
  await world.paySilently(id, 'processing')
  await world.report(`pi_${id}`, one.ref)
  await world.book(`hold:page_${id}`, null)
  await fetched
  expect((await one.billing()).subscription?.actions.retry).toMatchObject({
    ...{ allowed: false, reason: 'Its money is on its way: wait until it has arrived' },
  })
})

describe('a change of plan whose money arrives after the period that it was for', () => {
  const days = (count: number) => count * 86_400_000
  /** Asks for the change now; its money is on its way until some days after the period has ended. */
  async function changedLate(cycle: Cycle, amount: number, late: number) {
    const one = await world.subscriber()
    await one.pay(false)
    await world.reportPaid(one)
    const { id: planId, name } = await world.admin.must('POST /api/plans', {
      body: {
        ...{ name: randomUUID(), kind: 'account', visibility: 'public' },
        prices: [{ cycle, amount, currency: 'EUR' }],
      },
    })
    const before = (await one.billing()).subscription
    await one.person.must('POST /api/billing/subscriptions/{id}/change', {
      ...{ params: { id: before?.id ?? '' }, body: { planId, cycle } },
    })
    const asked = (await one.billing()).newest
    const [id, paid] = [asked?.id ?? '', asked?.total ?? 0]
    await one.pay(false, id)
    await world.paySilently(id, 'processing', paid)
    await world.report(`page_${id}`, one.ref, 'checkout')
    const end = new Date(before?.periodEnd ?? '')
    const at = new Date(end.getTime() + days(late))
    for (const day of [new Date(end.getTime() - days(1)), new Date(at.getTime() - days(1))]) {
      await fetchPages(world.services(), day)
      await world.runUntil(one.id, day)
    }
    // What the next period costs is not known, and nothing is lost meanwhile.
    expect(await one.billing()).toMatchObject({
      ...{ newest: { id, status: 'open' } },
      subscription: { status: 'active', planName: before?.planName },
    })
    await world.paySilently(id, 'succeeded', paid)
    await fetchPages(world.services(), at)
    expect(await one.billing()).toMatchObject({
      subscription: { status: 'active', planName: name, pendingChange: null },
      balances: [{ amount: paid }],
      invoices: [{ id, status: 'paid', refunds: [{ way: 'balance', amount: paid }] }, {}],
    })
    expect(await one.told()).toContainEqual(expect.stringMatching(/ is on your balance$/))
    await world.runUntil(one.id, at)
    const { newest, balances, subscription } = await one.billing()
    expect(balances).toEqual([])
    const lines = newest?.lines.map((line) => [line.description, line.amount])
    const names = { old: before?.planName, new: name }
    return { one, end, at, paid, lines, names, newest, start: before?.periodStart, subscription }
  }
  /** What a price costs for a part of a time. */
  const partOf = (amount: number, part: number, of: number) =>
    prorate(amount, Math.floor(part / 1000), Math.floor(of / 1000))

  test('takes effect when it arrives: until then the next period has the old price, and nothing is lost', async () => {
    const late = await changedLate('monthly', 3000, 3)
    const { one, end, lines, names, paid, newest } = late
    const next = periodEnd(new Date(late.start ?? ''), 'monthly', 2)
    const whole = next.getTime() - end.getTime()
    const [before, after] = [partOf(1000, days(3), whole), partOf(3000, whole - days(3), whole)]
    expect(before + after).toBeGreaterThan(paid)
    expect(lines).toEqual([
      ...[
        [names.old, before],
        [names.new, after],
        ['Paid from your balance', -paid],
      ],
    ])
    const total = before + after - paid
    expect(newest).toMatchObject({ status: 'open', total })
    await world.admin.must('POST /api/billing/invoices/{id}/mark-paid', {
      ...{ params: { id: newest?.id ?? '' }, body: { amount: total } },
    })
    await world.runUntil(one.id, late.at)
    expect((await one.billing()).subscription).toMatchObject({
      ...{ planName: names.new, periodEnd: next.toISOString() },
    })
    // The period after that has the new price alone.
    await world.runUntil(one.id, new Date(next.getTime() - days(3)))
    expect((await one.billing()).newest).toMatchObject({ total: 3000 })
  })

  test('and that is for another cycle begins it where the paid time ended', async () => {
    const { end, lines, names, paid } = await changedLate('yearly', 20_000, 25)
    const month = periodEnd(end, 'monthly', 1).getTime() - end.getTime()
    const year = periodEnd(end, 'yearly', 1).getTime() - end.getTime()
    expect(lines).toEqual([
      [names.old, partOf(1000, days(25), month)],
      [names.new, partOf(20_000, year - days(25), year)],
      ['Paid from your balance', -paid],
    ])
  })
})

describe('a charge that its customer asked for', () => {
  const retry = (one: Awaited<ReturnType<typeof world.subscriber>>, id = '') =>
    one.person.must('POST /api/billing/invoices/{id}/retry', { params: { id } })
  const days = (count: number) => new Date(Date.now() + count * 86_400_000)

  test('and that was declined before the due date is not the last: the invoice is charged on that day', async () => {
    const one = await world.charged()
    const now = await world.runAt(one, -6)
    await one.mood('declines')
    await retry(one, (await one.billing()).newest?.id)
    await world.chargeAtBoth(now)
    expect((await one.billing()).newest?.charge).toMatchObject({ state: 'failed' })
    await one.mood(null)
    await world.runAt(one, 0)
    expect(await one.billing()).toMatchObject({
      ...{ subscription: { status: 'active' }, newest: { status: 'paid' } },
    })
    expect(await one.asked()).toEqual({ calls: 2, keys: 2 })
  })

  test('ends no purchase while it is under way, nor while a page may have been paid', async () => {
    const one = await world.subscriber()
    await one.person.must('POST /api/billing/portal', { query: {} })
    await one.charge(true)
    await retry(one, one.first)
    await world.runUntil(one.id, days(30), false)
    expect((await one.billing()).subscription).toMatchObject({ status: 'incomplete' })
    await world.chargeAtBoth(days(30))
    expect((await one.billing()).subscription).toMatchObject({ status: 'active' })

    const [paid, unpaid] = [await world.subscriber(), await world.subscriber()]
    for (const { pay } of [paid, unpaid]) await pay(false)
    await world.paySilently(paid.first)
    for (const { id } of [paid, unpaid]) await world.runUntil(id, days(30))
    expect((await unpaid.billing()).subscription).toMatchObject({ status: 'incomplete' })
    await fetchPages(world.services(), days(30))
    expect((await paid.billing()).subscription).toMatchObject({ status: 'active' })
    await world.runUntil(unpaid.id, days(31))
    expect((await unpaid.billing()).subscription).toMatchObject({ status: 'expired' })
  })

  test('drops no change of plan while it is under way, and the next period begins with the new one', async () => {
    const one = await world.charged()
    const { id: planId, name } = await world.admin.must('POST /api/plans', {
      body: {
        ...{ name: randomUUID(), kind: 'account', visibility: 'public' },
        prices: [{ cycle: 'monthly', amount: 3000, currency: 'EUR' }],
      },
    })
    const before = (await one.billing()).subscription
    await one.person.must('POST /api/billing/subscriptions/{id}/change', {
      ...{ params: { id: before?.id ?? '' }, body: { planId, cycle: 'monthly' } },
    })
    const change = (await one.billing()).newest
    expect(change).toMatchObject({ status: 'open' })
    await retry(one, change?.id)
    const end = await world.runAt(one, 0, false)
    expect((await one.billing()).subscription).toMatchObject({
      ...{ planName: before?.planName, pendingChange: { planName: name } },
    })
    await world.chargeAtBoth(end)
    expect((await one.billing()).subscription).toMatchObject({ planName: name })
    await world.runAt(one, 0)
    // Nothing was changed in the period that had ended: what was paid for that is used for the next.
    const { newest, balances } = await one.billing()
    const [line, used] = newest?.lines ?? []
    expect([line?.amount, used?.amount, balances]).toEqual([3000, -(change?.total ?? 0), []])
  })
})

test('a state of a payment that was fetched earlier is never taken over after a newer one', async () => {
  const { lodge, beside, book, query } = world
  const one = await world.subscriber()
  await world.reportPaid(one)
  const ref = `pi_${one.first}`
  const payment = {
    ...{ kind: 'payment', ref, status: 'disputed', currency: 'EUR', amount: 1000 },
    ...{ amountRefunded: 0, failure: null, metadata: { invoiceId: one.first } },
  }
  const disputed = (state: string) =>
    book(`payment:${ref}`, {
      ...{ ...payment, status: state === 'won' ? 'succeeded' : 'disputed' },
      dispute: { ref: 'dp', state, amount: 1000, reason: '' },
    })
  const look = ({ controlPlane }: typeof lodge) =>
    takeObject(
      contextFor(controlPlane.services, { kind: 'system' } as const),
      ...([new Date(), BANK, 'payment', ref] as const),
    )
  await disputed('lost')
  await book(`hold:${ref}`, true)
  const earlier = look(lodge)
  const wrote = (key: string) =>
    query('select from plugin_storage where plugin_id = $1 and key = $2', [BANK, key])
  await until(async () => (await wrote(`held:${ref}`)).length > 0)
  // The other control plane learns that the dispute is won, and waits for its turn.
  await disputed('won')
  let isDone = false
  const later = look(beside).finally(() => {
    isDone = true
  })
  await until(async () => {
    const waiting = await query(
      `select from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    return isDone || waiting.length > 0
  })
  await book(`hold:${ref}`, null)
  await Promise.all([earlier, later])
  const { newest } = await one.billing()
  expect(newest?.refunds.map(({ way, state }) => `${way} ${state}`)).toEqual(['dispute reversed'])
  expect(newest?.refundable).toBe(1000)
})

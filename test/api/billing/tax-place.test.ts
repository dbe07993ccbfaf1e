import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { taxWorld } from './tax-world.ts'

let world: Awaited<ReturnType<typeof taxWorld>>
beforeAll(async () => {
  world = await taxWorld('127.0.0.1:9')
})
afterAll(() => world?.end())

describe('a renewal of a customer without an address', () => {
  const DAY = 86_400_000
  /**
   * The customer without a country, day after day. @returns the notifications by day before or after
   * the period's end
   */
  async function without(planId?: string) {
    const one = await world.subscriber('DE', planId)
    await one.live({ country: '' })
    const told: (readonly [day: number, title: string])[] = []
    let before = new Set<string>()
    const to = async (from: number, until: number) => {
      for (let day = from; day <= until; day += 1) {
        const at = world.daysAfter(one.end, day)
        await world.runAt(one, at)
        await world.runAt(one, new Date(at.getTime() + 60_000))
        const { items } = await one.person.must('GET /api/notifications')
        for (const { id, title } of items.toReversed())
          if (!before.has(id)) told.push([day, title.replace(/^.*? (?=will|is|ended)/, '')])
        before = new Set(items.map(({ id }) => id))
      }
    }
    await world.runAt(one, world.daysAfter(one.end, -8))
    const { items } = await one.person.must('GET /api/notifications')
    before = new Set(items.map(({ id }) => id))
    return { ...one, told, to }
  }

  test('is requested, reminded, suspended and ended on the days of any unpaid invoice, with the reason', async () => {
    const one = await without()
    await one.to(-7, 3)
    const { subscription } = await one.billing()
    expect(subscription).toMatchObject({
      ...{ status: 'past_due', actions: { change: { allowed: false } } },
      actions: { change: { reason: 'Complete your billing address first' } },
    })
    await one.to(4, 10)
    expect((await one.billing()).subscription).toMatchObject({
      ...{ status: 'suspended', suspendedFor: 'unpaid' },
    })
    await one.to(11, 24)
    const { subscription: ended, invoices } = await one.billing()
    expect([ended?.status, invoices.length]).toEqual(['canceled', 1])
    const still = 'will stop: we still need your country'
    expect(one.told.map(([day, title]) => [day, title.replace(/ for the next.*/, '')])).toEqual([
      [-7, 'We need your country'],
      ...[0, 2, 3, 4, 6, 7, 8].map((day) => [day, still]),
      [10, 'is suspended: we need your country'],
      ...[17, 23].map((day) => [day, 'will end and its data will be deleted']),
      [24, 'ended'],
    ])
  })

  test('continues with its invoice once there is one, overdue or suspended, and ends only if that is unpaid', async () => {
    const [late, lost] = [await without(), await without()]
    await late.to(-7, 5)
    expect((await late.billing()).subscription?.status).toBe('past_due')
    await late.live({ country: 'DE' })
    await late.to(6, 6)
    const { subscription, newest } = await late.billing()
    expect([subscription?.status, subscription?.pastDueSince]).toEqual(['active', null])
    expect(newest).toMatchObject({ status: 'open', total: 1190 })
    expect(Date.parse(newest?.dueAt ?? '')).toBe(late.end + 9 * DAY)
    await late.pay()
    await late.to(7, 7)
    const renewed = (await late.billing()).subscription
    expect(Date.parse(renewed?.periodStart ?? '')).toBe(late.end)

    await lost.to(-7, 20)
    await lost.live({ country: 'US' })
    // A second address that is refused resets nothing.
    await lost.live({ country: '' })
    await lost.to(21, 22)
    expect((await lost.billing()).subscription?.status).toBe('suspended')
    await lost.live({ country: 'US' })
    await lost.to(23, 30)
    const open = await lost.billing()
    expect([open.subscription?.status, open.newest?.status]).toEqual(['suspended', 'open'])
    await lost.pay()
    expect((await lost.billing()).subscription?.status).toBe('active')
  })

  test('while the plugin is unreachable no deadline advances, whatever it answered before', async () => {
    const one = await without()
    await one.to(-7, 4)
    await one.live({ country: 'DE' })
    await world.mood('away')
    await one.to(5, 40)
    expect((await one.billing()).subscription?.status).toBe('past_due')
    await world.mood(null)
    await one.to(41, 41)
    expect((await one.billing()).subscription?.status).toBe('active')
  })

  test('ends a trial, or makes it overdue, according to the billing settings for unpaid ones', async () => {
    const { id: planId } = await world.plan({ trialDays: 7, setupFee: 500 })
    const trial = async () => {
      const one = await world.somebody('')
      await one.person.must('POST /api/store/checkout', { body: { planId, cycle: 'monthly' } })
      const { subscription } = await one.billing()
      const end = Date.parse(subscription?.trialEndsAt ?? '')
      const to = async (until: number) => {
        for (let day = -3; day <= until; day += 1) {
          await world.runAt(one, world.daysAfter(end, day))
          await world.runAt(one, new Date(end + day * DAY + 60_000))
        }
      }
      return { ...one, end, to }
    }
    const free = await trial()
    await free.to(3)
    expect((await free.billing()).subscription?.status).toBe('canceled')
    const settings = await world.admin.must('GET /api/billing/settings')
    const put = (change: object) =>
      world.admin.must('PUT /api/billing/settings', { body: { ...settings, ...change } })
    await put({ trialEnd: 'past_due' })
    try {
      const owed = await trial()
      await owed.to(4)
      expect((await owed.billing()).subscription?.status).toBe('past_due')
      await owed.live({ country: 'DE' })
      await world.runAt(owed, world.daysAfter(owed.end, 5))
      const { newest } = await owed.billing()
      expect(newest).toMatchObject({ status: 'open', total: 1785 })
      await owed.pay()
      await world.runAt(owed, world.daysAfter(owed.end, 6))
      const { subscription } = await owed.billing()
      expect(subscription?.status).toBe('active')
      expect(Date.parse(subscription?.periodStart ?? '')).toBe(owed.end)
    } finally {
      await put({})
    }
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fetchPages } from '../../../control-plane/src/domains/billing/providers/pages.ts'
import { bankWorld } from './bank-world.ts'

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
})

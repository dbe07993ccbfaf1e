import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let customer: Caller
let agent: Caller
let colleague: Caller

beforeAll(async () => {
  lodge = await startLodge()
  customer = await lodge.customer()
  agent = await lodge.limitedAdmin(['support.view', 'support.reply'])
  colleague = await lodge.limitedAdmin(['support.view', 'support.reply'])
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

test('a ticket is unread to whoever did not read what the other side wrote, until they do', async () => {
  const { id } = await customer.must('POST /api/support/tickets', {
    body: { subject: 'It stops', bodyMarkdown: 'Since noon.' },
  })
  const params = { id }
  const see = (by: Caller) => by.must('GET /api/support/tickets/{id}', { params })
  const note = (by: Caller, at: string) =>
    by.must('PUT /api/support/tickets/{id}/read', { params, body: { at } })
  const say = (by: Caller, kind: 'reply' | 'note' = 'reply') =>
    by.must('POST /api/support/tickets/{id}/messages', {
      params,
      body: { kind, bodyMarkdown: 'Well.' },
    })
  const unread = async (by: Caller) => {
    const { items } = await by.must('GET /api/support/tickets')
    const { unread } = await see(by)
    expect(items.find((one) => one.id === id)?.unread).toBe(unread)
    return unread
  }
  const all = () => Promise.all([customer, agent, colleague].map((by) => unread(by)))

  expect(await all()).toEqual([false, true, true])
  await note(agent, (await see(agent)).updatedAt)
  expect(await all()).toEqual([false, false, true])
  // A note is not visible to the customer.
  await say(agent, 'note')
  expect(await all()).toEqual([false, false, true])

  const before = await see(customer)
  await say(agent)
  expect(await all()).toEqual([true, false, false])
  // The version on their screen was older than the answer.
  await note(customer, before.updatedAt)
  expect(await unread(customer)).toBe(true)
  await note(customer, (await see(customer)).updatedAt)
  await note(customer, before.updatedAt)
  expect(await all()).toEqual([false, false, false])

  await say(customer)
  expect(await all()).toEqual([false, true, true])
  // Nobody can have read future messages.
  await note(agent, '2999-01-01T00:00:00.000Z')
  await say(customer)
  expect(await all()).toEqual([false, true, true])
})

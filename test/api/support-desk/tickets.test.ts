import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let agent: Caller
let customer: Caller

beforeAll(async () => {
  lodge = await startLodge()
  agent = await lodge.limitedAdmin(['support.view', 'support.reply', 'support.assign'])
  customer = await lodge.customer()
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

const open = (by: Caller, subject: string, more: object = {}) =>
  by.must('POST /api/support/tickets', {
    body: { subject, bodyMarkdown: `About *${subject}*.`, ...more },
  })

describe('a ticket', () => {
  test('exists for its customer and the desk, and for nobody else', async () => {
    const made = await open(customer, 'My server is slow')
    expect(made).toMatchObject({ status: 'new', priority: 'normal', staff: null, events: null })
    expect(made.number).toMatch(/^T-\d{6}$/)
    const params = { id: made.id }
    const seen = await agent.must('GET /api/support/tickets/{id}', { params })
    expect(seen.staff).toMatchObject({ assignee: null, tags: [], spam: false })
    for (const other of [await lodge.customer(), await lodge.limitedAdmin(['support.reply'])]) {
      const answer = await other.call('GET /api/support/tickets/{id}', { params })
      expect(answer.status).toBe(404)
      expect((await other.must('GET /api/support/tickets', { query: {} })).items).toEqual([])
    }
    const { items } = await agent.must('GET /api/support/tickets', { query: { q: 'servers' } })
    expect(items.map(({ id }) => id)).toEqual([made.id])
  })
})

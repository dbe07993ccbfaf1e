import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let admin: Caller

beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

test('the outbox is filtered and ordered over all pages, and its CSV has no content', async () => {
  await lodge.database.pool.query(
    `insert into email_messages (id, template, to_address, subject, state, priority,
       attempts, message_id, expires_at, last_error)
     select uuidv7(), 'invitation', 'p' || n || '@example.org', 'Hello ' || n,
       'failed', 1, n, '<' || n || '@test>', now(), case when n > 2 then 'Timed out' end
     from generate_series(1, 4) n`,
  )
  const subjects = async (filter: string, sort?: '-to' | 'attempts'): Promise<string[]> => {
    const found: string[] = []
    let after: string | undefined
    do {
      const page = await admin.must('GET /api/email/outbox', {
        query: { limit: 1, filter, ...(sort ? { sort } : {}), ...(after ? { after } : {}) },
      })
      found.push(...page.items.map((item) => item.subject))
      after = page.nextCursor ?? undefined
    } while (after)
    return found
  }
  const all = ['Hello 1', 'Hello 2', 'Hello 3', 'Hello 4']
  expect(await subjects('to:*@EXAMPLE.org')).toEqual(all.toReversed())
  expect(await subjects('to:*@example.org', 'attempts')).toEqual(all)
  expect(await subjects('hello template:invitation', '-to')).toEqual(all.toReversed())
  expect(await subjects('to:p*@example.org error:*timed*')).toEqual(['Hello 4', 'Hello 3'])
  expect(await subjects('state:sent to:*@example.org')).toEqual([])
  const { payload } = await admin.send({
    url: `/api/email/outbox/export?${new URLSearchParams({ filter: 'to:*@example.org' })}`,
  })
  const [head = '', ...lines] = payload.trimEnd().split('\r\n')
  expect(head).not.toContain('content')
  expect(lines).toHaveLength(4)
})

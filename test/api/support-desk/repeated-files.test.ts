import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let customer: Caller
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge?.[Symbol.asyncDispose]())
beforeEach(async () => {
  await lodge.database.pool.query('delete from attachments')
  customer = await lodge.customer()
})

const references = async (fileId: string) => {
  const { rows } = await lodge.database.pool.query(
    'select sha256 from blob_references where owner_id = $1',
    [fileId],
  )
  return rows
}

test('the same file twice in a message is stored once, even if its sender adds it twice', async () => {
  const send = async (name: string, bytes: string, beside: string[] = []) => {
    const query = new URLSearchParams({ name, ...(beside.length > 0 && { beside: beside.join() }) })
    const answer = await customer.send({
      ...{ method: 'POST', url: `/api/support/tickets/new/attachments?${query}` },
      headers: { 'content-type': 'application/octet-stream' },
      payload: Buffer.from(bytes),
    })
    return answer.json<{ id: string; name: string }>()
  }
  const first = await send('a.txt', 'hello')
  const other = await send('b.txt', 'world', [first.id])
  expect(other).toMatchObject({ name: 'b.txt' })
  expect(await send('copy.txt', 'hello', [first.id, other.id])).toMatchObject(first)
  const unaware = await send('copy.txt', 'hello')
  expect(unaware.id).not.toBe(first.id)
  const stranger = await lodge.customer()
  const theirs = await stranger.send({
    ...{
      method: 'POST',
      url: `/api/support/tickets/new/attachments?name=c.txt&beside=${first.id}`,
    },
    headers: { 'content-type': 'application/octet-stream' },
    payload: Buffer.from('hello'),
  })
  expect(theirs.json()).toMatchObject({ name: 'c.txt' })
  const { messages } = await customer.must('POST /api/support/tickets', {
    body: {
      ...{ subject: 'Twice', bodyMarkdown: 'Look' },
      attachments: [unaware.id, other.id, first.id],
    },
  })
  expect(messages[0]?.attachments.map(({ name }) => name)).toEqual(['a.txt', 'b.txt'])
  expect(await references(unaware.id)).toEqual([])
  expect(await references(first.id)).toHaveLength(1)
})

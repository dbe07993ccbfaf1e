import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

test('staff write notes about a customer, the newest first, and change and delete them', async () => {
  const admin = await lodge.admin()
  const customer = await lodge.customer()
  const params = { id: customer.id }
  const write = (content: string) =>
    admin.must('POST /api/customers/{id}/notes', { params, body: { content } })
  const list = async () =>
    (await admin.must('GET /api/customers/{id}/notes', { params })).items.map(
      ({ content }) => content,
    )
  const first = await write('  Pays by invoice  ')
  expect(first).toMatchObject({ content: 'Pays by invoice', editedAt: null })
  expect(first.author?.id).toBe(admin.id)
  await write('Asked for a bigger disk')
  expect(await list()).toEqual(['Asked for a bigger disk', 'Pays by invoice'])
  const changed = await admin.must('PATCH /api/customers/{id}/notes/{noteId}', {
    params: { ...params, noteId: first.id },
    body: { content: 'Pays by card' },
  })
  expect(changed.editedAt).not.toBeNull()
  await admin.must('DELETE /api/customers/{id}/notes/{noteId}', {
    params: { ...params, noteId: first.id },
  })
  expect(await list()).toEqual(['Asked for a bigger disk'])
})

test('a long list of notes comes in pages', async () => {
  const admin = await lodge.admin()
  const { id } = await lodge.customer()
  for (const content of ['a', 'b', 'c'])
    await admin.must('POST /api/customers/{id}/notes', { params: { id }, body: { content } })
  const page = await admin.must('GET /api/customers/{id}/notes', {
    params: { id },
    query: { limit: 2 },
  })
  const rest = await admin.must('GET /api/customers/{id}/notes', {
    params: { id },
    query: { limit: 2, after: page.nextCursor ?? '' },
  })
  const all = [...page.items, ...rest.items]
  expect(all.map(({ content }) => content)).toEqual(['c', 'b', 'a'])
  expect(rest.nextCursor).toBeNull()
})

test('a note is visible neither to customers nor on other customers’ pages', async () => {
  const admin = await lodge.admin()
  const [one, other] = [await lodge.customer(), await lodge.customer()]
  const note = await admin.must('POST /api/customers/{id}/notes', {
    params: { id: one.id },
    body: { content: 'Rude on the phone' },
  })
  const read = await one.call('GET /api/customers/{id}/notes', { params: { id: one.id } })
  expect(read.status).toBe(403)
  const params = { id: other.id, noteId: note.id }
  const body = { content: 'Changed' }
  expect((await admin.call('PATCH /api/customers/{id}/notes/{noteId}', { params, body })).status) //
    .toBe(404)
  expect((await admin.call('DELETE /api/customers/{id}/notes/{noteId}', { params })).status) //
    .toBe(404)
})

test('the audit record says that a note was written, but not its text', async () => {
  const admin = await lodge.admin()
  const { id } = await lodge.customer()
  await admin.must('POST /api/customers/{id}/notes', {
    params: { id },
    body: { content: 'a private matter' },
  })
  const { items } = await admin.must('GET /api/audit', { query: { targetId: id, limit: 10 } })
  expect(items[0]?.what).toMatch(/^wrote a note about /)
  expect(JSON.stringify(items)).not.toContain('private matter')
})

test('notes outlive their author and are deleted with the customer', async () => {
  const admin = await lodge.admin()
  const author = await lodge.limitedAdmin(['customers.view', 'customers.notes'])
  const { id } = await lodge.customer()
  await author.must('POST /api/customers/{id}/notes', {
    params: { id },
    body: { content: 'From a colleague' },
  })
  await lodge.database.pool.query('delete from users where id = $1', [author.id])
  const { items } = await admin.must('GET /api/customers/{id}/notes', { params: { id } })
  expect(items).toMatchObject([{ content: 'From a colleague', author: null }])
  await lodge.database.pool.query('delete from users where id = $1', [id])
  const { rows } = await lodge.database.pool.query(
    'select from customer_notes where customer_id = $1',
    [id],
  )
  expect(rows).toEqual([])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let count = 0
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

const list = async (query: object) =>
  (await (await lodge.admin()).must('GET /api/audit', { query: { limit: 100, ...query } })).items

async function customer(): Promise<string> {
  const body = { email: `story-${++count}@example.com`, password: PASSWORD, name: 'Ada' }
  return (await (await lodge.admin()).must('POST /api/customers', { body })).id
}

test('a change shows what its fields were before, and no others', async () => {
  const admin = await lodge.admin()
  const id = await customer()
  const body = { name: 'Grace' }
  await admin.must('PATCH /api/customers/{id}', { params: { id }, body })
  const [edit, creation] = await list({ targetId: id })
  expect(edit?.detail).toEqual({ target: expect.any(String), body, before: { name: 'Ada' } })
  expect(creation?.detail).not.toHaveProperty('before')
})

test('the record is narrowed to one address', async () => {
  const { address } = await lodge.admin()
  await customer()
  const all = await list({ address })
  expect(all.length).toBeGreaterThan(0)
  expect(new Set(all.map((entry) => entry.address))).toEqual(new Set([address]))
  expect(await list({ address: '203.0.113.250' })).toEqual([])
})

test('the record shows what was done by a person and about them together', async () => {
  const id = await customer()
  const email = `story-${count}@example.com`
  await lodge.anonymous().must('POST /api/auth/login', { body: { email, password: PASSWORD } })
  const items = await list({ personId: id })
  expect(items.map(({ action }) => action)).toEqual(['signed in', 'POST /api/customers'])
})

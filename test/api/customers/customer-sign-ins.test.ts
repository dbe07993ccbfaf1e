import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

test('staff see where a customer is signed in, and can sign them out everywhere', async () => {
  const admin = await lodge.admin()
  const body = { email: 'devices@example.com', password: PASSWORD }
  const { id } = await admin.must('POST /api/customers', { body })
  await lodge.anonymous().must('POST /api/auth/login', { body })
  const params = { id }
  const before = await admin.must('GET /api/customers/{id}/sign-ins', { params })
  expect(before.sessions).toHaveLength(1)
  expect(before.recent).toHaveLength(1)
  expect(before.recent[0]).toMatchObject({ device: expect.any(String) })
  expect(await admin.must('POST /api/customers/{id}/sign-out', { params })).toEqual({ ended: 1 })
  const after = await admin.must('GET /api/customers/{id}/sign-ins', { params })
  expect(after.sessions).toEqual([])
  // The record of the sign-in remains.
  expect(after.recent).toHaveLength(1)
})

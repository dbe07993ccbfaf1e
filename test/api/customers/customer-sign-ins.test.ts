import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { totpCode } from '../../support/totp.ts'

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

test('staff remove the second factors of a customer who lost them, who then signs in by password', async () => {
  const admin = await lodge.admin()
  const body = { email: `lost-phone-${randomUUID()}@example.com`, password: PASSWORD }
  const { id } = await admin.must('POST /api/customers', { body })
  const params = { id }
  const none = { totp: false, passkeys: 0, recoveryCodes: 0 }
  const found = () => admin.must('GET /api/customers/{id}/sign-ins', { params })
  expect((await found()).secondFactors).toEqual(none)
  const refused = await admin.call('DELETE /api/customers/{id}/second-factors', { params })
  expect(refused).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  const person = lodge.anonymous()
  await person.must('POST /api/auth/login', { body })
  const { secret } = await person.must('POST /api/auth/totp/setup')
  const code = await totpCode(secret)
  await person.must('POST /api/auth/totp/confirm', { body: { code } })
  expect((await found()).secondFactors).toEqual({ totp: true, passkeys: 0, recoveryCodes: 10 })
  expect((await lodge.anonymous().call('POST /api/auth/login', { body })).status).not.toBe(200)
  await admin.must('DELETE /api/customers/{id}/second-factors', { params })
  expect(await found()).toMatchObject({ secondFactors: none, sessions: [] })
  expect((await person.call('GET /api/auth/me')).status).toBe(401)
  await lodge.anonymous().must('POST /api/auth/login', { body })
  const { items } = await admin.must('GET /api/audit', { query: { targetId: id } })
  expect(items.map(({ action }) => action)).toContain('DELETE /api/customers/{id}/second-factors')
})

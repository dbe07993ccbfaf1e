import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

test('an account from before densities has none, and what is left out of a change stays', async () => {
  const customer = await lodge.customer()
  const now = async () => (await customer.must('GET /api/auth/me')).preferences
  expect(await now()).toEqual({ mode: null, density: null, clock: null })
  await customer.must('PUT /api/auth/preferences', { body: { mode: 'light', density: 'compact' } })
  await customer.must('PUT /api/auth/preferences', { body: { mode: 'dark' } })
  expect(await now()).toEqual({ mode: 'dark', density: 'compact', clock: null })
  await customer.must('PUT /api/auth/preferences', { body: { mode: 'dark', density: null } })
  expect(await now()).toEqual({ mode: 'dark', density: null, clock: null })
})

test('an unknown density is refused', async () => {
  const customer = await lodge.customer()
  const body = { mode: null, density: 'tiny' } as never
  expect((await customer.call('PUT /api/auth/preferences', { body })).status).toBe(400)
})

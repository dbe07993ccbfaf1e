import { afterEach, expect, test, vi } from 'vitest'
import { takeEarly } from './early.ts'

afterEach(() => {
  vi.restoreAllMocks()
  globalThis.lodgeEarly = undefined
})

const openedSince = (ms: number) => vi.spyOn(performance, 'now').mockReturnValue(ms)

test('a response that the page requested before its program loaded is used once', async () => {
  openedSince(400)
  globalThis.lodgeEarly = { '/api/auth/me': Promise.resolve(new Response('{}')) }
  expect(takeEarly('/api/auth/status')).toBeUndefined()
  expect(await takeEarly('/api/auth/me')).toBeInstanceOf(Response)
  expect(takeEarly('/api/auth/me')).toBeUndefined()
})

test('an early response is not used later', () => {
  openedSince(60_000)
  globalThis.lodgeEarly = { '/api/auth/me': Promise.resolve(new Response('{}')) }
  expect(takeEarly('/api/auth/me')).toBeUndefined()
})

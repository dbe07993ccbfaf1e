import { afterEach, expect, test, vi } from 'vitest'
import { ApiError, api, urlOf } from './api.ts'

afterEach(() => vi.unstubAllGlobals())

test('path parameters are encoded and empty query values are left out', () => {
  expect(urlOf('/api/servers/{id}/ports/{offset}', { params: { id: 'a/b', offset: '1' } })).toBe(
    '/api/servers/a%2Fb/ports/1',
  )
  expect(
    urlOf('/api/servers', { query: { q: 'ä b', status: '', after: undefined, limit: 50 } }),
  ).toBe('/api/servers?q=%C3%A4+b&limit=50')
})

const answer = (status: number, body: string, type: string) =>
  vi.stubGlobal(
    'fetch',
    async () => new Response(body, { status, headers: { 'content-type': type } }),
  )

test('an error carries the problem document of the response', async () => {
  const problem = {
    status: 409,
    code: 'in_use',
    title: 'It is still in use',
    detail: '5 servers use it',
    instance: 'r1',
    type: '/problems/in_use',
  }
  answer(409, JSON.stringify(problem), 'application/problem+json')
  const error = await api('GET /api/auth/me').catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ message: '5 servers use it', problem })
})

test('a response from a proxy in between is reported with its status', async () => {
  answer(502, '<h1>Bad gateway</h1>', 'text/html')
  await expect(api('GET /api/auth/me')).rejects.toMatchObject({
    problem: { code: 'no_answer', status: 502 },
  })
})

test('a missing response is an error too', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(api('GET /api/auth/me')).rejects.toMatchObject({
    problem: { code: 'no_answer', status: 0 },
  })
})

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { headings, routes } from '../../../control-plane/src/api.ts'
import { authBudgets } from '../../../control-plane/src/domains/auth/index.ts'
import type { Declared } from '../../../control-plane/src/http/endpoint.ts'
import { openapi } from '../../../control-plane/src/http/reference/openapi.ts'
import { requestOf } from '../../support/caller.ts'
import { startLodge } from '../../support/stack.ts'

test('A1: two control planes share one budget exactly, even for concurrent requests', async () => {
  await using lodge = await startLodge()
  await using beside = await lodge.beside()
  const attempts = await Promise.all(
    Array.from({ length: 200 }, (_, at) => {
      const caller = (at % 2 ? lodge : beside).anonymous({ address: '192.0.2.7' })
      const body = { email: `nobody-${at}@example.com`, password: 'wrong' }
      return caller.call('POST /api/auth/login', { body })
    }),
  )
  const letIn = attempts.filter((answer) => answer.status === 401)
  const refused = attempts.filter((answer) => answer.status === 429)
  expect([letIn.length, refused.length]).toEqual([
    authBudgets.signIn.burst,
    200 - authBudgets.signIn.burst,
  ])
  for (const answer of refused) {
    const seconds = Number(answer.headers['retry-after'])
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(authBudgets.signIn.secondsEach)
  }
  const other = lodge.anonymous({ address: '192.0.2.8' })
  const body = { email: 'nobody@example.com', password: 'wrong' }
  expect((await other.call('POST /api/auth/login', { body })).status).toBe(401)
})

test('A1: guesses for one account are limited, from any number of addresses', async () => {
  await using lodge = await startLodge()
  await using beside = await lodge.beside()
  const attempts = await Promise.all(
    Array.from({ length: 60 }, (_, at) => {
      const caller = (at % 2 ? lodge : beside).anonymous({ address: `198.51.100.${at}` })
      const email = at % 3 ? 'Ann@example.com' : ' ann@EXAMPLE.com'
      return caller.call('POST /api/auth/login', { body: { email, password: 'wrong' } })
    }),
  )
  const letIn = attempts.filter((answer) => answer.status === 401)
  expect(letIn).toHaveLength(authBudgets.signInAccount.burst)
})

test('an IPv6 caller has one budget for all addresses of a network', async () => {
  await using lodge = await startLodge()
  const attempts = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      lodge
        .anonymous({ address: `2001:db8:1:2::${at.toString(16)}` })
        .call('POST /api/auth/login', {
          body: { email: `nobody-${at}@example.com`, password: 'wrong' },
        }),
    ),
  )
  expect(attempts.filter((answer) => answer.status === 401)).toHaveLength(authBudgets.signIn.burst)
})

test.each([
  ['an IPv6 network', (at: number) => (at % 2 ? `2001:db8::${at}:1` : `2001:db8:0:0:${at}::1`)],
  [
    'an IPv4 address',
    (at: number) => ['192.0.2.77', '::ffff:192.0.2.77', '::ffff:c000:24d'][at % 3] ?? '',
  ],
])('%s has one budget, in every spelling', async (_, spelling) => {
  await using lodge = await startLodge()
  const attempts = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      lodge.anonymous({ address: spelling(at) }).call('POST /api/auth/login', {
        body: { email: `nobody-${at}@example.com`, password: 'wrong' },
      }),
    ),
  )
  expect(attempts.filter((answer) => answer.status === 401)).toHaveLength(authBudgets.signIn.burst)
})

test('A9: an address that a caller claims in a header is not trusted', async () => {
  await using lodge = await startLodge()
  const statuses: number[] = []
  for (let at = 0; at < authBudgets.signIn.burst + 5; at++) {
    const caller = lodge.anonymous({ address: '192.0.2.9' })
    const response = await caller.send({
      method: 'POST',
      url: '/api/auth/login',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `203.0.113.${at}`,
        forwarded: `for=203.0.113.${at}`,
      },
      payload: JSON.stringify({ email: `nobody-${at}@example.com`, password: 'wrong' }),
    })
    statuses.push(response.statusCode)
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(authBudgets.signIn.burst)
  expect(statuses.at(-1)).toBe(429)
})

describe('changes by one account', () => {
  const BURST = 20
  const environment = { LODGE_CHANGE_BURST: String(BURST) }
  const body = { mode: 'dark' } as const

  test('share one budget across the panel and all API tokens, at two control planes', async () => {
    await using lodge = await startLodge({ environment })
    await using beside = await startLodge({ environment, beside: lodge })
    const root = await lodge.admin()
    const token = { name: 'integration', scopes: ['read' as const] }
    const { secret } = await root.must('POST /api/tokens', { body: token })
    await lodge.database.pool.query('truncate rate_limits')
    const request = { ...requestOf('PUT /api/auth/preferences', { body }) }
    const asToken = {
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${secret}` },
    }
    const there = beside.anonymous({ cookie: root.cookie ?? '' })
    const answers = await Promise.all(
      Array.from({ length: 3 * BURST }, (_, at) =>
        at % 3 === 0 ? root.send(request) : there.send(at % 3 === 1 ? request : asToken),
      ),
    )
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused).toHaveLength(2 * BURST)
    for (const { headers, body } of refused) {
      expect(JSON.parse(body)).toMatchObject({ code: 'rate_limited' })
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(120 / BURST)
    }
  })

  test('do not affect others; reading and the parts of an upload continue', async () => {
    await using lodge = await startLodge({ environment })
    const root = await lodge.admin()
    const other = await lodge.customer()
    const statuses: number[] = []
    for (let at = 0; at <= BURST; at++)
      statuses.push((await root.call('PUT /api/auth/preferences', { body })).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await root.call('GET /api/auth/me')).status).toBe(200)
    expect((await other.call('PUT /api/auth/preferences', { body })).status).toBe(200)
    const params = { id: randomUUID() }
    const piece = await root.call('PATCH /api/virtualization/media/{id}/content', { params })
    expect(piece.status).toBe(404)
  })

  test('are described as rate limited in the API description, reading is not', async () => {
    const { paths } = openapi(routes, headings) as {
      paths: Record<string, Record<string, { responses: object }>>
    }
    for (const spec of Object.values<Declared>(routes)) {
      const responses = paths[spec.path]?.[spec.method.toLowerCase()]?.responses ?? {}
      if (spec.access.who === 'agent' || spec.access.throttle) continue
      const isPiece = 'pieces' in spec.access && spec.access.pieces === true
      const isLimited = spec.access.who !== 'anyone' && spec.method !== 'GET' && !isPiece
      expect(Object.hasOwn(responses, '429'), `${spec.method} ${spec.path}`).toBe(isLimited)
    }
  })
})

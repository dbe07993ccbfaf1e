import { randomUUID } from 'node:crypto'
import type { ProblemCode } from '@lodge/shared/problems.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, PASSWORD } from '../../support/stack.ts'
import { lodgeWithServer } from '../support/one-server.ts'
import { expectRefusal, refusedUnchanged } from '../support/refusal.ts'

let lodge: Lodge
let admin: Caller
let customer: Caller
let serverId: string
beforeAll(async () => {
  ;({ lodge, admin, customer, serverId } = await lodgeWithServer())
})
afterAll(() => lodge[Symbol.asyncDispose]())

const json = { 'content-type': 'application/json' }
const refused = (
  request: Parameters<Caller['send']>[0],
  codes: ProblemCode | readonly ProblemCode[],
  by = admin,
) => refusedUnchanged(lodge, by, request, codes)
const body = (payload: string) => ({
  method: 'POST' as const,
  url: '/api/customers',
  payload,
  headers: json,
})

describe('people', () => {
  const email = (address: unknown) => body(JSON.stringify({ email: address }))

  test.each([
    'a@b',
    'a@@example.com',
    'a@b@example.com',
    `${'a'.repeat(310)}@example.com`,
    '"a\r\nBcc: x"@example.com',
    'a@[127.0.0.1]',
    'Ann <a@example.com>',
    'a@example.com\r\nBcc: b@example.com',
    'a@exam\u0440le.com',
    'a @example.com',
    '.a@example.com',
    '',
    null,
    ['a@example.com'],
  ])('%j is no e-mail address', async (address) => {
    await refused(email(address), 'validation_failed')
  })

  test('addresses are compared case-insensitively', async () => {
    const local = randomUUID()
    expect((await admin.send(email(`${local}@example.com`))).statusCode).toBe(201)
    await refused(email(` ${local.toUpperCase()}@Example.COM `), 'duplicate')
  })

  test('passwords are counted in characters and bounded in bytes', async () => {
    const person = (password: unknown) =>
      body(JSON.stringify({ email: `${randomUUID()}@example.com`, password }))
    for (const password of [
      'x'.repeat(11),
      '🚀'.repeat(6),
      '',
      null,
      'é'.repeat(513),
      'x'.repeat(1025),
    ])
      await refused(person(password), 'validation_failed')
    for (const password of ['é'.repeat(12), 'x'.repeat(1024), '            '])
      expect((await admin.send(person(password))).statusCode).toBe(201)
  })

  test('the same password in another Unicode form signs in; a different one does not', async () => {
    const address = `${randomUUID()}@example.com`
    const password = 'Ångström Ångström'
    await admin.must('POST /api/customers', {
      body: { email: address, password: password.normalize('NFC') },
    })
    const signIn = (password: string) =>
      lodge.anonymous().call('POST /api/auth/login', { body: { email: address, password } })
    expect((await signIn(password.normalize('NFD'))).status).toBe(200)
    expect((await signIn(` ${password}`)).status).toBe(401)
    expect((await signIn(`${password} `)).status).toBe(401)
  })
})

describe('credentials', () => {
  test('K1: none of these is a credential, and none falls back to the cookie', async () => {
    const url = '/api/auth/me'
    for (const authorization of [
      'Bearer',
      'Bearer ',
      `bearer ${admin.cookie}`,
      `Bearer ${'x'.repeat(8000)}`,
      'Basic cm9vdDpyb290',
      `Bearer ${admin.cookie} x`,
      'Negotiate',
    ])
      await refused({ method: 'GET', url, headers: { authorization } }, 'token_invalid')
    await refused(
      { method: 'GET', url: `${url}?token=${admin.cookie}` },
      ['authentication_required'],
      lodge.anonymous(),
    )
  })

  test('a cookie that is not ours identifies nobody', async () => {
    for (const value of [
      'x',
      'x'.repeat(8000),
      '%00',
      '%ff',
      '"; drop',
      `${admin.cookie}x`,
      `s:${admin.cookie}`,
    ])
      await refused(
        { method: 'GET', url: '/api/auth/me', headers: { cookie: `panel_session=${value}` } },
        'authentication_required',
        lodge.anonymous(),
      )
  })

  test('A3: a session cookie set before the sign-in is not adopted', async () => {
    const caller = lodge.anonymous({ cookie: 'fixed-by-somebody-else' })
    await caller.must('POST /api/auth/login', { body: { email: admin.email, password: PASSWORD } })
    expect(caller.cookie).not.toBe('fixed-by-somebody-else')
    expect(caller.cookie).toMatch(/^[\w-]{43}$/)
  })
})

test('strangers learn nothing from bodies and addresses', async () => {
  const nobody = lodge.anonymous()
  const answers = new Set<string>()
  for (const url of [
    '/api/servers',
    `/api/servers/${serverId}/actions`,
    `/api/servers/${randomUUID()}/actions`,
    '/api/servers/x/actions',
  ])
    for (const [payload, headers] of [
      ['{', json],
      ['', json],
      ['{}', json],
      ['x', { 'content-type': 'text/plain' }],
      ['x'.repeat(2_000_000), json],
    ] as const) {
      const problem = await refused(
        { method: 'POST', url, payload, headers },
        'authentication_required',
        nobody,
      )
      answers.add(JSON.stringify({ ...problem, instance: '' }))
    }
  expect(answers.size).toBe(1)
})

test('a missing permission is reported before faults in the body', async () => {
  await refused(
    { method: 'POST', url: '/api/customers', payload: '{', headers: json },
    'forbidden',
    customer,
  )
  await refused(
    {
      method: 'POST',
      url: `/api/servers/${randomUUID()}/actions`,
      payload: '{"action":"fly"}',
      headers: json,
    },
    'not_found',
    customer,
  )
})

test('an unknown method is refused with the allowed ones', async () => {
  for (const [method, url, allow] of [
    ['PUT', '/api/servers', 'GET, POST'],
    ['GET', '/api/auth/login', 'POST'],
    ['DELETE', '/api/overview', 'GET'],
    ['PATCH', `/api/servers/${serverId}/actions`, 'POST'],
    ['OPTIONS', '/api/servers', 'GET, POST'],
  ] as const) {
    const response = await admin.send({ method, url })
    expectRefusal(response, 'method_not_allowed')
    expect(response.headers.allow).toBe(allow)
  }
  for (const method of ['GET', 'POST', 'DELETE'] as const)
    await refused({ method, url: '/api/nothing/here' }, 'not_found')
})

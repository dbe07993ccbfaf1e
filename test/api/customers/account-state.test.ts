import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { mailTo } from '../../support/mailbox.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

let lodge: Lodge
let count = 0
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

const setState = (id: string, state: string) =>
  lodge.database.pool.query('update users set state = $2 where id = $1', [id, state])
const suspended = { status: 403, body: { code: 'account_suspended' } }

describe('a suspended account', () => {
  test('can only see its own details and sign out with an open session', async () => {
    const caller = await lodge.customer()
    expect((await caller.call('GET /api/servers')).status).toBe(200)
    await setState(caller.id, 'suspended')
    expect(await caller.call('GET /api/servers')).toMatchObject(suspended)
    expect(
      await caller.call('PUT /api/auth/preferences', { body: { mode: 'dark' } }),
    ).toMatchObject(suspended)
    expect((await caller.must('GET /api/auth/me')).state).toBe('suspended')
    await setState(caller.id, 'active')
    expect((await caller.call('GET /api/servers')).status).toBe(200)
    await setState(caller.id, 'suspended')
    await caller.must('POST /api/auth/logout')
    expect((await caller.call('GET /api/auth/me')).status).toBe(401)
  })

  test('can sign in, and is told that it is suspended', async () => {
    const email = `state-${++count}@example.com`
    const { id } = await (await lodge.admin()).must('POST /api/customers', {
      body: { email, password: PASSWORD },
    })
    await setState(id, 'suspended')
    const person = lodge.anonymous()
    await person.must('POST /api/auth/login', { body: { email, password: PASSWORD } })
    expect(await person.call('GET /api/servers')).toMatchObject(suspended)
  })

  test('has API tokens that are refused with the same problem', async () => {
    const admin = await lodge.limitedAdmin(['tokens.manage', 'servers.view'])
    const { secret } = await admin.must('POST /api/tokens', {
      body: { name: 'reader', scopes: ['read'] },
    })
    const ask = async () => {
      const response = await lodge.anonymous().send({
        method: 'GET',
        url: '/api/servers',
        headers: { authorization: `Bearer ${secret}` },
      })
      return { status: response.statusCode, body: response.json() }
    }
    expect((await ask()).status).toBe(200)
    await setState(admin.id, 'suspended')
    expect(await ask()).toMatchObject(suspended)
  })

  test('receives no more events within five seconds, on every control plane', async () => {
    await using beside = await lodge.beside()
    const caller = await lodge.customer()
    const ended: number[] = []
    const listen = async (at: Lodge, cookie: Caller['cookie']) => {
      const response = await fetch(`${at.url}/api/events`, {
        headers: { cookie: `panel_session=${cookie}` },
      })
      expect(response.status).toBe(200)
      void response.text().then(() => ended.push(performance.now()))
    }
    await listen(lodge, caller.cookie)
    await listen(beside, caller.cookie)
    const since = performance.now()
    await setState(caller.id, 'suspended')
    await until(() => ended.length === 2)
    expect(Math.max(...ended) - since).toBeLessThan(5_000)
  })
})

test('an account sent back to approval has no access', async () => {
  const caller = await lodge.customer()
  await setState(caller.id, 'pending')
  expect((await caller.call('GET /api/auth/me')).status).toBe(401)
})

describe('people change their own details', () => {
  test('name, language and time zone, one by one', async () => {
    const caller = await lodge.customer()
    const given = { name: 'Ada', locale: 'de-ch', timeZone: 'Europe/Zurich' }
    const changed = await caller.must('PATCH /api/auth/me', { body: given })
    expect(changed).toMatchObject({ ...given, locale: 'de-CH' })
    await caller.must('PATCH /api/auth/me', { body: { locale: null } })
    expect(await caller.must('GET /api/auth/me')).toMatchObject({ ...given, locale: null })
    const { rows } = await lodge.database.pool.query<{ name: string }>(
      'select name from users where id = $1',
      [caller.id],
    )
    expect(rows[0]?.name).toBe('Ada')
  })

  test('and mails state when a link expires in their language and time zone', async () => {
    const caller = await lodge.customer()
    await caller.must('PATCH /api/auth/me', { body: { locale: 'ja', timeZone: 'Asia/Tokyo' } })
    await lodge.anonymous().must('POST /api/auth/forgot', { body: { email: caller.email } })
    const { text } = await mailTo(lodge, caller.email, 'password_reset')
    expect(text).toMatch(/until \d{4}年\d+月\d+日, \d\d:\d\d JST\./)
  })

  test.each([
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }, '/timeZone'],
    ['what is no language', { locale: 'no language!' }, '/locale'],
    ['a name of two lines', { name: 'a\nb' }, '/name'],
    ['their role', { role: 'admin' }, ''],
  ])('but not %s', async (_, body, pointer) => {
    const caller = await lodge.customer()
    const response = await caller.send({
      method: 'PATCH',
      url: '/api/auth/me',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })
    expect(response.statusCode).toBe(400)
    expect(response.json().errors[0].pointer).toBe(pointer)
  })
})

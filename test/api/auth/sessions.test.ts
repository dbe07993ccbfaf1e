import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { openEvents } from '../support/event-stream.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

/** A person with a real password, signed in. */
async function person() {
  const admin = await lodge.admin()
  const email = `${crypto.randomUUID()}@example.com`
  const { id } = await admin.must('POST /api/customers', { body: { email, password: PASSWORD } })
  const signIn = async () => {
    const caller = lodge.anonymous()
    await caller.must('POST /api/auth/login', { body: { email, password: PASSWORD } })
    return caller.named(id, email)
  }
  return { id, email, signIn }
}

test('A6: 50 concurrent requests for the first administrator create exactly one', async () => {
  await using fresh = await startLodge()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      fresh.anonymous({ address: `10.0.0.${at}` }).call('POST /api/auth/bootstrap', {
        body: { email: `root${at}@example.com`, password: PASSWORD },
      }),
    ),
  )
  const made = answers.filter((answer) => answer.status === 201)
  const refused = answers.filter((answer) => answer.status === 409)
  expect([made.length, refused.length]).toEqual([1, 49])
  for (const answer of refused) expect(answer.body).toMatchObject({ code: 'already_bootstrapped' })
  const { rows } = await fresh.database.pool.query('select email from users')
  expect(rows).toEqual([{ email: made[0]?.body.email }])
})

test('the cookie is inaccessible to scripts and other sites', async () => {
  const { email } = await person()
  const response = await lodge.anonymous().send({
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ email, password: PASSWORD }),
  })
  const cookie = response.cookies.find(({ name }) => name === 'panel_session')
  expect(cookie).toMatchObject({
    name: 'panel_session',
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: 'Lax',
  })
  expect(cookie).not.toHaveProperty('domain')
  expect(response.body).not.toContain(cookie?.value)
  const { rows } = await lodge.database.pool.query(
    `select 1 from sessions where encode(token_hash, 'escape') like '%' || $1 || '%'`,
    [cookie?.value],
  )
  expect(rows).toEqual([])
})

test('A2: an unknown address and a wrong password get the same response', async () => {
  const { email } = await person()
  const attempt = async (address: string, password: string) => {
    const caller = lodge.anonymous()
    const response = await caller.call('POST /api/auth/login', {
      body: { email: address, password },
    })
    const { date: _, 'x-request-id': __, ...headers } = response.headers
    return { status: response.status, headers, body: { ...response.body, instance: '' } }
  }
  const wrong = await attempt(email, 'wrong')
  expect(wrong.status).toBe(401)
  expect(await attempt('nobody@example.com', 'wrong')).toEqual(wrong)
  const passwordless = await lodge.database.pool.query(
    `update users set password_hash = null where email = $1`,
    [(await person()).email],
  )
  expect(passwordless.rowCount).toBe(1)
  expect(await attempt('nobody@example.com', PASSWORD)).toEqual(wrong)
})

test('a changed password ends every other session of the same person only', async () => {
  const ann = await person()
  const [here, there] = [await ann.signIn(), await ann.signIn()]
  const other = await (await person()).signIn()
  const answer = await here.must('POST /api/auth/password', {
    body: { currentPassword: PASSWORD, newPassword: `${PASSWORD} 2` },
  })
  expect(answer).toEqual({ ended: 1 })
  expect((await here.call('GET /api/auth/me')).status).toBe(200)
  expect((await there.call('GET /api/auth/me')).status).toBe(401)
  expect((await other.call('GET /api/auth/me')).status).toBe(200)
  const signIn = (password: string) =>
    lodge.anonymous().call('POST /api/auth/login', { body: { email: ann.email, password } })
  expect((await signIn(PASSWORD)).status).toBe(401)
  expect((await signIn(`${PASSWORD} 2`)).status).toBe(200)
})

test('signing out ends the session, not only the cookie', async () => {
  const caller = await (await person()).signIn()
  const { cookie } = caller
  await caller.must('POST /api/auth/logout')
  expect(caller.cookie).toBeUndefined()
  expect((await lodge.anonymous({ cookie: cookie ?? '' }).call('GET /api/auth/me')).status).toBe(
    401,
  )
})

test('L2: a revoked session receives no more events within two seconds, on every control plane', async () => {
  await using beside = await lodge.beside()
  const ann = await person()
  const [here, there] = [await ann.signIn(), await ann.signIn()]
  const streams = [openEvents(lodge, there), openEvents(beside, there)]
  const stays = openEvents(beside, here)
  await Promise.all([...streams, stays].map((stream) => stream.opened))
  const { items } = await here.must('GET /api/auth/sessions')
  const id = items.find((item) => !item.current)?.id ?? ''
  const startMs = performance.now()
  await here.must('DELETE /api/auth/sessions/{id}', { params: { id } })
  await Promise.all(streams.map((stream) => stream.over))
  expect(performance.now() - startMs).toBeLessThan(2000)
  expect(stays.isOver).toBe(false)
  stays.close()
})

test('signing out everywhere else keeps only this session', async () => {
  const ann = await person()
  const all = await Promise.all(Array.from({ length: 5 }, () => ann.signIn()))
  const [here, ...others] = all
  expect(await here?.must('POST /api/auth/sessions/revoke-others')).toEqual({ ended: 4 })
  for (const one of others) expect((await one.call('GET /api/auth/me')).status).toBe(401)
  expect((await here?.must('GET /api/auth/sessions'))?.items).toHaveLength(1)
})

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { authBudgets } from '../../../control-plane/src/domains/auth/index.ts'
import { type Caller, requestOf } from '../../support/caller.ts'
import { SoftPasskey } from '../../support/soft-passkey.ts'
import { type Lodge, ORIGIN, PASSWORD, startLodge } from '../../support/stack.ts'
import { totpCode } from '../../support/totp.ts'

let lodge: Lodge
let admin: Caller
let count = 0
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
})
afterAll(() => lodge[Symbol.asyncDispose]())
beforeEach(() => lodge.database.pool.query('truncate rate_limits'))

async function person(): Promise<Caller> {
  const email = `owner-${++count}@example.com`
  const { id } = await admin.must('POST /api/customers', { body: { email, password: PASSWORD } })
  return lodge.anonymous().named(id, email)
}

const signIn = (caller: Caller, email: string, more: object = {}) =>
  caller.send(requestOf('POST /api/auth/login', { body: { email, password: PASSWORD, ...more } }))

/**
 * Sends wrong passwords from as many addresses as there are guesses, until the account's budget is
 * used up.
 */
async function exhaustBudget(email: string): Promise<void> {
  const body = { email, password: 'wrong' }
  const guess = () => lodge.anonymous().call('POST /api/auth/login', { body })
  let left = authBudgets.signInAccount.burst
  while ((await guess()).status === 401) left--
  expect(left).toBeGreaterThanOrEqual(0)
}

async function withAuthenticator(who: Caller): Promise<string> {
  const session = await lodge.session(who.id, who.email)
  const { secret } = await session.must('POST /api/auth/totp/setup')
  await session.must('POST /api/auth/totp/confirm', { body: { code: await totpCode(secret) } })
  // The code that confirmed it is used up.
  await lodge.database.pool.query('update totp_factors set last_step = 0 where user_id = $1', [
    who.id,
  ])
  return secret
}

test('A11: an owner signs in with a known browser, whatever others have tried', async () => {
  const owner = await person()
  const first = await signIn(owner, owner.email)
  const cookie = String(first.headers['set-cookie'])
  expect(cookie).toMatch(
    /lodge_device=[^;]+; Max-Age=7776000; Path=\/api\/auth; HttpOnly; Secure; SameSite=Strict/,
  )
  await exhaustBudget(owner.email)
  const before = owner.device
  expect((await signIn(owner, owner.email)).statusCode).toBe(200)
  expect(owner.device).not.toBe(before)

  const stranger = await signIn(lodge.anonymous(), owner.email)
  expect(stranger.statusCode).toBe(429)
  expect(stranger.json()).toMatchObject({ code: 'sign_in_guarded' })
  expect(Number(stranger.headers['retry-after'])).toBeGreaterThan(0)
  await lodge.database.pool.query(
    `update rate_limits set full_at = full_at - make_interval(secs => $1) where key like 'signInAccount:%'`,
    [authBudgets.signInAccount.secondsEach],
  )
  expect((await signIn(lodge.anonymous(), owner.email)).statusCode).toBe(200)
})

test('A11: the cookie is no credential; another account’s, a made-up one or one of an old password does not help', async () => {
  const owner = await person()
  const attacker = await person()
  await signIn(owner, owner.email)
  await signIn(attacker, attacker.email)
  const device = owner.device ?? ''
  const nobody = lodge.anonymous()
  nobody.device = device
  expect((await nobody.call('GET /api/auth/me')).status).toBe(401)
  const { status } = await nobody.call('POST /api/auth/login', {
    body: { email: owner.email, password: 'wrong' },
  })
  expect(status).toBe(401)
  await exhaustBudget(owner.email)
  const [id, issued, signature = ''] = device.split('.')
  const forged = [
    attacker.device,
    `${id}.${issued}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    `${id}.${Number(issued) + 1}.${signature}`,
    `AAAAAAAAAAAAAAAA.${issued}.${signature}`,
    '',
    'x'.repeat(4000),
    '%00.%0d%0a',
  ]
  for (const made of forged) {
    const caller = lodge.anonymous()
    caller.device = made
    expect((await signIn(caller, owner.email)).statusCode, made).toBe(429)
  }

  const session = await lodge.session(owner.id, owner.email)
  const body = { currentPassword: PASSWORD, newPassword: 'another long enough password' }
  await session.must('POST /api/auth/password', { body })
  const old = lodge.anonymous()
  old.device = device
  const more = { password: body.newPassword }
  expect((await signIn(old, owner.email, more)).statusCode).toBe(429)
  // The browser that changed the password is a known device for the new one.
  const again = lodge.anonymous()
  again.device = session.device
  expect((await signIn(again, owner.email, more)).statusCode).toBe(200)
})

test('A11: a thief of the cookie has only its small budget', async () => {
  const owner = await person()
  await signIn(owner, owner.email)
  await exhaustBudget(owner.email)
  const statuses: number[] = []
  for (let at = 0; at < authBudgets.signInDevice.burst + 3; at++) {
    const thief = lodge.anonymous()
    thief.device = owner.device
    const body = { email: owner.email, password: `guess ${at}` }
    statuses.push((await thief.call('POST /api/auth/login', { body })).status)
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(authBudgets.signInDevice.burst)
  expect(statuses.at(-1)).toBe(429)
})

test('A11: password and authenticator together open a besieged account, inline and stepwise', async () => {
  const owner = await person()
  const secret = await withAuthenticator(owner)
  await exhaustBudget(owner.email)
  const inline = await signIn(lodge.anonymous(), owner.email, { totp: await totpCode(secret) })
  expect(inline.statusCode).toBe(200)

  await lodge.database.pool.query('update totp_factors set last_step = 0')
  const caller = lodge.anonymous()
  const firstStep = await signIn(caller, owner.email, { stepwise: true })
  expect(firstStep.statusCode).toBe(429)
  const { challenge } = firstStep.json() as { challenge: string }
  const code = await totpCode(secret)
  await caller.must('POST /api/auth/challenge', { body: { challenge, code } })
  expect((await caller.must('GET /api/auth/me')).email).toBe(owner.email)
})

test('A11: password and passkey together open a besieged account', async () => {
  const owner = await person()
  const session = await lodge.session(owner.id, owner.email)
  const passkey = new SoftPasskey(ORIGIN)
  const register = await session.must('POST /api/auth/passkeys/options')
  const response = passkey.register(register as never)
  await session.must('POST /api/auth/passkeys/verify', { body: { response } as never })
  await exhaustBudget(owner.email)
  const caller = lodge.anonymous()
  const firstStep = await signIn(caller, owner.email, { stepwise: true })
  const { challenge } = firstStep.json() as { challenge: string }
  const options = await caller.must('POST /api/auth/passkey/options', { body: { challenge } })
  expect(options.allowCredentials ?? []).toEqual([])
  const answer = passkey.authenticate(options as never)
  await caller.must('POST /api/auth/passkey/verify', {
    body: { challenge, response: answer } as never,
  })
  expect((await caller.must('GET /api/auth/me')).email).toBe(owner.email)
})

test('A2 A11: a besieged account reveals neither that it exists nor whether the password was right', async () => {
  const owner = await person()
  await withAuthenticator(owner)
  const nobody = `nobody-${++count}@example.com`
  await exhaustBudget(owner.email)
  await exhaustBudget(nobody)
  const tries = [
    { email: owner.email, password: PASSWORD },
    { email: owner.email, password: 'a wrong password' },
    { email: nobody, password: PASSWORD },
  ]
  const responseTo = async (given: (typeof tries)[number]) => {
    const caller = lodge.anonymous()
    const plain = await signIn(caller, given.email, given)
    const inline = await signIn(caller, given.email, { ...given, totp: '000000' })
    const step = await signIn(caller, given.email, { ...given, stepwise: true })
    const { challenge, ...rest } = step.json() as { challenge: string }
    const started = performance.now()
    const code = await caller.send(
      requestOf('POST /api/auth/challenge', { body: { challenge, code: '000000' } }),
    )
    expect(performance.now() - started).toBeGreaterThanOrEqual(490)
    const options = await caller.send(
      requestOf('POST /api/auth/passkey/options', { body: { challenge } }),
    )
    const bodies = [plain.json(), inline.json(), rest, code.json()] as object[]
    const { challenge: _random, ...asked } = options.json() as { challenge: string }
    return [
      [plain, inline, step, code, options].map(({ statusCode }) => statusCode),
      bodies.map((body) => ({ ...body, instance: '', detail: '' })),
      asked,
      challenge.length,
    ]
  }
  const [right, wrong, none] = [
    await responseTo(tries[0] as never),
    await responseTo(tries[1] as never),
    await responseTo(tries[2] as never),
  ]
  expect(right?.[0]).toEqual([429, 401, 429, 401, 200])
  expect(wrong).toEqual(right)
  expect(none).toEqual(right)
})

test('A3 A11: guessing codes with the right password stays as slow as it was', async () => {
  const owner = await person()
  const secret = await withAuthenticator(owner)
  await exhaustBudget(owner.email)
  for (let at = 0; at < 10; at++)
    expect((await signIn(lodge.anonymous(), owner.email, { totp: '000000' })).statusCode).toBe(401)
  const totp = await totpCode(secret)
  expect((await signIn(lodge.anonymous(), owner.email, { totp })).statusCode).toBe(401)
})

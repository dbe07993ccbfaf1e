import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { totpCode } from '../../support/totp.ts'

let lodge: Lodge
let count = 0
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

/** A customer with a real password who has set up an authenticator. */
async function personWithTotp(): Promise<{
  person: Caller
  secret: string
  codes: string[]
  email: string
}> {
  const admin = await lodge.admin()
  const email = `totp-${++count}@example.com`
  const { id } = await admin.must('POST /api/customers', { body: { email, password: PASSWORD } })
  const person = await lodge.session(id, email)
  const { secret } = await person.must('POST /api/auth/totp/setup')
  // The code of the previous time step, so that the current one is still unused.
  const code = await totpCode(secret, -1)
  const { recoveryCodes } = await person.must('POST /api/auth/totp/confirm', { body: { code } })
  return { person, secret, codes: recoveryCodes, email }
}

async function challenge(
  email: string,
  from = lodge.anonymous(),
): Promise<{ token: string; from: Caller; methods: string[] }> {
  const answer = await from.must('POST /api/auth/login', {
    body: { email, password: PASSWORD, stepwise: true },
  })
  if (!answer.requires2fa) throw new Error('no second step was asked for')
  return { token: answer.challenge, from, methods: answer.methods }
}

describe('the second step of a sign-in', () => {
  test('the right password alone starts no session, and with the right code it does', async () => {
    const { email, secret } = await personWithTotp()
    const { token, from, methods } = await challenge(email)
    expect(methods).toEqual(['totp'])
    expect(from.cookie).toBeUndefined()

    const code = await totpCode(secret)
    const { user } = await from.must('POST /api/auth/challenge', {
      body: { challenge: token, code },
    })
    expect(user.email).toBe(email)
    expect((await from.must('GET /api/auth/me')).email).toBe(email)
  })

  test('A3 CVE-2025-69197: the same code works once, even in twenty concurrent requests', async () => {
    const { email, secret } = await personWithTotp()
    const code = await totpCode(secret)
    const attempts = await Promise.all(Array.from({ length: 9 }, () => challenge(email)))
    const answers = await Promise.all(
      attempts.map(({ token, from }) =>
        from.call('POST /api/auth/challenge', { body: { challenge: token, code } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(8)
  })

  test('A3: a challenge is useless from another address, and a second time', async () => {
    const { email, secret } = await personWithTotp()
    const { token, from } = await challenge(email)
    const code = await totpCode(secret)
    const thief = await lodge
      .anonymous()
      .call('POST /api/auth/challenge', { body: { challenge: token, code } })
    expect(thief).toMatchObject({ status: 401, body: { code: 'challenge_expired' } })
    await from.must('POST /api/auth/challenge', { body: { challenge: token, code } })
    const again = await from.call('POST /api/auth/challenge', { body: { challenge: token, code } })
    expect(again).toMatchObject({ status: 401, body: { code: 'challenge_expired' } })
  })

  test('A3 Panel-2FA: ten wrong codes lock the step, and the eleventh is refused even when it is right', async () => {
    const { email, secret } = await personWithTotp()
    for (let at = 0; at < 10; at++) {
      const { token, from } = await challenge(email)
      const answer = await from.call('POST /api/auth/challenge', {
        body: { challenge: token, code: '000000' },
      })
      expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_second_factor' } })
    }
    const { token, from } = await challenge(email)
    const answer = await from.call('POST /api/auth/challenge', {
      body: { challenge: token, code: await totpCode(secret) },
    })
    expect(answer).toMatchObject({ status: 429, body: { code: 'second_factor_locked' } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(800)
  })

  test('A4: a recovery code works once', async () => {
    const { email, codes } = await personWithTotp()
    expect(new Set(codes).size).toBe(10)
    const code = (codes[0] ?? '').toUpperCase().replaceAll('-', ' ')
    const first = await challenge(email)
    await first.from.must('POST /api/auth/challenge', { body: { challenge: first.token, code } })
    const second = await challenge(email)
    const answer = await second.from.call('POST /api/auth/challenge', {
      body: { challenge: second.token, code },
    })
    expect(answer.status).toBe(401)
  })

  test('the inline form asks for the code, and accepts it', async () => {
    const { email, secret } = await personWithTotp()
    const from = lodge.anonymous()
    const without = await from.call('POST /api/auth/login', { body: { email, password: PASSWORD } })
    expect(without).toMatchObject({
      status: 401,
      body: { code: 'second_factor_required', methods: ['totp'] },
    })
    const totp = await totpCode(secret)
    const answer = await from.must('POST /api/auth/login', {
      body: { email, password: PASSWORD, totp },
    })
    expect(answer.requires2fa).toBe(false)
  })

  test('the secret of an authenticator is encrypted in the database', async () => {
    const { person, secret } = await personWithTotp()
    const { rows } = await lodge.database.pool.query<{ secret: Buffer }>(
      'select secret from totp_factors where user_id = $1',
      [person.id],
    )
    expect(rows[0]?.secret.toString('latin1')).not.toContain(secret)
  })

  test('a customer may remove the factor, an administrator keeps the last one', async () => {
    const { person, email } = await personWithTotp()
    expect((await person.call('DELETE /api/auth/totp')).status).toBe(204)
    const answer = await lodge
      .anonymous()
      .must('POST /api/auth/login', { body: { email, password: PASSWORD, stepwise: true } })
    expect(answer.requires2fa).toBe(false)

    const admin = await lodge.limitedAdmin([])
    const { secret } = await admin.must('POST /api/auth/totp/setup')
    await admin.must('POST /api/auth/totp/confirm', { body: { code: await totpCode(secret) } })
    expect(await admin.call('DELETE /api/auth/totp')).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    expect(await admin.must('GET /api/auth/factors')).toMatchObject({
      totp: true,
      recoveryCodes: 10,
    })
  })
})

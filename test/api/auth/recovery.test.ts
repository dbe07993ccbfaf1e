import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { authBudgets } from '../../../control-plane/src/domains/auth/index.ts'
import type { Caller } from '../../support/caller.ts'
import { mailsTo, mailTo } from '../../support/mailbox.ts'
import { type Lodge, ORIGIN, PASSWORD, startLodge } from '../../support/stack.ts'
import { totpCode } from '../../support/totp.ts'
import { until } from '../../support/until.ts'

const OTHER = 'quite another password'
let lodge: Lodge
let count = 0
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())
beforeEach(() => lodge.database.pool.query('truncate rate_limits'))

/** A customer with a real password. */
async function person(): Promise<{ caller: Caller; email: string; id: string }> {
  const email = `person-${++count}@example.com`
  const { id } = await (await lodge.admin()).must('POST /api/customers', {
    body: { email, password: PASSWORD },
  })
  return { caller: await lodge.session(id, email), email, id }
}

const signIn = (email: string, password: string, from = lodge.anonymous()) =>
  from.call('POST /api/auth/login', { body: { email, password } })

async function resetToken(email: string): Promise<string> {
  await lodge.anonymous().must('POST /api/auth/forgot', { body: { email } })
  return (await mailTo(lodge, email, 'password_reset')).token
}

describe('a forgotten password', () => {
  test('A4 Panel-2FA: is replaced by a link that works once; sessions and API tokens end, second factors stay', async () => {
    const { caller, email, id } = await person()
    const { secret } = await caller.must('POST /api/auth/totp/setup')
    const code = await totpCode(secret, -1)
    await caller.must('POST /api/auth/totp/confirm', { body: { code } })
    await lodge.database.pool.query(
      `insert into api_tokens (id, user_id, name, prefix, scopes, token_hash)
       values (gen_random_uuid(), $1, 't', 'p', '{read}', $2)`,
      [id, Buffer.from(email)],
    )
    const token = await resetToken(email)
    const body = { token, password: OTHER }
    const look = () => lodge.anonymous().call('POST /api/auth/token/look', { body: { token } })
    for (const _ of ['first', 'again'])
      expect(await look()).toMatchObject({ status: 200, body: { email, purpose: 'reset' } })
    expect(await lodge.anonymous().must('POST /api/auth/token/accept', { body })).toEqual({ email })
    expect(await look()).toMatchObject({ status: 400, body: { code: 'invalid_token' } })

    expect((await caller.call('GET /api/auth/me')).status).toBe(401)
    const { rows } = await lodge.database.pool.query(
      'select 1 from api_tokens where user_id = $1',
      [id],
    )
    expect(rows).toEqual([])
    expect((await signIn(email, PASSWORD)).status).toBe(401)
    expect(await signIn(email, OTHER)).toMatchObject({
      status: 401,
      body: { code: 'second_factor_required' },
    })
    const again = await lodge.anonymous().call('POST /api/auth/token/accept', { body })
    expect(again).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    expect((await mailTo(lodge, email, 'password_changed')).text).toContain('password')
  })

  test('A4: used twenty times concurrently, the link works once', async () => {
    const { email } = await person()
    const token = await resetToken(email)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        lodge.anonymous().call('POST /api/auth/token/accept', {
          body: { token, password: `${OTHER} ${at}` },
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19)
  })

  test('A2: responds the same for an unknown address, and sends nothing', async () => {
    const { email } = await person()
    const nobody = 'nobody-at-all@example.com'
    const [known, unknown] = await Promise.all(
      [email, nobody].map((one) =>
        lodge.anonymous().call('POST /api/auth/forgot', { body: { email: one } }),
      ),
    )
    expect(known?.status).toBe(200)
    expect([unknown?.status, unknown?.body]).toEqual([known?.status, known?.body])
    await mailTo(lodge, email, 'password_reset')
    await until(async () => {
      const { rows } = await lodge.database.pool.query('select 1 from reset_requests')
      return rows.length === 0
    })
    expect(await mailsTo(lodge, nobody)).toEqual([])
  })

  test('A2: takes no longer for an address with an account', async () => {
    const { email } = await person()
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    const ask = async (kind: 'known' | 'unknown', address: string) => {
      const started = performance.now()
      await lodge.anonymous().must('POST /api/auth/forgot', { body: { email: address } })
      times[kind].push(performance.now() - started)
    }
    for (let at = 0; at < 400; at++) {
      if (at % 50 === 0) await lodge.database.pool.query('truncate rate_limits')
      await ask('known', email)
      await ask('unknown', 'nobody-here@example.com')
    }
    // The share of samples in which a known address took longer than an unknown one: one half reveals
    // nothing.
    const longer = times.known.flatMap((one) => times.unknown.map((other) => (one > other ? 1 : 0)))
    const share = longer.reduce<number>((sum, value) => sum + value, 0) / longer.length
    expect(Math.abs(share - 0.5)).toBeLessThan(0.09)
  })

  test('sends at most three links in an hour, and responds the same to the fourth request', async () => {
    const { email } = await person()
    for (let at = 0; at < 5; at++)
      expect(
        await lodge.anonymous().call('POST /api/auth/forgot', { body: { email } }),
      ).toMatchObject({ status: 200, body: { ok: true } })
    await until(async () => {
      const { rows } = await lodge.database.pool.query('select 1 from reset_requests')
      return rows.length === 0
    })
    expect(await mailsTo(lodge, email)).toHaveLength(3)
  })

  test('A4: builds its link from the configured address of the panel, whatever the request’s headers say', async () => {
    const { email } = await person()
    await lodge.anonymous().send({
      method: 'POST',
      url: '/api/auth/forgot',
      headers: {
        'content-type': 'application/json',
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example',
      },
      payload: JSON.stringify({ email }),
    })
    const { text } = await mailTo(lodge, email, 'password_reset')
    expect(text).toContain(`${ORIGIN}/accept#token=`)
    expect(text).not.toContain('evil')
  })

  test('an expired link is useless, and the database does not contain it', async () => {
    const { email, id } = await person()
    const token = await resetToken(email)
    const { rows } = await lodge.database.pool.query(
      `select t.*, (select string_agg(m::text, '') from email_messages m) as mails from account_tokens t where user_id = $1`,
      [id],
    )
    expect(JSON.stringify(rows)).not.toContain(token)
    await lodge.database.pool.query(
      `update account_tokens set expires_at = now() - interval '1 second' where user_id = $1`,
      [id],
    )
    const body = { token, password: OTHER }
    const answer = await lodge.anonymous().call('POST /api/auth/token/accept', { body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })
})

describe('a recovery code', () => {
  async function personWithCodes() {
    const made = await person()
    const { secret } = await made.caller.must('POST /api/auth/totp/setup')
    const code = await totpCode(secret, -1)
    const { recoveryCodes } = await made.caller.must('POST /api/auth/totp/confirm', {
      body: { code },
    })
    return { ...made, codes: recoveryCodes }
  }
  const recover = (email: string, recoveryCode = '', from = lodge.anonymous()) =>
    from.call('POST /api/auth/recover', { body: { email, recoveryCode, password: OTHER } })

  test('sets a password once, ends sessions and is reported by mail', async () => {
    const { caller, email, codes } = await personWithCodes()
    const answers = await Promise.all(Array.from({ length: 5 }, () => recover(email, codes[0])))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await caller.call('GET /api/auth/me')).status).toBe(401)
    expect((await mailTo(lodge, email, 'recovery_code_used')).text).toContain('Codes left: 9')
    expect(await signIn(email, OTHER)).toMatchObject({ body: { code: 'second_factor_required' } })
  })

  test('A2: that is wrong responds like an unknown address', async () => {
    const { email } = await personWithCodes()
    const answers = await Promise.all([
      recover(email, 'aaaa-bbbb-cccc-dddd'),
      recover('no-such-person@example.com', 'aaaa-bbbb-cccc-dddd'),
    ])
    const bodies = answers.map(({ status, body }) => ({ status, ...body, instance: '' }))
    expect(bodies[0]).toMatchObject({ status: 401, code: 'invalid_credentials' })
    expect(bodies[1]).toEqual(bodies[0])
  })

  test('A4: cannot be guessed at for long from one address', async () => {
    const { email, codes } = await personWithCodes()
    const stranger = lodge.anonymous()
    for (let at = 0; at < authBudgets.redeem.burst; at++)
      await recover(email, 'aaaa-bbbb-cccc-dddd', stranger)
    expect(await recover(email, codes[0], stranger)).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
    })
  })

  test('works for its owner however many wrong ones others have sent', async () => {
    const { email, codes } = await personWithCodes()
    const wrong = Array.from({ length: 25 }, () => recover(email, 'aaaa-bbbb-cccc-dddd'))
    expect(new Set((await Promise.all(wrong)).map(({ status }) => status))).toEqual(new Set([401]))
    expect((await recover(email, codes[0])).status).toBe(200)
  })
})

describe('a customer without a password', () => {
  test('is invited by mail, chooses one and signs in', async () => {
    const email = `invited-${++count}@example.com`
    const admin = await lodge.admin()
    const { id } = await admin.must('POST /api/customers', { body: { email, name: 'Ada' } })
    await admin.must('POST /api/customers/{id}/password-link', { params: { id } })
    const mail = await mailTo(lodge, email, 'invitation')
    expect(mail.text).toContain('Hello Ada')
    // Whoever invites is named by their name or not at all.
    expect(mail.text).toContain('You have an account')
    await lodge.anonymous().must('POST /api/auth/token/accept', {
      body: { token: mail.token, password: OTHER },
    })
    expect((await signIn(email, OTHER)).status).toBe(200)
    const kinds = (await mailsTo(lodge, email)).map((one) => one.template)
    expect(kinds).toEqual(['welcome', 'invitation', 'invitation'])
    // A link for a password that is set later does not count as an invitation.
    const token = await resetToken(email)
    await lodge.anonymous().must('POST /api/auth/token/accept', {
      body: { token, password: PASSWORD },
    })
    const later = (await mailsTo(lodge, email)).filter(({ template }) => template === 'welcome')
    expect(later).toHaveLength(1)
  })
})

describe('an e-mail address', () => {
  test('is changed by a link to the new one, and the old one is notified', async () => {
    const { caller, email } = await person()
    const oldReset = await resetToken(email)
    const fresh = `fresh-${count}@example.com`
    const wrong = await caller.call('POST /api/auth/email', {
      body: { email: fresh, password: 'x' },
    })
    expect(wrong.status).toBe(401)
    await caller.must('POST /api/auth/email', { body: { email: fresh, password: PASSWORD } })
    expect((await caller.must('GET /api/auth/me')).email).toBe(email)

    const { token } = await mailTo(lodge, fresh, 'email_change')
    await lodge.anonymous().must('POST /api/auth/email/confirm', { body: { token } })
    expect((await caller.must('GET /api/auth/me')).email).toBe(fresh)
    expect((await mailTo(lodge, email, 'email_changed')).text).toContain(fresh)
    const again = await lodge.anonymous().call('POST /api/auth/email/confirm', { body: { token } })
    expect(again).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    const old = await lodge.anonymous().call('POST /api/auth/token/accept', {
      body: { token: oldReset, password: OTHER },
    })
    expect(old.status).toBe(400)
  })

  test('of another account looks available, and nobody is mailed', async () => {
    const { caller } = await person()
    const other = await person()
    const answer = await caller.call('POST /api/auth/email', {
      body: { email: other.email, password: PASSWORD },
    })
    expect(answer).toMatchObject({ status: 200, body: { ok: true } })
    expect(await mailsTo(lodge, other.email)).toEqual([])
  })

  test('taken by somebody else meanwhile is refused at the end', async () => {
    const { caller } = await person()
    const fresh = `raced-${count}@example.com`
    await caller.must('POST /api/auth/email', { body: { email: fresh, password: PASSWORD } })
    const { token } = await mailTo(lodge, fresh, 'email_change')
    await (await lodge.admin()).must('POST /api/customers', {
      body: { email: fresh, password: OTHER },
    })
    const answer = await lodge.anonymous().call('POST /api/auth/email/confirm', { body: { token } })
    expect(answer).toMatchObject({ status: 409, body: { code: 'duplicate' } })
  })
})

describe('a sign-in', () => {
  test('from a new device is reported by mail; the first and known ones are not', async () => {
    const { email } = await person()
    const home = lodge.anonymous()
    await signIn(email, PASSWORD, home)
    await signIn(email, PASSWORD, home)
    expect(await mailsTo(lodge, email)).toEqual([])
    const away = lodge.anonymous()
    await signIn(email, PASSWORD, away)
    expect((await mailTo(lodge, email, 'new_device')).text).toContain(away.address)
    await signIn(email, PASSWORD, away)
    expect(await mailsTo(lodge, email)).toHaveLength(1)
  })
})

test('added and removed second factors are reported by mail', async () => {
  const { caller, email } = await person()
  const { secret } = await caller.must('POST /api/auth/totp/setup')
  const code = await totpCode(secret, -1)
  await caller.must('POST /api/auth/totp/confirm', { body: { code } })
  await caller.must('DELETE /api/auth/totp')
  const mails = (await mailsTo(lodge, email)).map(({ text }) => text)
  expect(mails[0]).toContain('authenticator was removed')
  expect(mails[1]).toContain('authenticator was added')
})

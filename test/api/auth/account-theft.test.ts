import { randomUUID } from 'node:crypto'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TOKEN_PURPOSES } from '../../../control-plane/src/domains/auth/links/tables.ts'
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

interface Person {
  readonly caller: Caller
  readonly id: string
  readonly email: string
}

async function person(): Promise<Person> {
  const email = `owner-${++count}@example.com`
  const { id } = await (await lodge.admin()).must('POST /api/customers', {
    body: { email, password: PASSWORD },
  })
  return { caller: await lodge.session(id, email), id, email }
}

/** Sets up an authenticator. @returns recovery codes and the secret for further codes */
async function withTotp({ caller }: Person): Promise<{ secret: string; codes: string[] }> {
  const { secret } = await caller.must('POST /api/auth/totp/setup')
  const code = await totpCode(secret, -1)
  const { recoveryCodes } = await caller.must('POST /api/auth/totp/confirm', { body: { code } })
  return { secret, codes: recoveryCodes }
}

const forget = (sessionOf: string) =>
  lodge.database.pool.query(
    `update sessions set proved_at = now() - interval '1 hour' where user_id = $1`,
    [sessionOf],
  )

const linksOf = async (id: string) =>
  (await lodge.database.pool.query('select purpose from account_tokens where user_id = $1', [id]))
    .rows

async function changeEmail(from: Person, to: string): Promise<void> {
  await from.caller.must('POST /api/auth/email', { body: { email: to, password: PASSWORD } })
  const { token } = await mailTo(lodge, to, 'email_change')
  await lodge.anonymous().must('POST /api/auth/email/confirm', { body: { token } })
}

describe('a reset ends everything that a thief obtained', () => {
  const ways: Record<string, (owner: Person) => Promise<{ kept: boolean }>> = {
    'when the password is changed': async ({ caller }) => {
      await caller.must('POST /api/auth/password', {
        body: { currentPassword: PASSWORD, newPassword: OTHER },
      })
      return { kept: true }
    },
    'when the password is reset by a link': async ({ email }) => {
      await lodge.anonymous().must('POST /api/auth/forgot', { body: { email } })
      const { token } = await mailTo(lodge, email, 'password_reset')
      await lodge.anonymous().must('POST /api/auth/token/accept', {
        body: { token, password: OTHER },
      })
      return { kept: false }
    },
    'when the password is reset by a recovery code': async (owner) => {
      const { codes } = await withTotp(owner)
      await lodge.anonymous().must('POST /api/auth/recover', {
        body: { email: owner.email, recoveryCode: codes[0] ?? '', password: OTHER },
      })
      return { kept: false }
    },
    'when the authenticator is removed': async (owner) => {
      await withTotp(owner)
      await owner.caller.must('DELETE /api/auth/totp')
      return { kept: true }
    },
    'when a passkey is removed': async ({ caller, id }) => {
      const key = randomUUID()
      await lodge.database.pool.query(
        `insert into passkeys (id, user_id, name, credential_id, public_key, counter, backed_up)
         values ($1, $2, 'Key', $3, '', 0, false)`,
        [key, id, key],
      )
      await caller.must('DELETE /api/auth/passkeys/{id}', { params: { id: key } })
      return { kept: true }
    },
    'when an administrator gives the account another address': async ({ id }) => {
      await (await lodge.admin()).must('PATCH /api/customers/{id}', {
        params: { id },
        body: { email: `moved-${++count}@example.com` },
      })
      return { kept: false }
    },
  }
  test.each(Object.entries(ways))(
    '%s: sessions, links of every purpose and API tokens',
    async (_, way) => {
      const owner = await person()
      const thief = await lodge.session(owner.id, owner.email)
      const { pool } = lodge.database
      for (const purpose of TOKEN_PURPOSES)
        await pool.query(
          `insert into account_tokens (id, user_id, purpose, token_hash, data, expires_at)
         values ($1, $2, $3, $4, '{"email":"thief@example.com"}', now() + interval '1 day')`,
          [randomUUID(), owner.id, purpose, Buffer.from(randomUUID())],
        )
      await pool.query(
        `insert into api_tokens (id, user_id, name, prefix, scopes, token_hash)
       values (gen_random_uuid(), $1, 't', 'p', '{read}', $2)`,
        [owner.id, Buffer.from(owner.email)],
      )
      await pool.query(
        `insert into auth_challenges (id, user_id, purpose, token_hash, address_key, expires_at)
       values (gen_random_uuid(), $1, 'sign_in', $2, '', now() + interval '1 hour')`,
        [owner.id, Buffer.from(owner.email)],
      )
      const { kept } = await way(owner)
      expect((await thief.call('GET /api/auth/me')).status).toBe(401)
      expect((await owner.caller.call('GET /api/auth/me')).status).toBe(kept ? 200 : 401)
      expect(await linksOf(owner.id)).toEqual([])
      for (const table of ['api_tokens', 'auth_challenges']) {
        const { rows } = await pool.query(`select 1 from ${table} where user_id = $1`, [owner.id])
        expect(rows, table).toEqual([])
      }
    },
  )

  test('also sign-ins whose password was compared before the change', async () => {
    const [plain, stepwise] = [await person(), await person()]
    await withTotp(stepwise)
    const { pool } = lodge.database
    const client = await pool.connect()
    try {
      await client.query('begin')
      for (const { id } of [plain, stepwise]) {
        await client.query(`update users set password_hash = 'another' where id = $1`, [id])
        await client.query('delete from sessions where user_id = $1', [id])
      }
      let answered = 0
      const signIns = [plain, stepwise].map(async ({ email }) => {
        const body = { email, password: PASSWORD, stepwise: true }
        const answer = await lodge.anonymous().call('POST /api/auth/login', { body })
        answered++
        return answer
      })
      await until(async () => {
        const { rows } = await pool.query(
          `select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows.length + answered >= signIns.length
      })
      await client.query('commit')
      for (const answer of await Promise.all(signIns))
        expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    } finally {
      client.release()
    }
    for (const table of ['sessions', 'auth_challenges']) {
      const { rows } = await pool.query(`select from ${table} where user_id = any($1)`, [
        [plain.id, stepwise.id],
      ])
      expect(rows, table).toEqual([])
    }
  })

  test('also a request that was held open, and an API token that was about to be made', async () => {
    const admin = await lodge.limitedAdmin(['tokens.manage', 'servers.view', 'team.manage'])
    const { pool } = lodge.database
    const email = 'second-thief@example.com'
    const body = JSON.stringify({ email, permissions: [] })
    const socket = net.connect(lodge.controlPlane.port, '127.0.0.1')
    socket.write(
      `POST /api/team HTTP/1.1\r\nHost: panel.test\r\nOrigin: ${ORIGIN}\r\nConnection: close\r\n` +
        `Cookie: panel_session=${admin.cookie}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    )
    // Counted as one of its changes, so its caller is known.
    await until(async () => {
      const { rows } = await pool.query('select from rate_limits where key like $1', [
        `%${admin.id}`,
      ])
      return rows.length > 0
    })
    const racing = await lodge.session(admin.id, admin.email)
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('select from users where id = $1 for update', [admin.id])
      await client.query('delete from sessions where user_id = $1', [admin.id])
      await client.query('delete from api_tokens where user_id = $1', [admin.id])
      const made = racing.call('POST /api/tokens', { body: { name: 'kept', scopes: ['read'] } })
      await until(async () => {
        const { rows } = await pool.query(
          `select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows.length > 0
      })
      await client.query('commit')
      expect(await made).toMatchObject({ status: 401, body: { code: 'authentication_required' } })
    } finally {
      client.release()
    }
    socket.write(body.slice(5))
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 [\s\S]*"code":"authentication_required"/)
    const { rows } = await pool.query(
      'select user_id::text from api_tokens where user_id = $1 union all select email from users where email = $2',
      [admin.id, email],
    )
    expect(rows).toEqual([])
  })

  test('also a pending transfer of the super administrator', async () => {
    const owner = await person()
    const other = await person()
    await lodge.database.pool.query(
      `insert into account_tokens (id, user_id, purpose, token_hash, data, expires_at)
       values ($1, $2, 'team_transfer', $3, $4, now() + interval '1 day')`,
      [randomUUID(), other.id, Buffer.from(other.email), { from: owner.id }],
    )
    await owner.caller.must('POST /api/auth/password', {
      body: { currentPassword: PASSWORD, newPassword: OTHER },
    })
    expect(await linksOf(other.id)).toEqual([])
  })
})

describe('another e-mail address', () => {
  test('cannot be requested by a session without a recent step-up', async () => {
    const owner = await person()
    await forget(owner.id)
    const body = { email: `else-${count}@example.com`, password: PASSWORD }
    expect(await owner.caller.call('POST /api/auth/email', { body })).toMatchObject({
      status: 403,
      body: { code: 'reauthentication_required' },
    })
    await owner.caller.must('POST /api/auth/step-up', { body: { password: PASSWORD } })
    await owner.caller.must('POST /api/auth/email', { body })
  })

  test('requested by a thief cannot be confirmed after the reset', async () => {
    const owner = await person()
    const to = `thief-${count}@example.com`
    await owner.caller.must('POST /api/auth/email', { body: { email: to, password: PASSWORD } })
    const { token } = await mailTo(lodge, to, 'email_change')
    await lodge.anonymous().must('POST /api/auth/forgot', { body: { email: owner.email } })
    const reset = await mailTo(lodge, owner.email, 'password_reset')
    await lodge.anonymous().must('POST /api/auth/token/accept', {
      body: { token: reset.token, password: OTHER },
    })
    const answer = await lodge.anonymous().call('POST /api/auth/email/confirm', { body: { token } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('is reverted once by the link in the mail to the old one, with a new password', async () => {
    const owner = await person()
    const ticket = await owner.caller.must('POST /api/support/tickets', {
      body: { subject: 'Help', bodyMarkdown: 'Somebody is in my account.' },
    })
    await changeEmail(owner, `thief-${count}@example.com`)
    const { token, text } = await mailTo(lodge, owner.email, 'email_changed')
    expect(text).toContain('/undo-email#token=')
    const body = { token, password: OTHER }
    const undone = await lodge.anonymous().must('POST /api/auth/email/undo', { body })
    expect(undone).toEqual({ email: owner.email })
    expect((await owner.caller.call('GET /api/auth/me')).status).toBe(401)
    const signedIn = await lodge.anonymous().call('POST /api/auth/login', {
      body: { email: owner.email, password: OTHER },
    })
    expect(signedIn.status).toBe(200)
    const { requester } = await (await lodge.admin()).must('GET /api/support/tickets/{id}', {
      params: { id: ticket.id },
    })
    expect(requester.email).toBe(owner.email)
    const again = await lodge.anonymous().call('POST /api/auth/email/undo', { body })
    expect(again).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('can be reverted for 72 hours and no longer', async () => {
    const owner = await person()
    await changeEmail(owner, `thief-${count}@example.com`)
    const { token } = await mailTo(lodge, owner.email, 'email_changed')
    const { rows } = await lodge.database.pool.query<{ hours: number }>(
      `select round(extract(epoch from expires_at - now()) / 3600)::int as hours from former_addresses where user_id = $1`,
      [owner.id],
    )
    expect(rows).toEqual([{ hours: 72 }])
    await lodge.database.pool.query(
      `update former_addresses set expires_at = now() - interval '1 second' where user_id = $1`,
      [owner.id],
    )
    const body = { token, password: OTHER }
    const answer = await lodge.anonymous().call('POST /api/auth/email/undo', { body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('stays reverted: a thief who changed it twice, and the password too, cannot undo the reversal', async () => {
    const owner = await person()
    const [first, second] = [`thief-a${count}@example.com`, `thief-b${count}@example.com`]
    await changeEmail(owner, first)
    await owner.caller.must('POST /api/auth/password', {
      body: { currentPassword: PASSWORD, newPassword: PASSWORD },
    })
    await changeEmail(owner, second)
    const owners = await mailTo(lodge, owner.email, 'email_changed')
    const thiefs = await mailTo(lodge, first, 'email_changed')
    await lodge.anonymous().must('POST /api/auth/email/undo', {
      body: { token: owners.token, password: OTHER },
    })
    const answer = await lodge.anonymous().call('POST /api/auth/email/undo', {
      body: { token: thiefs.token, password: 'the password of a thief' },
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('reserves the old one while the change can be reverted', async () => {
    const owner = await person()
    await changeEmail(owner, `thief-${count}@example.com`)
    const admin = await lodge.admin()
    const made = await admin.call('POST /api/customers', {
      body: { email: owner.email, password: PASSWORD },
    })
    expect(made).toMatchObject({ status: 409, body: { code: 'duplicate' } })
    await admin.must('PUT /api/settings/signup', {
      body: {
        mode: 'open',
        captcha: { provider: 'off', siteKey: null },
        terms: { required: false, termsUrl: null, privacyUrl: null },
      },
    })
    await lodge.anonymous().must('POST /api/auth/register', {
      body: { email: owner.email, password: PASSWORD },
    })
    await until(async () => {
      const { rows } = await lodge.database.pool.query('select 1 from signup_requests')
      return rows.length === 0
    })
    const kinds = (await mailsTo(lodge, owner.email)).map(({ template }) => template)
    expect(kinds).toEqual(['email_changed'])
  })
})

describe('an administrator who gives a customer another address', () => {
  test('must confirm their identity, and the old address is notified', async () => {
    const owner = await person()
    const admin = await lodge.limitedAdmin(['customers.view', 'customers.manage'])
    await forget(admin.id)
    const params = { id: owner.id }
    await admin.must('PATCH /api/customers/{id}', { params, body: { name: 'Ada' } })
    const body = { email: `new-${count}@example.com` }
    expect(await admin.call('PATCH /api/customers/{id}', { params, body })).toMatchObject({
      status: 403,
      body: { code: 'reauthentication_required' },
    })
    await lodge.database.pool.query('update sessions set proved_at = now() where user_id = $1', [
      admin.id,
    ])
    await admin.must('PATCH /api/customers/{id}', { params, body })
    const { text } = await mailTo(lodge, owner.email, 'email_changed')
    expect(text).toContain(body.email)
    expect(text).toContain('Your host changed it')
    expect(text).not.toContain('#token=')
  })

  test('ends the right of whoever had an earlier address to take the account back', async () => {
    const owner = await person()
    await changeEmail(owner, `second-${count}@example.com`)
    const { token } = await mailTo(lodge, owner.email, 'email_changed')
    const email = `third-${count}@example.com`
    await (await lodge.admin()).must('PATCH /api/customers/{id}', {
      params: { id: owner.id },
      body: { email },
    })
    const body = { token, password: OTHER }
    const answer = await lodge.anonymous().call('POST /api/auth/email/undo', { body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })
})

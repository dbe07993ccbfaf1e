import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteUnconfirmed } from '../../../control-plane/src/domains/signup/store.ts'
import { mailsTo, mailTo } from '../../support/mailbox.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

let lodge: Lodge
let count = 0
const fresh = () => `signup-${++count}@example.com`
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())
beforeEach(() => lodge.database.pool.query('truncate rate_limits'))

const TERMS = { required: false, termsUrl: null, privacyUrl: null }
const OFF = { provider: 'off', siteKey: null } as const
async function mode(mode: 'closed' | 'invitation' | 'open' | 'approval', more: object = {}) {
  const body = { mode, captcha: OFF, terms: TERMS, ...more }
  return (await lodge.admin()).must('PUT /api/settings/signup', { body })
}
const register = (email: string, more: object = {}) =>
  lodge
    .anonymous()
    .call('POST /api/auth/register', { body: { email, password: PASSWORD, ...more } })
const signIn = (email: string) =>
  lodge.anonymous().call('POST /api/auth/login', { body: { email, password: PASSWORD } })
const workedOff = () =>
  until(async () => {
    const { rows } = await lodge.database.pool.query('select 1 from signup_requests')
    return rows.length === 0
  })
const userOf = async (email: string) =>
  (await lodge.database.pool.query('select * from users where email = $1', [email])).rows[0]
async function confirm(email: string) {
  const { token } = await mailTo(lodge, email, 'verify_email')
  return lodge.anonymous().call('POST /api/auth/verify', { body: { token } })
}

describe('sign-up', () => {
  test('is closed until somebody opens it', async () => {
    expect((await lodge.anonymous().must('GET /api/signup/config')).mode).toBe('closed')
    expect(await register(fresh())).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  })

  test('when it is open, creates an account that opens once its address is confirmed', async () => {
    await mode('open')
    const email = fresh()
    expect(await register(email)).toMatchObject({ status: 200, body: { ok: true } })
    await mailTo(lodge, email, 'verify_email')
    expect(await signIn(email)).toMatchObject({ status: 403, body: { code: 'account_unverified' } })
    const wrong = await lodge.anonymous().call('POST /api/auth/login', {
      body: { email, password: 'a wrong password' },
    })
    expect(wrong.body).toMatchObject({ code: 'invalid_credentials' })

    expect(await confirm(email)).toMatchObject({ status: 200, body: { state: 'active' } })
    expect((await signIn(email)).status).toBe(200)
    expect((await confirm(email)).status).toBe(400)
    const welcomes = (await mailsTo(lodge, email)).filter(({ template }) => template === 'welcome')
    expect(welcomes).toMatchObject([
      { text: expect.stringContaining(`You sign in with ${email}.`), subject: 'Welcome to Lodge' },
    ])
  })

  test('A2: responds the same for an address with an account, and changes nothing in it', async () => {
    await mode('open')
    const email = fresh()
    await register(email)
    await confirm(email)
    const before = await userOf(email)
    const again = await register(email, { password: 'another long password' })
    expect(again).toMatchObject({ status: 200, body: { ok: true } })
    await workedOff()
    expect(await userOf(email)).toEqual(before)
    const mails = await mailsTo(lodge, email)
    expect(mails.map(({ template }) => template)).toEqual(['welcome', 'verify_email'])
  })

  test('A2: takes no longer for an address with an account', async () => {
    await mode('open')
    const email = fresh()
    await register(email)
    await workedOff()
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (let at = 0; at < 80; at++) {
      for (const kind of ['known', 'unknown'] as const) {
        const address = kind === 'known' ? email : fresh()
        const started = performance.now()
        await register(address)
        times[kind].push(performance.now() - started)
      }
    }
    const longer = times.known.flatMap((one) => times.unknown.map((other) => Number(one > other)))
    const share = longer.reduce((sum, value) => sum + value, 0) / longer.length
    expect(Math.abs(share - 0.5)).toBeLessThan(0.2)
  })

  const theirs = 'the password of a stranger'
  const orders = {
    'before its owner': [{ password: theirs }, {}],
    'after its owner': [{}, { password: theirs }],
  }
  test.each(Object.entries(orders))(
    'by a stranger with somebody’s address %s gives the account no password of theirs',
    async (_, [one, other]) => {
      await mode('open')
      const email = fresh()
      await register(email, one)
      const { token: first, text } = await mailTo(lodge, email, 'verify_email')
      expect(text).not.toContain('more than once')
      await register(email, other)
      await until(async () => (await mailsTo(lodge, email)).length === 2)
      const { token: second, text: warning } = await mailTo(lodge, email, 'verify_email')
      expect(warning).toContain('signed up with your address more than once')
      const verify = (token: string | undefined, password?: string) =>
        lodge.anonymous().call('POST /api/auth/verify', {
          body: { token: token ?? '', ...(password !== undefined && { password }) },
        })
      for (const token of [first, second])
        expect(await verify(token)).toMatchObject({
          ...{ status: 400, body: { errors: [{ pointer: '/password' }] } },
        })
      // Also the earlier link goes on working, until one is used.
      expect(await verify(first, PASSWORD)).toMatchObject({ body: { state: 'active' } })
      expect(await verify(second, theirs)).toMatchObject({ body: { code: 'invalid_token' } })
      const stranger = await lodge.anonymous().call('POST /api/auth/login', {
        body: { email, password: theirs },
      })
      expect(stranger).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
      expect((await signIn(email)).status).toBe(200)
    },
  )

  test('requires the terms where they must be accepted', async () => {
    await mode('open', { terms: { ...TERMS, required: true, termsUrl: 'https://example.com/t' } })
    expect(await register(fresh())).toMatchObject({
      status: 400,
      body: { code: 'confirmation_required' },
    })
    expect((await register(fresh(), { acceptTerms: true })).status).toBe(200)
  })

  test('A2: checks the captcha before anything else, and never shows its secret', async () => {
    const captcha = { provider: 'turnstile', siteKey: 'site', secret: 'captcha-secret' } as const
    const shown = await mode('open', { captcha })
    expect(shown.captcha).toEqual({ provider: 'turnstile', siteKey: 'site', hasSecret: true })
    const { rows } = await lodge.database.pool.query(
      `select value from settings where area = 'signup'`,
    )
    expect(
      JSON.stringify([rows, await lodge.anonymous().must('GET /api/signup/config')]),
    ).not.toContain('captcha-secret')
    expect(await register(fresh())).toMatchObject({ status: 400, body: { code: 'captcha_failed' } })
    const elsewhere = await (await lodge.admin()).call('PUT /api/settings/signup', {
      body: { mode: 'open', captcha: { provider: 'hcaptcha', siteKey: 'site' }, terms: TERMS },
    })
    expect(elsewhere).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    const without = await (await lodge.admin()).call('PUT /api/settings/signup', {
      body: { mode: 'open', captcha: { provider: 'hcaptcha', siteKey: null }, terms: TERMS },
    })
    expect(without.status).toBe(400)
  })

  test('sends the confirmation again, only to those who wait for it', async () => {
    await mode('open')
    const email = fresh()
    await register(email)
    await mailTo(lodge, email, 'verify_email')
    for (const address of [email, fresh(), 'root@example.com']) {
      const answer = await lodge.anonymous().call('POST /api/auth/verify/resend', {
        body: { email: address },
      })
      expect(answer).toMatchObject({ status: 200, body: { ok: true } })
    }
    await workedOff()
    expect(await mailsTo(lodge, email)).toHaveLength(2)
    expect(
      (await mailsTo(lodge, 'root@example.com')).filter((m) => m.template === 'verify_email'),
    ).toEqual([])
  })
})

describe('approval', () => {
  async function waiting() {
    await mode('approval')
    const email = fresh()
    await register(email)
    expect(await confirm(email)).toMatchObject({ body: { state: 'pending' } })
    return { email, id: (await userOf(email)).id as string }
  }

  test('lets approved people in, and notifies them', async () => {
    const { email, id } = await waiting()
    const admin = await lodge.admin()
    expect(await signIn(email)).toMatchObject({ status: 403, body: { code: 'account_pending' } })
    const { items } = await admin.must('GET /api/signup/pending')
    expect(items.find((item) => item.id === id)).toMatchObject({ email, state: 'pending' })
    await admin.must('POST /api/customers/{id}/approve', { params: { id } })
    expect((await signIn(email)).status).toBe(200)
    await mailTo(lodge, email, 'signup_approved')
    // The first mail said the same already.
    expect((await mailsTo(lodge, email)).map(({ template }) => template)).not.toContain('welcome')
    const again = await admin.call('POST /api/customers/{id}/approve', { params: { id } })
    expect(again).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  })

  test('lists waiting people by filter and order, also as CSV', async () => {
    const first = await waiting()
    const second = await waiting()
    const admin = await lodge.admin()
    const filter = `state:pending email:${first.email},${second.email}`
    const { items } = await admin.must('GET /api/signup/pending', {
      query: { filter, sort: '-email', limit: 100 },
    })
    const emails = [first.email, second.email].toSorted()
    expect(items.map(({ email }) => email)).toEqual(emails.toReversed())
    const page = await admin.must('GET /api/signup/pending', {
      query: { filter, sort: 'email', limit: 1 },
    })
    const next = await admin.must('GET /api/signup/pending', {
      query: { filter, sort: 'email', limit: 1, after: page.nextCursor ?? '' },
    })
    expect([...page.items, ...next.items].map(({ email }) => email)).toEqual(emails)
    const { payload } = await admin.send({
      url: `/api/signup/pending/export?${new URLSearchParams({ filter })}`,
    })
    expect(payload.trimEnd().split('\r\n')).toHaveLength(3)
  })

  test('removes declined accounts, but none that was ever approved', async () => {
    const { email, id } = await waiting()
    const admin = await lodge.admin()
    await admin.must('POST /api/customers/{id}/reject', {
      params: { id },
      query: { reason: 'No room' },
    })
    expect(await userOf(email)).toBeUndefined()
    expect((await mailTo(lodge, email, 'signup_rejected')).text).toContain('No room')
    const open = await lodge.customer()
    const refused = await admin.call('POST /api/customers/{id}/reject', { params: { id: open.id } })
    expect(refused).toMatchObject({ status: 409 })
  })

  test('treats an address as confirmed when an administrator confirms it', async () => {
    await mode('approval')
    const email = fresh()
    await register(email)
    await workedOff()
    const { id } = await userOf(email)
    const admin = await lodge.admin()
    await admin.must('POST /api/customers/{id}/resend-verification', { params: { id } })
    expect(await mailsTo(lodge, email)).toHaveLength(2)
    await admin.must('POST /api/customers/{id}/mark-verified', { params: { id } })
    expect((await userOf(email)).state).toBe('pending')
    for (const action of ['mark-verified', 'resend-verification'] as const)
      expect(
        (await admin.call(`POST /api/customers/{id}/${action}`, { params: { id } })).status,
      ).toBe(409)
  })
})

describe('an invitation code', () => {
  const invite = async (body: object = {}) =>
    (await lodge.admin()).must('POST /api/signup/invites', { body })

  test('is shown once, stored as a hash and can be used as often as configured', async () => {
    await mode('invitation')
    expect((await register(fresh())).status).toBe(400)
    const made = await invite({ maxUses: 3, note: 'friends' })
    const { items } = await (await lodge.admin()).must('GET /api/signup/invites')
    const { rows } = await lodge.database.pool.query('select * from signup_invites')
    expect(JSON.stringify([items, rows])).not.toContain(made.code)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => register(fresh(), { inviteCode: made.code })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(7)
  })

  test('is on exactly one page of their list', async () => {
    const admin = await lodge.admin()
    await Promise.all(Array.from({ length: 5 }, () => invite()))
    const { rows } = await lodge.database.pool.query('select id from signup_invites')
    const seen: string[] = []
    let after: string | undefined
    do {
      const query = { limit: 2, ...(after === undefined ? {} : { after }) }
      const page = await admin.must('GET /api/signup/invites', { query })
      expect(page.items.length).toBeLessThanOrEqual(2)
      seen.push(...page.items.map(({ id }) => id))
      after = page.nextCursor ?? undefined
    } while (after !== undefined)
    expect(seen).toEqual(
      rows
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    )
  })

  test('replaces the approval and brings its plan', async () => {
    await mode('approval')
    const planId = crypto.randomUUID()
    await lodge.database.pool.query(
      `insert into plans (id, name, kind, limits) values ($1, 'Gift', 'account', '{"maxServers":2}')`,
      [planId],
    )
    const { code } = await invite({ planId })
    const email = fresh()
    await register(email, { inviteCode: code })
    expect(await confirm(email)).toMatchObject({ body: { state: 'active' } })
    const { rows } = await lodge.database.pool.query(
      'select status from subscriptions where plan_id = $1 and user_id = $2',
      [planId, (await userOf(email)).id],
    )
    expect(rows).toEqual([{ status: 'active' }])
  })

  test('for one address is useless to another, after its expiry, and when revoked', async () => {
    await mode('invitation')
    const email = fresh()
    const bound = await invite({ email })
    expect((await register(fresh(), { inviteCode: bound.code })).status).toBe(400)
    expect((await register(email, { inviteCode: bound.code })).status).toBe(200)

    const old = await invite({ expiresInDays: 1 })
    await lodge.database.pool.query(
      `update signup_invites set expires_at = now() - interval '1 second' where id = $1`,
      [old.id],
    )
    expect((await register(fresh(), { inviteCode: old.code })).status).toBe(400)

    const revoked = await invite()
    await (await lodge.admin()).must('DELETE /api/signup/invites/{id}', {
      params: { id: revoked.id },
    })
    await lodge.database.pool.query('truncate rate_limits')
    expect((await register(fresh(), { inviteCode: revoked.code })).status).toBe(400)
  })

  test('is released when the address turns out to be taken', async () => {
    await mode('invitation')
    const made = await invite()
    const taken = (await lodge.customer()).email
    await register(taken, { inviteCode: made.code })
    await workedOff()
    expect((await register(fresh(), { inviteCode: made.code })).status).toBe(200)
  })

  test('counts once for an address that signs up again, and is free again once another replaces it or the address is released', async () => {
    await mode('invitation')
    const [twice, once] = [await invite({ maxUses: 2 }), await invite()]
    const email = fresh()
    const uses = async () => {
      await workedOff()
      const { rows } = await lodge.database.pool.query(
        'select id, uses from signup_invites where id = any($1)',
        [[twice.id, once.id]],
      )
      return [twice, once].map(({ id }) => rows.find((row) => row.id === id).uses)
    }
    for (const inviteCode of [twice.code, twice.code]) await register(email, { inviteCode })
    expect(await uses()).toEqual([1, 0])
    await register(email, { inviteCode: once.code })
    expect(await uses()).toEqual([0, 1])
    const again = await register(email, { inviteCode: once.code })
    expect(again).toMatchObject({
      ...{ status: 400, body: { detail: expect.stringContaining('confirmation mail sent again') } },
    })
    await lodge.database.pool.query(
      `update users set created_at = now() - interval '15 days' where email = $1`,
      [email],
    )
    expect(await deleteUnconfirmed(lodge.controlPlane.services.db)).toBe(1)
    expect(await uses()).toEqual([0, 0])
    expect(await userOf(email)).toBeUndefined()
  })

  test('is not created for a plan that does not exist', async () => {
    const answer = await (await lodge.admin()).call('POST /api/signup/invites', {
      body: { planId: crypto.randomUUID() },
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })
})

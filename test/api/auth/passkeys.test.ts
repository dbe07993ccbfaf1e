import { randomBytes } from 'node:crypto'
import type { ProblemDocument } from '@lodge/shared/problems.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { SoftPasskey, type Wrong } from '../../support/soft-passkey.ts'
import { type Lodge, ORIGIN, PASSWORD, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let count = 0
beforeAll(async () => {
  lodge = await startLodge()
})
beforeEach(() => lodge.database.pool.query('truncate rate_limits, second_factor_failures'))
afterAll(() => lodge[Symbol.asyncDispose]())

const codeOf = (answer: { body: unknown }) => (answer.body as ProblemDocument).code

async function person(): Promise<Caller> {
  const email = `passkey-${++count}@example.com`
  const { id } = await (await lodge.admin()).must('POST /api/customers', {
    body: { email, password: PASSWORD },
  })
  return lodge.session(id, email)
}

async function personWithPasskey() {
  const caller = await person()
  const key = new SoftPasskey(ORIGIN)
  const options = await caller.must('POST /api/auth/passkeys/options')
  const body = { response: key.register(options), name: 'Phone' }
  const made = await caller.must('POST /api/auth/passkeys/verify', { body })
  return { caller, key, made }
}

/** Submits the right password; returns the challenge of the second step. */
async function begin(email: string, from = lodge.anonymous()) {
  const answer = await from.must('POST /api/auth/login', {
    body: { email, password: PASSWORD, stepwise: true },
  })
  if (!answer.requires2fa) throw new Error('no second step was asked for')
  return { from, challenge: answer.challenge, methods: answer.methods }
}
const optionsFor = (from: Caller, challenge: string) =>
  from.must('POST /api/auth/passkey/options', { body: { challenge } })

describe('a passkey', () => {
  test('is registered with recovery codes and signs in as the second step', async () => {
    const { caller, key, made } = await personWithPasskey()
    expect(made.passkey).toMatchObject({ name: 'Phone', lastUsedAt: null })
    expect(made.recoveryCodes).toHaveLength(10)
    const { from, challenge, methods } = await begin(caller.email)
    expect(methods).toEqual(['passkey'])
    const response = key.authenticate(await optionsFor(from, challenge))
    const { user } = await from.must('POST /api/auth/passkey/verify', {
      body: { challenge, response },
    })
    expect(user.id).toBe(caller.id)
    expect((await from.must('GET /api/auth/passkeys')).items[0]?.lastUsedAt).not.toBeNull()
  })

  const other = () => new SoftPasskey(ORIGIN).id.toString('base64url')
  const cases: [string, () => Wrong][] = [
    [
      'an answer to another challenge',
      () => ({ challenge: randomBytes(32).toString('base64url') }),
    ],
    ['an answer given to another site', () => ({ origin: 'https://evil.example' })],
    ['an answer given to a site that begins alike', () => ({ origin: `${ORIGIN}.evil.example` })],
    ['an answer for another relying party', () => ({ rpId: 'evil.example' })],
    ['an answer without a person verified', () => ({ verified: false })],
    ['an answer without a person present', () => ({ present: false })],
    ['a registration in the place of a sign-in', () => ({ type: 'webauthn.create' })],
    ['a key that nobody has registered', () => ({ id: other() })],
    ['a signature of something else', () => ({ signature: randomBytes(70) })],
    ['a counter that has gone back, as that of a copied key', () => ({ counter: 1 })],
  ]
  test.each(cases)('A5: refuses %s, and starts no session', async (_name, wrong) => {
    const { caller, key } = await personWithPasskey()
    // Used twice, so that the counter is at two.
    for (let at = 0; at < 2; at++) {
      const { from, challenge } = await begin(caller.email)
      const response = key.authenticate(await optionsFor(from, challenge))
      await from.must('POST /api/auth/passkey/verify', { body: { challenge, response } })
    }
    const { from, challenge } = await begin(caller.email)
    const options = await optionsFor(from, challenge)
    const response = key.authenticate(options, wrong())
    const answer = await from.call('POST /api/auth/passkey/verify', {
      body: { challenge, response },
    })
    expect([answer.status, codeOf(answer)]).toEqual([401, 'invalid_second_factor'])
    expect(from.cookie).toBeUndefined()
    // The challenge is consumed, so the right response comes too late.
    const right = await from.call('POST /api/auth/passkey/verify', {
      body: { challenge, response: key.authenticate(options) },
    })
    expect([right.status, codeOf(right)]).toEqual([401, 'invalid_second_factor'])
  })

  test('A5: is useless to somebody else, and so is an intercepted response', async () => {
    const [mine, theirs] = [await personWithPasskey(), await personWithPasskey()]
    const { from, challenge } = await begin(mine.caller.email)
    const foreign = theirs.key.authenticate(await optionsFor(from, challenge))
    const answer = await from.call('POST /api/auth/passkey/verify', {
      body: { challenge, response: foreign },
    })
    expect([answer.status, codeOf(answer)]).toEqual([401, 'invalid_second_factor'])
    const intercepted = mine.key.authenticate(await optionsFor(from, challenge))
    await from.must('POST /api/auth/passkey/verify', { body: { challenge, response: intercepted } })
    for (const again of [challenge, (await begin(mine.caller.email)).challenge]) {
      const replay = await lodge
        .anonymous({ address: from.address })
        .call('POST /api/auth/passkey/verify', {
          body: { challenge: again, response: intercepted },
        })
      expect(replay.status).toBe(401)
    }
  })

  test('A5: is registered only by the session that requested it, once, and within five minutes', async () => {
    const caller = await person()
    const key = new SoftPasskey(ORIGIN)
    const register = (as: Caller, response: object) =>
      as.call('POST /api/auth/passkeys/verify', { body: { response: response as never } })
    const options = await caller.must('POST /api/auth/passkeys/options')
    const elsewhere = await register(await lodge.session(caller.id), key.register(options))
    expect([elsewhere.status, codeOf(elsewhere)]).toEqual([401, 'challenge_expired'])
    expect((await register(caller, key.register(options))).status).toBe(201)
    expect((await register(caller, key.register(options))).status).toBe(401)
    const again = await register(
      caller,
      key.register(await caller.must('POST /api/auth/passkeys/options')),
    )
    expect([again.status, codeOf(again)]).toEqual([409, 'duplicate'])
    const late = await caller.must('POST /api/auth/passkeys/options')
    await lodge.database.pool.query(
      `update auth_challenges set expires_at = now() - interval '1 second'`,
    )
    expect((await register(caller, new SoftPasskey(ORIGIN).register(late))).status).toBe(401)
    for (const wrong of [{ verified: false }, { origin: 'https://evil.example' }, { rpId: 'x' }]) {
      const fresh = await caller.must('POST /api/auth/passkeys/options')
      const refused = await register(caller, new SoftPasskey(ORIGIN).register(fresh, wrong))
      expect([refused.status, codeOf(refused)]).toEqual([400, 'validation_failed'])
    }
  })

  test('works as step-up before a dangerous action', async () => {
    const { caller, key } = await personWithPasskey()
    const { pool } = lodge.database
    await pool.query(
      `update sessions set proved_at = now() - interval '11 minutes' where user_id = $1`,
      [caller.id],
    )
    const options = () => caller.must('POST /api/auth/step-up/passkey/options')
    const prove = (response: object) =>
      caller.call('POST /api/auth/step-up/passkey', { body: { response: response as never } })
    expect((await prove(key.authenticate(await options(), { verified: false }))).status).toBe(401)
    const asked = await options()
    const response = key.authenticate(asked)
    expect((await prove(response)).status).toBe(200)
    expect((await prove(response)).status).toBe(401)
    await caller.must('POST /api/auth/recovery-codes')
  })
})

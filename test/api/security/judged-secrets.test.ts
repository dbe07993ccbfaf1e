import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { routes } from '../../../control-plane/src/api.ts'
import type { Declared } from '../../../control-plane/src/http/endpoint.ts'
import { takesKey } from '../../../control-plane/src/http/idempotency.ts'
import { type Caller, requestOf } from '../../support/caller.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { totpCode } from '../../support/totp.ts'

let lodge: Lodge
let admin: Caller
let secret: string
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  ;({ secret } = await admin.must('POST /api/auth/totp/setup'))
  const code = await totpCode(secret, -1)
  await admin.must('POST /api/auth/totp/confirm', { body: { code } })
})
afterAll(() => lodge[Symbol.asyncDispose]())

/** With a fresh key each time, and a reset rate limit. */
async function keyed(...request: Parameters<typeof requestOf>) {
  await lodge.database.pool.query('truncate rate_limits')
  const keyedRequest = requestOf(...request)
  const headers = { ...keyedRequest.headers, 'idempotency-key': randomUUID() }
  return (await admin.send({ ...keyedRequest, headers })).json<{ code?: string }>().code
}

const guesses: Record<string, (code: string) => Promise<string | undefined>> = {
  'shows again who they are': (code) => keyed('POST /api/auth/step-up', { body: { code } }),
  'hands the super administrator over': (code) =>
    keyed('POST /api/team/transfer', { body: { userId: randomUUID(), password: PASSWORD, code } }),
}
test.each(Object.entries(guesses))(
  'ten wrong codes lock the second step of who %s, each under its own key',
  async (_, guess) => {
    await lodge.database.pool.query('delete from second_factor_failures')
    const answers: (string | undefined)[] = []
    for (let at = 0; at < 11; at++) answers.push(await guess('000000'))
    expect(answers).toEqual([
      ...Array.from({ length: 10 }, () => 'invalid_second_factor'),
      'second_factor_locked',
    ])
    expect(await guess(await totpCode(secret))).toBe('second_factor_locked')
  },
)

test('the stored record of a keyed request does not help to guess its password', async () => {
  await lodge.database.pool.query('delete from second_factor_failures')
  const body = { email: 'kept@example.com', password: PASSWORD }
  const send = async () => {
    const creation = requestOf('POST /api/customers', { body })
    await admin.send({ ...creation, headers: { ...creation.headers, 'idempotency-key': 'kept' } })
    const { rows } = await lodge.database.pool.query<{ hash: string }>(
      `select request_hash as hash from idempotency_keys where key = 'kept'`,
    )
    return rows[0]?.hash
  }
  const { createHash } = await import('node:crypto')
  const guessed = createHash('sha256')
    .update(JSON.stringify(['/api/customers', body]))
    .digest('hex')
  const kept = await send()
  expect(kept).toMatch(/^[0-9a-f]{64}$/)
  expect(kept).not.toBe(guessed)
})

/** Fields whose right value opens something. A new password or a secret that is set opens nothing. */
const JUDGED = ['code', 'currentPassword', 'totp', 'recoveryCode', 'response', 'challenge']
const SETS = ['POST /api/customers']

test('no endpoint that checks a secret accepts an Idempotency-Key', () => {
  const all: readonly Declared[] = Object.values(routes)
  const wrong = all
    .filter((spec) => takesKey(spec) && spec.body instanceof z.ZodObject)
    .filter((spec) => !SETS.includes(`${spec.method} ${spec.path}`))
    .filter((spec) =>
      Object.keys((spec.body as z.ZodObject).shape).some(
        (name) => JUDGED.includes(name) || name === 'password',
      ),
    )
    .map((spec) => `${spec.method} ${spec.path}`)
  expect(wrong).toEqual([])
})

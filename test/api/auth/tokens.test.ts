import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../control-plane/src/api.ts'
import { requestOf } from '../../support/caller.ts'
import { type Lodge, ORIGIN, startLodge } from '../../support/stack.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

async function token(scopes: ('read' | 'provision' | 'suspend')[], expiresAt?: string) {
  const admin = await lodge.admin()
  return admin.must('POST /api/tokens', {
    body: { name: scopes.join('+'), scopes, ...(expiresAt && { expiresAt }) },
  })
}

const bearer = (
  secret: string,
  endpoint: string,
  given: Parameters<typeof requestOf>[1] = {},
  more = {},
) => {
  const request = requestOf(endpoint, given)
  return lodge.anonymous().send({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${secret}`, ...more },
  })
}
const NOWHERE = '00000000-0000-7000-8000-000000000000'

describe('an API token', () => {
  test('K2: shows its secret once and is recognisable by it', async () => {
    const made = await token(['read'])
    expect(made.secret).toMatch(/^lodge_[0-9a-f]{12}_[A-Za-z0-9_-]{43}$/)
    const admin = await lodge.admin()
    const { items } = await admin.must('GET /api/tokens')
    expect(JSON.stringify(items)).not.toContain(made.secret)
    const { rows } = await lodge.database.pool.query('select * from api_tokens')
    expect(JSON.stringify(rows)).not.toContain(made.secret.slice(20))
  })

  test.each(['read', 'provision', 'suspend'] as const)(
    'with the scope %s reaches only endpoints that name that scope',
    async (scope) => {
      const { secret } = await token([scope])
      for (const { method, path, access } of Object.values(routes)) {
        if (access.who === 'anyone') continue
        const own = 'token' in access ? access.token : undefined
        // Budgets are checked before scopes and would refuse first.
        if ('throttle' in access) await lodge.database.pool.query('delete from rate_limits')
        const body = path.endsWith('/actions')
          ? { action: scope === 'suspend' ? 'suspend' : 'start' }
          : method === 'GET'
            ? undefined
            : {}
        const answer = await bearer(secret, `${method} ${path}`, {
          params: { id: NOWHERE, offset: 1 },
          body,
        })
        if (own === scope) expect([200, 400, 404], `${method} ${path}`).toContain(answer.statusCode)
        else
          expect([answer.statusCode, answer.json().code], `${method} ${path}`).toEqual([
            403,
            own ? 'insufficient_scope' : 'token_not_allowed',
          ])
      }
    },
  )

  test('K1 C3: with the scope suspend can use no other action, and the scope is checked before the server is looked up', async () => {
    const { secret } = await token(['suspend'])
    for (const action of [
      'start',
      'stop',
      'restart',
      'kill',
      'reinstall',
      'backup',
      'restore',
      'nonsense',
    ]) {
      const answer = await bearer(secret, 'POST /api/servers/{id}/actions', {
        params: { id: NOWHERE },
        body: { action },
      })
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'token_not_allowed'])
    }
    const allowed = await bearer(secret, 'POST /api/servers/{id}/actions', {
      params: { id: NOWHERE },
      body: { action: 'unsuspend' },
    })
    expect(allowed.statusCode).toBe(404)
  })

  test('K1: takes precedence over a cookie, and an invalid one never falls back to it', async () => {
    const admin = await lodge.admin()
    const cookie = { cookie: `panel_session=${admin.cookie}`, origin: ORIGIN }
    const { secret } = await token(['read'])
    expect((await bearer(secret, 'GET /api/nodes', {}, cookie)).json().code).toBe(
      'token_not_allowed',
    )
    expect(
      (await bearer(`${secret.slice(0, -1)}x`, 'GET /api/auth/me', {}, cookie)).statusCode,
    ).toBe(401)
  })

  test('K1: ends when it expires and when it is revoked', async () => {
    const soon = await token(['read'], new Date(Date.now() + 60_000).toISOString())
    expect((await bearer(soon.secret, 'GET /api/auth/me')).statusCode).toBe(200)
    await lodge.database.pool.query(
      `update api_tokens set expires_at = now() - interval '1 second' where id = $1`,
      [soon.id],
    )
    expect((await bearer(soon.secret, 'GET /api/auth/me')).statusCode).toBe(401)

    const revoked = await token(['read'])
    const admin = await lodge.admin()
    expect(
      (await admin.call('DELETE /api/tokens/{id}', { params: { id: revoked.id } })).status,
    ).toBe(204)
    expect((await bearer(revoked.secret, 'GET /api/auth/me')).statusCode).toBe(401)
  })

  test('L1: cannot be created with more than its creator may do', async () => {
    const limited = await lodge.limitedAdmin(['tokens.manage', 'servers.view'])
    expect(
      (await limited.call('POST /api/tokens', { body: { name: 'r', scopes: ['read'] } })).status,
    ).toBe(201)
    const more = await limited.call('POST /api/tokens', {
      body: { name: 'p', scopes: ['provision'] },
    })
    expect(more).toMatchObject({ status: 403, body: { permission: 'servers.create' } })
  })
})

import type { ProblemDocument } from '@lodge/shared/problems.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { mailTo } from '../../support/mailbox.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { totpCode } from '../../support/totp.ts'
import { openEvents } from '../support/event-stream.ts'
import { knock } from '../support/knock.ts'

let lodge: Lodge
let root: Caller
beforeAll(async () => {
  lodge = await startLodge({ environment: { LODGE_TRUSTED_PROXIES: '10.9.0.0/16' } })
  root = await lodge.admin()
})
beforeEach(() => lodge.database.pool.query('truncate rate_limits'))
afterAll(() => lodge[Symbol.asyncDispose]())

const codeOf = (answer: { body: unknown }) => (answer.body as ProblemDocument).code

const age = (caller: Caller, minutes: number) =>
  lodge.database.pool.query(
    'update sessions set proved_at = now() - make_interval(mins => $2) where user_id = $1',
    [caller.id, minutes],
  )

describe('an administrator without a second factor', () => {
  test('an invited one can only set it up, and can do everything afterwards', async () => {
    const email = 'invited@example.com'
    await root.must('POST /api/team', { body: { email, permissions: ['nodes.view'] } })
    const { token } = await mailTo(lodge, email, 'team_invite')
    const caller = lodge.anonymous()
    await caller.must('POST /api/auth/token/accept', { body: { token, password: PASSWORD } })
    await caller.must('POST /api/auth/login', { body: { email, password: PASSWORD } })
    expect(await caller.must('GET /api/auth/me')).toMatchObject({ secondFactor: 'overdue' })
    const refused = await caller.call('GET /api/nodes')
    expect([refused.status, codeOf(refused)]).toEqual([403, 'second_factor_setup_required'])
    const { secret } = await caller.must('POST /api/auth/totp/setup')
    const code = await totpCode(secret)
    await caller.must('POST /api/auth/totp/confirm', { body: { code } })
    expect(await caller.must('GET /api/auth/me')).toMatchObject({ secondFactor: 'active' })
    await caller.must('GET /api/nodes')
  })

  test('the first one has a day for it, and sees the deadline', async () => {
    const me = await root.must('GET /api/auth/me')
    expect(me.secondFactor).toBe('due')
    const hours = (Date.parse(me.secondFactorDueAt ?? '') - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23)
    expect(hours).toBeLessThanOrEqual(24)
  })

  test('opens no console either', async () => {
    const caller = await lodge.limitedAdmin(['servers.console', 'servers.view'])
    await lodge.database.pool.query('update users set factor_due_at = null where id = $1', [
      caller.id,
    ])
    expect(await knock(lodge, caller)).toBe(403)
  })
})

describe('a dangerous action', () => {
  const create = (caller: Caller) =>
    caller.call('POST /api/tokens', { body: { name: 'key', scopes: ['read'] } })

  test('L1: needs the second factor again after ten minutes, and only such an action does', async () => {
    const caller = await lodge.limitedAdmin(['tokens.manage', 'servers.view', 'customers.view'])
    const { secret } = await caller.must('POST /api/auth/totp/setup')
    const before = await totpCode(secret, -1)
    await caller.must('POST /api/auth/totp/confirm', { body: { code: before } })
    await age(caller, 9)
    expect((await create(caller)).status).toBe(201)
    await age(caller, 11)
    const refused = await create(caller)
    expect([refused.status, codeOf(refused)]).toEqual([403, 'reauthentication_required'])
    expect((await caller.call('GET /api/tokens')).status).toBe(200)
    const byPassword = await caller.call('POST /api/auth/step-up', { body: { password: PASSWORD } })
    expect([byPassword.status, codeOf(byPassword)]).toEqual([401, 'second_factor_required'])
    const code = await totpCode(secret)
    await caller.must('POST /api/auth/step-up', { body: { code } })
    expect((await create(caller)).status).toBe(201)
    await age(caller, 11)
    const again = await caller.call('POST /api/auth/step-up', { body: { code } })
    expect([again.status, codeOf(again)]).toEqual([401, 'invalid_second_factor'])
  })

  test('an administrator who lost every factor is let in by a colleague with the same permissions', async () => {
    const person = await lodge.limitedAdmin(['servers.view'])
    const { secret } = await person.must('POST /api/auth/totp/setup')
    await person.must('POST /api/auth/totp/confirm', { body: { code: await totpCode(secret, -1) } })
    const remove = (by: Caller, id: string) =>
      by.call('DELETE /api/team/{id}/second-factors', { params: { id } })
    const refused = await remove(await lodge.limitedAdmin(['team.manage']), person.id)
    expect([refused.status, codeOf(refused)]).toEqual([403, 'permission_required'])
    const colleague = await lodge.limitedAdmin(['team.manage', 'servers.view'])
    const above = await remove(colleague, root.id)
    expect([above.status, codeOf(above)]).toEqual([409, 'conflict'])
    expect((await remove(colleague, person.id)).status).toBeLessThan(300)
    expect((await person.call('GET /api/auth/me')).status).toBe(401)
    const again = await lodge.session(person.id)
    expect(await again.must('GET /api/auth/factors')).toMatchObject({ totp: false, passkeys: 0 })
    expect(codeOf(await remove(colleague, person.id))).toBe('invalid_state')
  })

  test('A3: is locked after ten wrong codes, also for the right one', async () => {
    const caller = await lodge.limitedAdmin(['tokens.manage'])
    const { secret } = await caller.must('POST /api/auth/totp/setup')
    const before = await totpCode(secret, -1)
    await caller.must('POST /api/auth/totp/confirm', { body: { code: before } })
    for (let at = 0; at < 10; at++)
      await caller.call('POST /api/auth/step-up', { body: { code: 'wrong' } })
    await lodge.database.pool.query('truncate rate_limits')
    const right = await caller.call('POST /api/auth/step-up', {
      body: { code: await totpCode(secret) },
    })
    expect([right.status, codeOf(right)]).toEqual([429, 'second_factor_locked'])
  })

  test('accepts the password when there is no second factor', async () => {
    const email = 'plain@example.com'
    const { id } = await root.must('POST /api/customers', { body: { email, password: PASSWORD } })
    const person = await lodge.session(id, email)
    await age({ ...person, id } as Caller, 11)
    expect(codeOf(await person.call('POST /api/auth/totp/setup'))).toBe('reauthentication_required')
    const wrong = await person.call('POST /api/auth/step-up', { body: { password: 'wrong' } })
    expect([wrong.status, codeOf(wrong)]).toEqual([401, 'invalid_credentials'])
    await person.must('POST /api/auth/step-up', { body: { password: PASSWORD } })
    await person.must('POST /api/auth/totp/setup')
  })
})

describe('the list of administrators’ addresses', () => {
  const HOME = '192.0.2.7'
  const from = ({ cookie = '' }: Caller, address: string) => lodge.anonymous({ cookie, address })
  const allow = (caller: Caller, administratorAddresses: string[]) =>
    caller.call('PUT /api/settings/security', { body: { administratorAddresses, auditDays: 730 } })

  test('L2: never locks out the person who changes it, and locks out everybody else immediately', async () => {
    const home = from(root, HOME)
    const shut = await allow(home, ['203.0.113.0/24'])
    expect([shut.status, codeOf(shut)]).toEqual([409, 'conflict'])
    const open = openEvents(lodge, root)
    await open.opened
    expect((await allow(home, ['192.0.2.0/24', '2001:db8::/32'])).status).toBe(200)
    // The stream came from this machine, which is not on the list.
    await open.over
    const away = await from(root, '203.0.113.9').call('GET /api/nodes')
    expect([away.status, codeOf(away)]).toEqual([403, 'ip_not_allowed'])
    expect((await home.call('GET /api/nodes')).status).toBe(200)
    expect((await from(root, '2001:db8::1').call('GET /api/nodes')).status).toBe(200)
    expect(await knock(lodge, root)).toBe(403)
  })

  test('applies to API tokens and sign-ins of administrators, and not to customers', async () => {
    const home = from(root, HOME)
    const { secret } = await home.must('POST /api/tokens', {
      body: { name: 'key', scopes: ['read'] },
    })
    const read = (address: string) =>
      lodge
        .anonymous({ address })
        .send({ url: '/api/customers', headers: { authorization: `Bearer ${secret}` } })
    expect((await read(HOME)).statusCode).toBe(200)
    expect((await read('203.0.113.9')).json()).toMatchObject({ code: 'ip_not_allowed' })
    const login = await lodge.anonymous({ address: '203.0.113.9' }).call('POST /api/auth/login', {
      body: { email: root.email, password: PASSWORD },
    })
    expect([login.status, codeOf(login)]).toEqual([403, 'ip_not_allowed'])
    const customer = await lodge.customer()
    expect((await customer.call('GET /api/servers', { query: {} })).status).toBe(200)
  })

  test('A9 CVE-2026-43634: trusts the header of configured proxies only', async () => {
    const via = async (address: string, forwardedFor: string) =>
      (
        await from(root, address).send({
          url: '/api/nodes',
          headers: { 'x-forwarded-for': forwardedFor },
        })
      ).statusCode
    expect(await via('10.9.0.1', HOME)).toBe(200)
    expect(await via('10.9.0.1', `${HOME}, 203.0.113.9`)).toBe(403)
    expect(await via('203.0.113.9', HOME)).toBe(403)
    expect(await via('10.8.0.1', HOME)).toBe(403)
  })

  test('can be ignored by the operator of the control plane', async () => {
    const beside = await startLodge({
      beside: lodge,
      environment: { LODGE_ADMIN_ADDRESSES: 'any' },
    })
    const cookie = root.cookie ?? ''
    const away = beside.anonymous({ cookie, address: '203.0.113.9' })
    expect((await away.call('GET /api/nodes')).status).toBe(200)
    await away.must('PUT /api/settings/security', {
      body: { administratorAddresses: [], auditDays: 730 },
    })
    await expect.poll(async () => (await root.call('GET /api/nodes')).status).toBe(200)
    await beside[Symbol.asyncDispose]()
  })

  test('accepts only addresses', async () => {
    for (const entry of ['home', '192.0.2.0/33', '*', '192.0.2.1-9', ''])
      expect((await allow(root, [entry])).status).toBe(400)
  })
})

import { ADMIN_PRESETS, AdminPermission } from '@lodge/shared/permissions.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { mailTo } from '../../support/mailbox.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { totpCode } from '../../support/totp.ts'

let lodge: Lodge
let count = 0
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())
beforeEach(() => lodge.database.pool.query('truncate rate_limits'))

const fresh = () => `team-${++count}@example.com`
const permissionsOf = async (id: string): Promise<string[]> =>
  (await lodge.database.pool.query('select permissions from users where id = $1', [id])).rows[0]
    ?.permissions

describe('the catalogue', () => {
  test('lists every permission and nothing else, for administrators; customers see that of servers', async () => {
    const { team, server } = await (await lodge.admin()).must('GET /api/permissions')
    expect(team?.permissions.map(({ id }) => id)).toEqual(AdminPermission.options)
    for (const preset of team?.presets ?? [])
      for (const id of preset.permissions) expect(AdminPermission.options).toContain(id)
    expect(team?.presets.find(({ id }) => id === 'administrator')?.permissions).not.toContain(
      'team.manage',
    )
    expect(server.presets.map(({ id }) => id)).toEqual(['viewer', 'operator', 'developer', 'full'])
    expect((await (await lodge.customer()).must('GET /api/permissions')).team).toBeNull()
  })
})

describe('an administrator', () => {
  test('is invited by mail and has exactly the permissions that were given', async () => {
    const email = fresh()
    const admin = await lodge.admin()
    const made = await admin.must('POST /api/team', {
      body: { email, permissions: ['servers.view', 'nodes.view'] },
    })
    expect(made.state).toBe('invited')
    const { token } = await mailTo(lodge, email, 'team_invite')
    const body = { token, password: PASSWORD }
    await lodge.anonymous().must('POST /api/auth/token/accept', { body })
    const caller = lodge.anonymous()
    const signedIn = await caller.must('POST /api/auth/login', {
      body: { email, password: PASSWORD },
    })
    expect(signedIn).toMatchObject({
      user: { role: 'admin', permissions: ['servers.view', 'nodes.view'] },
    })
    const { items } = await admin.must('GET /api/team')
    expect(items.find(({ id }) => id === made.id)).toMatchObject({ state: 'active' })
    const again = await admin.call('POST /api/team', { body: { email, permissions: [] } })
    expect(again).toMatchObject({ status: 409, body: { code: 'duplicate' } })
  })

  test('L1: can neither grant nor revoke a permission that they do not hold, for every permission', async () => {
    const held: AdminPermission[] = ['team.manage', 'team.view', 'servers.view']
    const limited = await lodge.limitedAdmin(held)
    const other = await lodge.limitedAdmin([])
    const params = { id: other.id }
    for (const permission of AdminPermission.options) {
      const may = held.includes(permission)
      const invited = await limited.call('POST /api/team', {
        body: { email: fresh(), permissions: [permission] },
      })
      expect(invited.status, permission).toBe(may ? 201 : 403)
      const edited = await limited.call('PUT /api/team/{id}/permissions', {
        params,
        body: { permissions: [permission] },
      })
      expect(edited.status, permission).toBe(may ? 200 : 403)
    }
    const strong = await lodge.limitedAdmin(['servers.view', 'nodes.manage'])
    const taken = await limited.call('PUT /api/team/{id}/permissions', {
      params: { id: strong.id },
      body: { permissions: ['servers.view'] },
    })
    expect(taken).toMatchObject({ status: 403, body: { permission: 'nodes.manage' } })
    expect(await permissionsOf(strong.id)).toEqual(['servers.view', 'nodes.manage'])
    const removed = await limited.call('DELETE /api/team/{id}', { params: { id: strong.id } })
    expect(removed.status).toBe(403)
  })

  test('L1: can change neither their own permissions nor those of the super administrator', async () => {
    const all = await lodge.limitedAdmin(AdminPermission.options)
    const root = await lodge.admin()
    for (const id of [all.id, root.id]) {
      const params = { id }
      const edited = await all.call('PUT /api/team/{id}/permissions', {
        params,
        body: { permissions: [] },
      })
      expect(edited).toMatchObject({ status: 409, body: { code: 'conflict' } })
      expect((await all.call('DELETE /api/team/{id}', { params })).status).toBe(409)
    }
    expect((await root.call('DELETE /api/team/{id}', { params: { id: root.id } })).status).toBe(409)
  })

  test('loses a permission immediately, also with an API token and an open session', async () => {
    const limited = await lodge.limitedAdmin(['tokens.manage', 'servers.view', 'customers.view'])
    const { secret } = await limited.must('POST /api/tokens', {
      body: { name: 't', scopes: ['read'] },
    })
    const list = () =>
      lodge
        .anonymous()
        .send({ url: '/api/customers', headers: { authorization: `Bearer ${secret}` } })
    expect((await list()).statusCode).toBe(200)
    await (await lodge.admin()).must('PUT /api/team/{id}/permissions', {
      params: { id: limited.id },
      body: { permissions: ['servers.view'] },
    })
    expect((await list()).statusCode).toBe(403)
    expect((await limited.call('GET /api/customers')).status).toBe(403)
  })

  test('is removed with sessions and tokens, unless they own servers', async () => {
    const admin = await lodge.admin()
    const gone = await lodge.limitedAdmin(['servers.view'])
    await admin.must('DELETE /api/team/{id}', { params: { id: gone.id } })
    expect((await gone.call('GET /api/auth/me')).status).toBe(401)

    const owner = await lodge.limitedAdmin([])
    const node = await lodge.node()
    const template = await lodge.template()
    await lodge.server({ ownerId: owner.id, templateId: template.id, nodeId: node.id })
    const kept = await admin.call('DELETE /api/team/{id}', { params: { id: owner.id } })
    expect(kept).toMatchObject({ status: 409, body: { code: 'in_use' } })
  })
})

describe('the role of the super administrator', () => {
  const secrets = new Map<string, string>()
  async function withTotp(caller: Caller): Promise<void> {
    const { secret } = await caller.must('POST /api/auth/totp/setup')
    const code = await totpCode(secret, -1)
    const { recoveryCodes } = await caller.must('POST /api/auth/totp/confirm', { body: { code } })
    secrets.set(caller.id, recoveryCodes.join(' '))
  }
  /** One recovery code after the other, to avoid waiting for the next half minute. */
  function identity(caller: Caller) {
    const [code = '', ...rest] = (secrets.get(caller.id) ?? '').split(' ')
    secrets.set(caller.id, rest.join(' '))
    return { password: PASSWORD, code: code || '000000' }
  }

  test('is transferred when both confirm, and to nobody else', async () => {
    const root = await lodge.admin()
    await withTotp(root)
    const email = fresh()
    const { id } = await root.must('POST /api/team', { body: { email, permissions: [] } })
    const { token: accept } = await mailTo(lodge, email, 'team_invite')
    await lodge.anonymous().must('POST /api/auth/token/accept', {
      body: { token: accept, password: PASSWORD },
    })
    const heir = await lodge.session(id, email)
    const ask = (caller: Caller, more: object = {}) =>
      caller.call('POST /api/team/transfer', {
        body: { userId: id, ...identity(caller), ...more },
      })
    expect(await ask(root)).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    await withTotp(heir)
    expect(await ask(root, { password: 'x' })).toMatchObject({ status: 401 })
    expect(await ask(root, { code: '000000' })).toMatchObject({ status: 401 })
    expect(await ask(root)).toMatchObject({ status: 202 })
    const { token } = await mailTo(lodge, email, 'team_transfer')

    const thief = await lodge.limitedAdmin(AdminPermission.options)
    const confirm = (caller: Caller) =>
      caller.call('POST /api/team/transfer/confirm', { body: { token, ...identity(caller) } })
    expect(await confirm(thief)).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    expect(await confirm(root)).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    expect((await heir.must('GET /api/auth/me')).superAdmin).toBe(false)

    expect((await confirm(heir)).status).toBe(204)
    expect((await heir.must('GET /api/auth/me')).superAdmin).toBe(true)
    const before = await root.must('GET /api/auth/me')
    expect(before).toMatchObject({ superAdmin: false, permissions: ADMIN_PRESETS.administrator })
    expect((await confirm(heir)).status).toBe(400)
    const { rows } = await lodge.database.pool.query('select id from users where super_admin')
    expect(rows).toEqual([{ id }])
  })
})

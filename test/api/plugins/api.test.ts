import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contextFor } from '../../../control-plane/src/context.ts'
import { tellPlugins } from '../../../control-plane/src/domains/plugins/deliveries.ts'
import { callPlugin } from '../../../control-plane/src/domains/plugins/index.ts'
import { newKey, publicKeyOf } from '../../../plugins/sdk/pack.ts'
import type { Caller } from '../../support/caller.ts'
import { samplePackage } from '../../support/plugin.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

// Plugins use the API through the sandbox, on behalf of the person who accepted that, and never with
// more permissions.

const key = newKey()
/** Calls the endpoint named in its event, and logs the response. */
const MAIN = `export default (host) => ({
  health: async () => {
    const { status, body } = await host.api('GET', '/api/customers?limit=1')
    return { ok: status === 200, message: status + ' ' + (body.code ?? '') }
  },
  page: { async request({ payload: [method, path, request] }) {
    try { return { answer: await host.api(method, path, request) } }
    catch (error) { return { answer: { thrown: error.message } } }
  } },
})`
const PAGE = {
  ...{ id: 'tell', title: { en: 'Tell' }, audience: 'administrators', icon: 'list' },
  script: 'page.js',
}

let lodge: Lodge
let admin: Caller
beforeAll(async () => {
  lodge = await startLodge({ environment: { LODGE_PLUGIN_KEYS: publicKeyOf(key) } })
  admin = await lodge.admin()
})
afterAll(() => lodge[Symbol.asyncDispose]())

const packed = (id: string, api: readonly string[], version = '1.0.0') =>
  samplePackage(
    {
      ...{ id, version, name: `Plugin ${id}`, kinds: ['event', 'page'], pages: [PAGE as never] },
      permissions: ['pages:administrators', ...api.map((one) => `api:${one}`)],
    },
    ...([MAIN, key, { 'page.js': '' }] as const),
  ).toString('base64')
const upload = (id: string, api: readonly string[]) =>
  ({ source: 'upload', package: packed(id, api), acceptPermissions: true }) as const
const at = (plugin: string) => ({ params: { plugin } })

interface Answer {
  readonly status: number
  readonly body: { readonly code?: string; readonly id?: string; readonly items?: unknown[] }
  readonly thrown?: string
}
/** The API's response to a plugin. */
async function ask(id: string, method: string, path: string, request: object = {}) {
  const { answer } = await callPlugin(lodge.controlPlane.services, id, 'page.request', {
    ...{ page: 'tell', method: 'x', payload: [method, path, request], server: null },
    caller: { id: randomUUID(), role: 'administrator' },
  })
  return answer as Answer
}
const install = async (by: Caller, api: readonly string[]) => {
  const id = `api-p${randomUUID().slice(0, 8)}`
  await by.must('POST /api/plugins', { body: upload(id, api) })
  return id
}
/** A server with its owner. */
async function serverOf() {
  const owner = await lodge.customer()
  const { id: nodeId } = await lodge.node()
  const { id: templateId } = await lodge.template()
  const serverId = await lodge.server({ ownerId: owner.id, templateId, nodeId })
  return { serverId, ownerId: owner.id }
}

test('a plugin can use exactly the accepted permissions, and is recorded under its own name', async () => {
  const customer = await lodge.customer()
  const inspected = await admin.must('POST /api/plugins/inspect', {
    body: { source: 'upload', package: packed('words', ['customers.notes']) },
  })
  expect(inspected.permissions).toContainEqual({
    id: 'api:customers.notes',
    words: 'Use the API with the permission: Write notes about customers, which they never see',
  })
  const id = await install(admin, ['customers.notes', 'customers.view', 'audit.view'])
  const notes = `/api/customers/${customer.id}/notes`
  const body = { content: 'Noted' }
  const written = await ask(id, 'POST', notes, { body, key: 'once' })
  expect(written).toMatchObject({ status: 201, body: { content: 'Noted' } })
  expect(await ask(id, 'POST', notes, { body, key: 'once' })).toEqual(written)
  expect((await ask(id, 'GET', notes)).body.items).toHaveLength(1)
  const { items } = await admin.must('GET /api/audit', { query: { limit: 50 } })
  expect(items.find(({ targetId }) => targetId === customer.id)).toMatchObject({
    actor: { kind: 'plugin', tokenId: null },
    detail: { plugin: `Plugin ${id}` },
    action: 'POST /api/customers/{id}/notes',
  })
  const refused = async (method: string, path: string, request = {}) =>
    (await ask(id, method, path, request)).body.code
  expect(await refused('GET', '/api/nodes')).toBe('permission_required')
  expect(await refused('GET', '/api/servers')).toBe('permission_required')
  expect(await refused('GET', '/api/billing')).toBe('forbidden')
  expect(await refused('GET', '/api/auth/sessions')).toBe('forbidden')
  expect(await refused('POST', '/api/tokens', { body: { name: 'x', scopes: ['read'] } })).toBe(
    'forbidden',
  )
  expect(await refused('DELETE', `/api/customers/${customer.id}`)).toBe('forbidden')
  expect(await refused('GET', '/api/audit/export')).toBe('forbidden')
  expect(await refused('GET', '/api/none')).toBe('not_found')
  for (const path of ['/assets/x', '/api/../metrics', '/api/customers/%2e%2e/..\\metrics'])
    expect(await ask(id, 'GET', path)).toEqual({
      thrown: 'api was called with what it does not take',
    })
})

test('a plugin cannot access what belongs to the person who accepted it', async () => {
  const { serverId, ownerId } = await serverOf()
  await lodge.database.pool.query("update users set role = 'admin' where id = $1", [ownerId])
  const id = await install(admin, ['customers.view'])
  await lodge.database.pool.query('update plugins set accepted_by = $1 where id = $2', [
    ...[ownerId, id],
  ])
  await lodge.database.pool.query(
    `update users set permissions = '{customers.view,servers.view}' where id = $1`,
    [ownerId],
  )
  expect(await ask(id, 'GET', '/api/customers?limit=1')).toMatchObject({ status: 200 })
  expect(await ask(id, 'GET', `/api/servers/${serverId}/notes`)).toMatchObject({ status: 404 })
})

test('nobody can accept permissions that they lack, and a plugin loses those that its administrator loses', async () => {
  const some = await lodge.limitedAdmin(['plugins.view', 'plugins.manage', 'customers.view'])
  expect(
    await some.call('POST /api/plugins', { body: upload('too-much', ['nodes.view']) }),
  ).toMatchObject({ status: 403, body: { code: 'permission_required' } })
  expect(
    await admin.call('POST /api/plugins', { body: upload('team', ['team.manage']) }),
  ).toMatchObject({ status: 422, body: { code: 'plugin_not_valid' } })
  const id = await install(some, ['customers.view'])
  const health = () => admin.must('POST /api/plugins/{plugin}/health', at(id))
  expect(await health()).toMatchObject({ ok: true })
  const { pool } = lodge.database
  await pool.query("update users set permissions = '{}' where id = $1", [some.id])
  expect(await health()).toMatchObject({ message: '403 permission_required' })
  await pool.query("update users set state = 'suspended' where id = $1", [some.id])
  expect((await health()).message).toContain('Nobody lets it use the API any more')
})

test('more permissions wait until they are accepted by somebody who has them', async () => {
  const some = await lodge.limitedAdmin(['plugins.view', 'plugins.manage', 'customers.view'])
  const id = await install(some, ['customers.view'])
  const wider = packed(id, ['customers.view', 'nodes.view'], '1.1.0')
  const held = await some.must('POST /api/plugins/{plugin}/update', {
    ...{ ...at(id), body: { package: wider } },
  })
  expect(held).toMatchObject({
    ...{ version: '1.0.0', held: { addedPermissions: [{ id: 'api:nodes.view' }] } },
  })
  expect(await ask(id, 'GET', '/api/nodes')).toMatchObject({
    body: { code: 'permission_required' },
  })
  const accept = { ...at(id), body: { acceptPermissions: true } } as const
  expect(await some.call('POST /api/plugins/{plugin}/update', accept)).toMatchObject({
    body: { code: 'permission_required' },
  })
  await admin.must('POST /api/plugins/{plugin}/update', accept)
  expect(await ask(id, 'GET', '/api/nodes')).toMatchObject({ status: 200 })
})

test('a package that no trusted key signed never acts for whoever accepted the permissions before', async () => {
  const some = await lodge.limitedAdmin(['plugins.view', 'plugins.manage'])
  const packageOf = (id: string, version: string, by?: string) =>
    samplePackage(
      {
        ...{ id, version, kinds: ['event', 'page'], pages: [PAGE as never] },
        permissions: ['pages:administrators', 'api:customers.view'],
      },
      ...([MAIN, by, { 'page.js': '' }] as const),
    ).toString('base64')
  const replaceWith = (by: Caller, id: string, version: string, signer?: string) =>
    by.call('POST /api/plugins/{plugin}/update', {
      ...at(id),
      body: { package: packageOf(id, version, signer), acceptUnsigned: true },
    })
  await admin.must('POST /api/plugins', {
    body: {
      ...{ source: 'upload', package: packageOf('unsigned', '1.0.0') },
      ...{ acceptPermissions: true, acceptUnsigned: true },
    },
  })
  const refused = {
    status: 403,
    body: { code: 'permission_required', permission: 'customers.view' },
  }
  expect(await replaceWith(some, 'unsigned', '1.1.0')).toMatchObject(refused)
  // Not even one by a publisher who is trusted here, but did not make the installed version.
  expect(await replaceWith(some, 'unsigned', '1.1.0', key)).toMatchObject(refused)
  expect((await replaceWith(admin, 'unsigned', '1.1.0', key)).status).toBe(200)
  // The same publisher may go on: any staff who manage plugins update it.
  expect((await replaceWith(some, 'unsigned', '1.2.0', key)).status).toBe(200)
  expect(await ask('unsigned', 'GET', '/api/customers?limit=1')).toMatchObject({ status: 200 })
  // Nor does a version that comes back: whoever returns to it accepts it.
  await admin.must('POST /api/plugins', {
    body: {
      ...{ source: 'upload', package: packageOf('returns', '1.0.0') },
      ...{ acceptPermissions: true, acceptUnsigned: true },
    },
  })
  expect((await replaceWith(admin, 'returns', '1.1.0', key)).status).toBe(200)
  const goBack = (by: Caller) => by.call('POST /api/plugins/{plugin}/rollback', at('returns'))
  expect(await goBack(some)).toMatchObject(refused)
  expect(await goBack(admin)).toMatchObject({ status: 200, body: { version: '1.0.0' } })
})

test('the crash notes that come with Lodge are about the owner of a server', async () => {
  const { serverId, ownerId } = await serverOf()
  const id = 'event-crash-notes'
  await admin.must('POST /api/plugins', {
    body: { source: 'bundled', id, acceptPermissions: true },
  })
  await admin.must('PUT /api/plugins/{plugin}/settings', {
    ...{ ...at(id), body: { settings: { times: 2 } } },
  })
  const theirs = { package: packed(id, [], '99.0.0'), acceptUnsigned: true }
  const replaced = await admin.call('POST /api/plugins/{plugin}/update', {
    ...{ ...at(id), body: theirs },
  })
  expect(replaced).toMatchObject({
    ...{ status: 409, body: { detail: expect.stringContaining('came with the panel') } },
  })
  const { database, controlPlane } = lodge
  const { services } = controlPlane
  expect(await admin.must('POST /api/plugins/{plugin}/health', at(id))).toMatchObject({ ok: true })
  const ctx = contextFor(services, { kind: 'system' })
  const crash = { serverId, serverName: 'lobby', people: [], reason: 'Out of memory' }
  const notes = async () =>
    (await admin.must('GET /api/customers/{id}/notes', { params: { id: ownerId }, query: {} }))
      .items
  // The panel reports it automatically, too.
  const crashes = async () => {
    await ctx.transaction((ctx) => ctx.emit('server.gave_up', crash))
    await tellPlugins.run(services)
    await expect
      .poll(async () => (await database.pool.query('select from plugin_deliveries')).rows)
      .toEqual([])
  }
  await crashes()
  expect(await notes()).toEqual([])
  await crashes()
  expect(await notes()).toMatchObject([{ content: expect.stringContaining('lobby crashed') }])
})

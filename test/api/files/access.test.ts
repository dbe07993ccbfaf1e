import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { reachNow } from '../../../control-plane/src/domains/files/reach-now.ts'
import type { Caller } from '../../support/caller.ts'
import { share } from '../support/share.ts'
import { at, type FileWorld, fileWorld, putting } from './world.ts'

let world: FileWorld
let serverId: string
let owner: Caller
let reader: Caller
beforeAll(async () => {
  world = await fileWorld()
  ;({ serverId, owner } = world)
  reader = await world.lodge.customer()
  await share(world.lodge, serverId, owner, reader, ['files.read'])
  await writeFile(path.join(world.folder, 'open.txt'), 'open')
})
beforeEach(() => world.lodge.database.pool.query('truncate rate_limits'))
afterAll(() => world?.[Symbol.asyncDispose]())

/** Status, code and detail of the response to a request. */
async function outcome(caller: Caller, request: Parameters<Caller['send']>[0]) {
  const { statusCode, body, headers } = await caller.send(request)
  const { code, detail } = body.startsWith('{') ? JSON.parse(body) : { code: '', detail: '' }
  return { status: statusCode, code, detail, headers }
}
const listing = (id = serverId) => ({ url: at(id, '', { path: '/' }) })
const reading = (file: string) => ({ url: at(serverId, '/content', { path: file }) })
const change = (verb: string, payload: object, id = serverId) => ({
  method: 'POST' as const,
  url: at(id, `/${verb}`),
  payload,
})
/** One request for each kind of change. */
const CHANGES = [
  putting('SERVER', '/new.txt', 'new'),
  change('mkdir', { path: '/new' }, 'SERVER'),
  change('rename', { moves: [{ from: '/open.txt', to: '/new.txt' }] }, 'SERVER'),
  change('chmod', { paths: ['/open.txt'], mode: '0777' }, 'SERVER'),
  change('copy', { copies: [{ from: '/open.txt', to: '/new.txt' }] }, 'SERVER'),
  change('delete', { paths: ['/open.txt'] }, 'SERVER'),
  change('bin/restore', { ids: [randomUUID()] }, 'SERVER'),
  change('bin/delete', { ids: [randomUUID()] }, 'SERVER'),
  change('archive', { paths: ['/open.txt'], to: '/new.zip', format: 'zip' }, 'SERVER'),
  change('extract', { path: '/open.zip', to: '/new' }, 'SERVER'),
  change('pull', { url: 'https://example.com/a.jar', to: '/a.jar' }, 'SERVER'),
  {
    method: 'POST' as const,
    url: at('SERVER', '/uploads'),
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '5',
      'upload-metadata': `path ${Buffer.from('/new.txt').toString('base64')}`,
    },
  },
]
const changesOf = (id: string) =>
  CHANGES.map((request) => ({ ...request, url: request.url.replace('SERVER', id) }))

test('B1: a person who may only read is told the missing permission, and who grants it', async () => {
  expect((await outcome(reader, listing())).status).toBe(200)
  for (const request of changesOf(serverId)) {
    const { status, code, detail } = await outcome(reader, request)
    expect([status, code], request.url).toEqual([403, 'permission_required'])
    expect(detail).toMatch(/^This needs the permission files\.\w+ on the server; its owner can/)
  }
})

test('C5: a collaborator’s folder rules apply to every access to a file', async () => {
  const editor = await world.lodge.customer()
  await share(world.lodge, serverId, owner, editor, ['files.read', 'files.write', 'files.delete'])
  await owner.must('POST /api/servers/{id}/files/mkdir', {
    params: { id: serverId },
    body: { path: '/secrets' },
  })
  await writeFile(path.join(world.folder, 'secrets/key.txt'), 'very secret')
  await world.lodge.database.pool.query(
    `update server_collaborators set files = '[{"path":"/secrets","access":"none"}]' where user_id = $1`,
    [editor.id],
  )
  const forbidden = [
    reading('/secrets/key.txt'),
    { url: at(serverId, '', { path: '/secrets' }) },
    { url: at(serverId, '/stat', { path: '/secrets/key.txt' }) },
    { url: at(serverId, '/space', { path: '/secrets' }) },
    putting(serverId, '/secrets/key.txt', 'mine'),
    change('copy', { copies: [{ from: '/secrets/key.txt', to: '/key.txt' }] }),
    change('rename', { moves: [{ from: '/secrets', to: '/mine' }] }),
    change('delete', { paths: ['/secrets/key.txt'] }),
  ]
  for (const request of forbidden) {
    const { status, code } = await outcome(editor, request)
    expect([403, 404], `${request.url} ${code}`).toContain(status)
  }
  const { items } = await editor.must('GET /api/servers/{id}/files', {
    params: { id: serverId },
    query: {},
  })
  expect(items.map(({ name }) => name)).not.toContain('secrets')
  const found = await editor.must('POST /api/servers/{id}/files/search', {
    params: { id: serverId },
    body: { content: 'very secret' },
  })
  expect(found.items).toEqual([])
  const space = await editor.must('GET /api/servers/{id}/files/space', {
    params: { id: serverId },
    query: {},
  })
  expect(JSON.stringify(space)).not.toContain('secrets')
  const { rawPayload } = await editor.send({
    url: at(serverId, '/download', { path: '/', format: 'zip' }),
  })
  expect(rawPayload.includes('key.txt')).toBe(false)
})

test('B2: the files of a suspended server can be read, but changed only by the host', async () => {
  const id = await world.another()
  const { admin } = world
  await writeFile(path.join(world.folderOf(id), 'open.txt'), 'open')
  const body = { action: 'suspend' } as const
  await admin.must('POST /api/servers/{id}/actions', { params: { id }, body })
  expect((await outcome(owner, listing(id))).status).toBe(200)
  for (const request of changesOf(id)) {
    const { status, code, detail } = await outcome(owner, request)
    expect([status, code], request.url).toEqual([409, 'hold_active'])
    expect(detail).toBe('The server is suspended: its files can only be read')
  }
  expect((await outcome(admin, putting(id, '/rules.txt', 'host'))).status).toBe(200)
})

test('files can only be read, by the host as well, as long as the server changes its storage', async () => {
  const id = await world.another()
  const { pool } = world.lodge.database
  await writeFile(path.join(world.folderOf(id), 'open.txt'), 'open')
  await pool.query(
    `insert into jobs (id, kind, title, state, server_id, input, steps)
     values (gen_random_uuid(), 'server.storage', 'Job', 'running', $1, '{}', '[]')`,
    [id],
  )
  const { services } = world.lodge.controlPlane
  const mayNow = async () => await reachNow(services.db, id, owner.id, false)
  expect((await outcome(owner, listing(id))).status).toBe(200)
  expect(await mayNow()).toMatchObject({ may: ['read'] })
  for (const request of changesOf(id)) {
    const { status, code, detail } = await outcome(owner, request)
    expect([status, code], request.url).toEqual([409, 'hold_active'])
    expect(detail).toBe('The server is moving to another place: wait for it')
  }
  expect((await outcome(world.admin, putting(id, '/new.txt', 'new'))).code).toBe('hold_active')
  await pool.query('update jobs set ended_at = now() where server_id = $1', [id])
  expect(await mayNow()).toMatchObject({ may: ['read', 'write', 'delete'] })
  expect((await outcome(owner, putting(id, '/new.txt', 'new'))).status).toBe(200)
})

test('a virtual machine, a node without the capability and an unreachable node are each reported as the cause', async () => {
  const { lodge, node } = world
  const { pool } = lodge.database
  const machineId = await world.another()
  await pool.query(
    `update servers set kind = 'vm', template_id = null, template_version = null where id = $1`,
    [machineId],
  )
  const machine = await outcome(owner, listing(machineId))
  expect([machine.status, machine.code]).toEqual([409, 'unsupported_on_node'])
  expect(machine.detail).toContain('virtual machine')
  const id = await world.another()
  await pool.query(`update nodes set capabilities = '{abilities}' where id = $1`, [node.id])
  const lacking = await outcome(owner, listing(id))
  expect([lacking.status, lacking.code]).toEqual([409, 'unsupported_on_node'])
  expect(lacking.detail).toContain('gives no access to files')
  await pool.query(`update nodes set capabilities = '{}' where id = $1`, [node.id])
  const away = await lodge.joinedNode()
  await pool.query('update servers set node_id = $1 where id = $2', [away.id, id])
  const offline = await outcome(owner, listing(id))
  expect([offline.status, offline.code]).toEqual([503, 'node_unavailable'])
  expect(Number(offline.headers['retry-after'])).toBeGreaterThan(0)
})

test('K1: no API token has access to files', async () => {
  const { secret } = await world.admin.must('POST /api/tokens', {
    body: { name: 'Files', scopes: ['read', 'provision', 'suspend'] },
  })
  const headers = { authorization: `Bearer ${secret}` }
  for (const request of [listing(), ...changesOf(serverId)]) {
    const { status, code } = await outcome(world.lodge.anonymous(), { ...request, headers })
    expect([status, code], request.url).toEqual([403, 'token_not_allowed'])
  }
})

test('N1: a node’s response is never forwarded as HTTP', async () => {
  const id = await world.another()
  const { fleet } = world.lodge.controlPlane.services
  const strange = await fleet
    .callNode({
      nodeId: world.node.id,
      serverId: id,
      kind: 'files',
      userKey: owner.id,
      writes: false,
      long: false,
      method: 'GET',
      path: '/v1/nothing',
      headers: {},
      timeoutMs: 5_000,
      gone: new AbortController().signal,
    })
    .then(({ status, body }) => {
      body.resume()
      return status
    })
  expect(strange).toBe(400)
  const { headers } = await owner.send(reading('/open.txt'))
  expect(Object.keys(headers).sort()).toEqual([
    'accept-ranges',
    'cache-control',
    'connection',
    'content-disposition',
    'content-length',
    'content-security-policy',
    'content-type',
    'cross-origin-resource-policy',
    'date',
    'etag',
    'last-modified',
    'referrer-policy',
    'x-content-type-options',
    'x-request-id',
  ])
})

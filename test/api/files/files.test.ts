import { readFile, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { at, type FileWorld, fileWorld, putting } from './world.ts'

let world: FileWorld
let owner: Caller
let serverId: string
beforeAll(async () => {
  world = await fileWorld()
  ;({ owner, serverId } = world)
})
afterAll(() => world?.[Symbol.asyncDispose]())

const on = (name: string) => path.join(world.folder, name)
const params = () => ({ params: { id: serverId } })
const read = (file: string, more: Record<string, string> = {}, headers = {}) =>
  owner.send({ url: at(serverId, '/content', { path: file, ...more }), headers })

test('a file that is written is on the node, listed, and read as it was sent', async () => {
  const content = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7) % 256))
  const wrote = await owner.send(putting(serverId, '/world/level.dat', content))
  expect([wrote.statusCode, wrote.json()]).toEqual([
    200,
    expect.objectContaining({ path: '/world/level.dat', kind: 'file', sizeBytes: 100_000 }),
  ])
  expect(wrote.headers.etag).toBe(`"${wrote.json().etag}"`)
  expect(await readFile(on('world/level.dat'))).toEqual(content)
  const listed = await owner.must('GET /api/servers/{id}/files', {
    ...params(),
    query: { path: '/world' },
  })
  expect(listed.items.map(({ name }) => name)).toEqual(['level.dat'])
  const got = await read('/world/level.dat')
  expect(got.rawPayload).toEqual(content)
  expect(got.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': '100000',
    'content-disposition': expect.stringContaining('attachment; filename="level.dat"'),
    'x-content-type-options': 'nosniff',
    etag: wrote.headers.etag,
  })
  expect(got.headers['content-encoding']).toBeUndefined()
})

test('a change based on a version replaced meanwhile is refused', async () => {
  const first = await owner.send(putting(serverId, '/motd.txt', 'one', { 'if-none-match': '*' }))
  const { etag = '' } = first.headers
  const write = async (text: string, condition: Record<string, string>) => {
    const { statusCode, json } = await owner.send(putting(serverId, '/motd.txt', text, condition))
    return [statusCode, json().code]
  }
  expect(await write('two', { 'if-match': String(etag) })).toEqual([200, undefined])
  expect(await write('three', { 'if-match': String(etag) })).toEqual([412, 'file_changed'])
  expect(await write('three', { 'if-none-match': '*' })).toEqual([409, 'file_exists'])
  expect(await write('three', { 'if-match': 'W/"weak"' })).toEqual([400, 'validation_failed'])
  expect(await readFile(on('motd.txt'), 'utf8')).toBe('two')
})

test('part of a file can be requested, and an unchanged version is not sent again', async () => {
  await writeFile(on('log.txt'), '0123456789')
  const part = await read('/log.txt', {}, { range: 'bytes=2-4' })
  expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([
    206,
    '234',
    'bytes 2-4/10',
  ])
  const etag = String(part.headers.etag)
  expect((await read('/log.txt', {}, { 'if-none-match': etag })).statusCode).toBe(304)
  const continued = { range: 'bytes=8-', 'if-range': etag }
  expect((await read('/log.txt', {}, continued)).body).toBe('89')
  await writeFile(on('log.txt'), 'abcdefghijk')
  expect((await read('/log.txt', {}, continued)).body).toBe('abcdefghijk')
  const beyond = await read('/log.txt', {}, { range: 'bytes=50-60' })
  expect([beyond.statusCode, beyond.json().code]).toEqual([416, 'invalid_range'])
})

test('C7: no file of a server is executed in the panel', async () => {
  for (const [name, shown] of [
    ['page.html', 'text/plain; charset=utf-8'],
    ['drawing.svg', 'text/plain; charset=utf-8'],
    ['picture.PNG', 'image/png'],
    ['no "quotes"\r\nx: y.txt', 'text/plain; charset=utf-8'],
  ] as const) {
    await writeFile(on(name), '<script>alert(1)</script>')
    const saved = await read(`/${name}`)
    expect(saved.headers['content-type'], name).toBe('application/octet-stream')
    expect(saved.headers['content-disposition'], name).toMatch(
      /^attachment; filename="[ !#-[\]-~]+"; filename\*=UTF-8''[\w.%-]+$/,
    )
    const { headers } = await read(`/${name}`, { preview: 'true' })
    expect(headers['content-type'], name).toBe(shown)
    for (const one of [saved.headers, headers])
      expect(one, name).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox'),
      })
  }
})

test('files are renamed, copied, given permissions and deleted', async () => {
  await writeFile(on('a.txt'), 'a')
  const renamed = await owner.must('POST /api/servers/{id}/files/rename', {
    ...params(),
    body: { moves: [{ from: '/a.txt', to: '/moved/b.txt' }] },
  })
  expect(renamed.items.map((entry) => entry.path)).toEqual(['/moved/b.txt'])
  const copied = await owner.call('POST /api/servers/{id}/files/copy', {
    ...params(),
    body: { copies: [{ from: '/moved/b.txt', to: '/c.txt' }] },
  })
  expect([copied.status, await readFile(on('c.txt'), 'utf8')]).toEqual([200, 'a'])
  await owner.must('POST /api/servers/{id}/files/chmod', {
    ...params(),
    body: { paths: ['/c.txt'], mode: '0600' },
  })
  expect((await stat(on('c.txt'))).mode & 0o777).toBe(0o600)
  await owner.must('POST /api/servers/{id}/files/delete', {
    ...params(),
    body: { paths: ['/moved', '/c.txt'] },
  })
  await expect(stat(on('moved'))).rejects.toThrow('ENOENT')
  const { items } = await world.admin.must('GET /api/servers/{id}/activity', {
    ...params(),
    query: {},
  })
  const words = items.map(({ what }) => what)
  expect(words).toEqual(
    expect.arrayContaining([
      'renamed /a.txt to /moved/b.txt on One',
      'copied /moved/b.txt to /c.txt on One',
      'changed the permissions of /c.txt on One',
      'deleted /moved and 1 more on One',
    ]),
  )
})

test('files are found by name and contents', async () => {
  await writeFile(on('settings.yml'), 'max-players: 20\nmotd: hello')
  const found = await owner.must('POST /api/servers/{id}/files/search', {
    ...params(),
    body: { name: '*.yml', content: 'MOTD' },
  })
  expect(found).toEqual({
    items: [
      { entry: expect.objectContaining({ path: '/settings.yml' }), line: 2, text: 'motd: hello' },
    ],
    truncated: false,
  })
})

test('what takes the space of the files is shown, folder by folder, unless the agent is of before', async () => {
  await owner.must('POST /api/servers/{id}/files/mkdir', { ...params(), body: { path: '/heavy' } })
  await writeFile(on('heavy/world.dat'), Buffer.alloc(2_000_000, 1))
  const space = () =>
    owner.call('GET /api/servers/{id}/files/space', { ...params(), query: { path: '/heavy' } })
  const { body } = await space()
  expect(body.items.map(({ entry }) => entry.path)).toEqual(['/heavy/world.dat'])
  expect(body.bytes).toBeGreaterThanOrEqual(2_000_000)
  const able = (change: string) =>
    world.lodge.database.pool.query(
      `update nodes set capabilities = ${change}(capabilities, 'agent.files-space')`,
    )
  await able('array_remove')
  const refused = await space()
  await able('array_append')
  expect(refused).toMatchObject({ status: 409, body: { code: 'unsupported_on_node' } })
})

test('several files and folders are downloaded as one archive', async () => {
  await owner.must('POST /api/servers/{id}/files/mkdir', { ...params(), body: { path: '/maps' } })
  await writeFile(on('maps/one.map'), 'map')
  await writeFile(on('readme.md'), 'read me')
  const query = new URLSearchParams([
    ['path', '/maps'],
    ['path', '/readme.md'],
    ['format', 'tar.gz'],
  ])
  const { statusCode, headers, rawPayload } = await owner.send({
    url: `/api/servers/${serverId}/files/download?${query}`,
  })
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/gzip'])
  expect(headers['content-disposition']).toContain('filename="One.tar.gz"')
  const tar = gunzipSync(rawPayload).toString('latin1')
  for (const part of ['maps/one.map', 'readme.md', 'read me']) expect(tar).toContain(part)
})

test('C5: a link that leads out of the server is not followed', async () => {
  await symlink('/etc/passwd', on('passwd'))
  const { statusCode, json } = await read('/passwd')
  expect([statusCode, json().code]).not.toContain(200)
  for (const file of ['/../etc/passwd', '//etc/passwd', '/a/./b', 'etc/passwd', '/a/', ''])
    expect((await read(file)).json().code, file).toBe('validation_failed')
})

test('listings share one connection to the node', async () => {
  const id = await world.another()
  const { fleet } = world.lodge.controlPlane.services
  const before = fleet.metrics().connections
  for (let time = 0; time < 5; time++)
    await owner.must('GET /api/servers/{id}/files', { params: { id }, query: {} })
  expect(fleet.metrics().connections - before).toBe(1)
})

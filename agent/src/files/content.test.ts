import { once } from 'node:events'
import {
  chmod,
  link,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import http from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { runProgram } from '@lodge/driver/run-program.ts'
import { Entry, FileList, FileSpace, fileHeaders } from '@lodge/shared/files.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FileFixture, SERVER, UID } from './testing/file-fixture.ts'

let files: FileFixture
beforeAll(async () => {
  files = await FileFixture.open()
})
afterAll(() => files.close())

test('a file is written whole, keeps its permissions and is read in ranges', async () => {
  const made = await files.put('/config/server.properties', 'motd=hello\n')
  expect(made.json).toMatchObject({ path: '/config/server.properties', kind: 'file', mode: '0644' })
  const place = join(files.data, 'config/server.properties')
  await chmod(place, 0o640)
  expect((await files.put('/config/server.properties', 'motd=hi there\n')).status).toBe(200)
  expect((await stat(place)).mode & 0o777).toBe(0o640)
  const part = await files.get('/config/server.properties', { headers: { range: 'bytes=5-6' } })
  expect(part).toMatchObject({ status: 206 })
  expect(part.bytes.toString()).toBe('hi')
  expect(part.headers['content-range']).toBe('bytes 5-6/14')
  const end = await files.get('/config/server.properties', { headers: { range: 'bytes=-6' } })
  expect(end.bytes.toString()).toBe('there\n')
  const beyond = await files.get('/config/server.properties', { headers: { range: 'bytes=99-' } })
  expect(beyond).toMatchObject({ status: 416, json: { code: 'invalid_range' } })
})

test('a file that changed since it was read is not overwritten', async () => {
  const first = Entry.parse((await files.put('/edit', 'one')).json)
  await writeFile(join(files.data, 'edit'), 'by the server')
  const headers = { 'if-match': `"${first.etag}"` }
  const refused = await files.put('/edit', 'two', { headers })
  expect(refused).toMatchObject({ status: 412, json: { code: 'file_changed' } })
  expect(await readFile(join(files.data, 'edit'), 'utf8')).toBe('by the server')
  const { headers: now } = await files.get('/edit')
  expect((await files.put('/edit', 'two', { headers: { 'if-match': now.etag } })).status).toBe(200)
  const taken = await files.put('/edit', 'x', { headers: { 'if-none-match': '*' } })
  expect(taken).toMatchObject({ status: 409, json: { code: 'file_exists' } })
})

test('a link is followed within the server and nowhere else', async () => {
  await symlink('edit', join(files.data, 'inner'))
  await symlink('/etc/passwd', join(files.data, 'outer'))
  await symlink('../../../../etc', join(files.data, 'up'))
  await files.put('/inner', 'through the link')
  expect(await readFile(join(files.data, 'edit'), 'utf8')).toBe('through the link')
  expect((await files.get('/outer')).json).toMatchObject({ code: 'file_forbidden' })
  expect((await files.get('/up/passwd')).json).toMatchObject({ code: 'file_forbidden' })
  expect((await files.put('/outer', 'x')).json).toMatchObject({ code: 'file_forbidden' })
  expect((await files.list('/up')).json).toMatchObject({ code: 'file_forbidden' })
  const { json } = await files.list('/')
  const names = Object.fromEntries(FileList.parse(json).items.map((item) => [item.name, item]))
  expect(names.inner).toMatchObject({ kind: 'link', target: 'edit', targetKind: 'file' })
  expect(names.outer).not.toHaveProperty('targetKind')
  expect(Object.keys(names)).not.toContain('.lodge')
  expect((await files.list('/.lodge')).status).toBe(404)
  for (const path of ['relative', '/a/../b', '/a//b', '/a/', '/\0'])
    expect((await files.get(path)).json).toMatchObject({ code: 'invalid_path' })
})

test('a large file arrives as it is, and one that shrinks on its way is cut off, not waited for', async () => {
  const bytes = Buffer.alloc(5 * 1024 * 1024 + 7)
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) bytes.writeUInt32LE(at, at)
  const place = join(files.data, 'large')
  await writeFile(place, bytes)
  expect((await files.get('/large')).bytes.equals(bytes)).toBe(true)
  const range = { headers: { range: 'bytes=1000001-3000003' } }
  const part = (await files.get('/large', range)).bytes
  expect(part.equals(bytes.subarray(1_000_001, 3_000_004))).toBe(true)
  await truncate(place, 64 * 1024 * 1024)
  const { response } = await begun('/large')
  await truncate(place, 10)
  await expect(buffer(response)).rejects.toThrow('aborted')
})

test('what takes the space of a folder is named with all that is in it, the largest first', async () => {
  const on = (path: string) => join(files.data, 'space', path)
  await mkdir(on('world/region'), { recursive: true })
  await mkdir(on('logs'))
  await mkdir(on('elsewhere'))
  await writeFile(on('world/region/large'), Buffer.alloc(3_000_000, 1))
  await writeFile(on('world/small'), Buffer.alloc(100_000, 1))
  await link(on('world/region/large'), on('logs/the-same'))
  await writeFile(on('logs/log'), Buffer.alloc(1_000_000, 1))
  await truncate(on('logs/log'), 1_000_000_000)
  await symlink(files.folder, on('out'))
  const isRoot = process.getuid?.() === 0
  await files.killHelper()
  if (isRoot) await runProgram('mount', ['-t', 'tmpfs', 'tmpfs', on('elsewhere')])
  try {
    await writeFile(on('elsewhere/other'), Buffer.alloc(isRoot ? 9_000_000 : 0, 1))
    const space = async (path: string) =>
      (await files.ask('GET', `/v1/space?path=${encodeURIComponent(path)}`)).json
    const found = FileSpace.parse(await space('/space'))
    expect(found.items.slice(0, 2).map(({ entry }) => entry.path)).toEqual([
      // Both names count once, and a hole counts nothing.
      ...['/space/logs', '/space/world'],
    ])
    expect(found.items.map(({ entry }) => entry.name)).toEqual(expect.arrayContaining(['out']))
    expect(found.files.slice(0, 3).map(({ entry }) => entry.path)).toEqual([
      ...['/space/logs/the-same', '/space/logs/log', '/space/world/small'],
    ])
    const [largest] = found.items
    expect(largest?.bytes).toBeGreaterThan(4_000_000)
    expect(found.bytes).toBeLessThan(4_300_000)
    expect([found.others, found.truncated]).toEqual([{ count: 0, bytes: 0 }, false])
    expect(FileSpace.parse(await space('/space/world/region')).bytes).toBeGreaterThan(2_900_000)
    expect(await space('/space/out')).toMatchObject({ code: 'not_a_folder' })
    expect(await space('/space/none')).toMatchObject({ code: 'file_not_found' })
    expect(await space('/.lodge')).toMatchObject({ code: 'file_not_found' })
  } finally {
    await files.killHelper()
    if (isRoot) await runProgram('umount', [on('elsewhere')])
  }
})

test('a download that is hung up leaves no file open', async () => {
  await writeFile(join(files.data, 'left'), '')
  await truncate(join(files.data, 'left'), 64 * 1024 * 1024)
  const hangUp = async (_: unknown, index: number) => {
    const { socket, response } = await begun('/left')
    response.on('error', () => {})
    await once(response, 'data')
    if (index % 2 === 0) socket.destroy()
    // It goes on reading until the helper ends as well.
    else socket.end()
  }
  await Promise.all(Array.from({ length: 20 }, hangUp))
  await expect.poll(() => openIn('/left')).toBe(0)
})

async function begun(path: string) {
  const socket = await files.helpers.connect(SERVER)
  const request = http.get({
    createConnection: () => socket,
    path: `/v1/content?path=${path}`,
    headers: fileHeaders([], ['read']),
  })
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  return { socket, response }
}

/** How often the helper has the file open. */
async function openIn(path: string): Promise<number> {
  let count = 0
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (!command.includes('files/helper.ts') || !command.includes(String(UID))) continue
    const fds = await readdir(`/proc/${pid}/fd`).catch(() => [])
    const places = fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''))
    count += (await Promise.all(places)).filter((place) => place.endsWith(path)).length
  }
  return count
}

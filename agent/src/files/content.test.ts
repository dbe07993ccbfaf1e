import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Entry, FileList } from '@lodge/shared/files.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FileFixture } from './testing/file-fixture.ts'

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

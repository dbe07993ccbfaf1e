import { execFileSync } from 'node:child_process'
import { lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BinDeleted, BinList, BinRestored } from '@lodge/shared/deleted-files.ts'
import { FileUsage } from '@lodge/shared/files.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Asking, FileFixture } from './testing/file-fixture.ts'

let files: FileFixture
beforeEach(async () => {
  files = await FileFixture.open()
})
afterEach(() => files.close())

const MIB = 1024 * 1024
const BY = '7d4f0c52-2a3f-4f6c-9a52-0d3b8f1d6c11'

const post = (path: string, document: object, asking: Asking = {}) =>
  files.ask('POST', `/v1/bin${path}`, { ...asking, body: JSON.stringify(document) })
const remove = (paths: readonly string[], more: object = {}, asking: Asking = {}) =>
  post('', { paths, by: BY, days: 7, otherwise: 'refuse', ...more }, asking)
const restore = (ids: readonly string[], asking: Asking = {}) => post('/restore', { ids }, asking)
async function removed(...paths: string[]): Promise<string> {
  return BinDeleted.parse((await remove(paths)).json).deletionId ?? 'none'
}
async function list(asking: Asking = {}) {
  return BinList.parse((await files.ask('GET', '/v1/bin', asking)).json)
}
const paths = async (asking: Asking = {}) => (await list(asking)).items.map(({ path }) => path)
const text = async (path: string) => (await files.get(path)).bytes.toString()
/** In MiB: what a record takes is less. */
async function usage() {
  const { json } = await files.ask('GET', '/v1/usage?bin')
  const { usedBytes, binBytes } = FileUsage.parse(json)
  return { used: Math.floor((usedBytes ?? 0) / MIB), bin: Math.floor((binBytes ?? 0) / MIB) }
}

test('what was deleted comes back whole where it was, with everything it was', async () => {
  await files.put('/world/region/one', 'one')
  await files.put('/plugins/a.jar', 'a jar')
  await files.do({ do: 'chmod', paths: ['/plugins/a.jar'], mode: '750' })
  await symlink('../plugins/a.jar', join(files.data, 'world/link'))
  await files.do({ do: 'chmod', paths: ['/world'], mode: '555' })
  const { ino } = await lstat(join(files.data, 'world/region/one'))
  const id = await removed('/world', '/plugins/a.jar')
  expect((await files.list('/world')).status).toBe(404)
  const { items, usedBytes } = await list()
  expect(items).toMatchObject([
    { id: `${id}.0`, path: '/world', kind: 'folder', by: BY },
    { id: `${id}.1`, path: '/plugins/a.jar', kind: 'file', sizeBytes: 5, by: BY },
  ])
  expect(usedBytes).toBeGreaterThan(7)
  // Nothing of it is found at its place, in a list, by a search or in an archive.
  expect(
    (
      await files.ask('POST', '/v1/search', { body: '{"path":"/","content":"a jar"}' })
    ).bytes.toString(),
  ).not.toContain('.jar')
  const { json } = await restore([id])
  expect(BinRestored.parse(json).items.map(({ entry }) => entry.path)).toEqual([
    '/world',
    '/plugins/a.jar',
  ])
  const there = await lstat(join(files.data, 'world'))
  expect([there.mode & 0o777, (await lstat(join(files.data, 'world/region/one'))).ino]).toEqual([
    0o555,
    ino,
  ])
  expect((await lstat(join(files.data, 'plugins/a.jar'))).mode & 0o777).toBe(0o750)
  expect(await readlink(join(files.data, 'world/link'))).toBe('../plugins/a.jar')
  expect(await list()).toEqual({ items: [], nextAfter: null, usedBytes: 0 })
  expect(await readdir(join(files.data, '.lodge/bin'))).toEqual([])
})

test('one entry comes back alone, and the folders above it are made again', async () => {
  await files.put('/a/b/one.txt', '1')
  await files.put('/a/b/two.txt', '2')
  const id = await removed('/a/b/one.txt', '/a/b/two.txt')
  const whole = await removed('/a')
  await restore([`${id}.1`])
  expect([await text('/a/b/two.txt'), (await files.get('/a/b/one.txt')).status]).toEqual(['2', 404])
  // A folder whose name is in use again comes beside it.
  const { items } = BinRestored.parse((await restore([whole])).json)
  expect(items).toMatchObject([{ path: '/a', entry: { path: '/a (restored)' } }])
  expect(await paths()).toEqual(['/a/b/one.txt'])
})

test('nothing is replaced: what has its name taken comes back under another one', async () => {
  for (const version of ['first', 'second', 'third']) {
    await files.put('/server.tar.gz', version)
    await removed('/server.tar.gz')
  }
  await files.put('/server.tar.gz', 'now')
  const { items } = await list()
  for (const { id } of items.toReversed()) await restore([id])
  expect(await text('/server.tar.gz')).toBe('now')
  expect(await text('/server (restored).tar.gz')).toBe('first')
  expect(await text('/server (restored 3).tar.gz')).toBe('third')
})

test('what is deleted for good or emptied is gone, and its space with it', async () => {
  files.facts = { limitBytes: 100 * MIB, usedBytes: 0 }
  for (const name of ['one', 'two', 'three']) {
    await files.put(`/${name}`, Buffer.alloc(MIB, name))
    await removed(`/${name}`)
  }
  expect(await usage()).toEqual({ used: 3, bin: 3 })
  const [first] = (await list()).items
  expect((await post('/delete', { ids: [first?.id] })).json).toEqual({
    items: [{ path: '/three' }],
  })
  expect([await paths(), await usage()]).toEqual([['/two', '/one'], { used: 2, bin: 2 }])
  expect((await restore([first?.id ?? ''])).json).toMatchObject({ code: 'file_not_found' })
  expect((await post('/empty', {})).json).toMatchObject({
    items: [{ path: '/two' }, { path: '/one' }],
  })
  expect([await paths(), await usage()]).toEqual([[], { used: 0, bin: 0 }])
})

test('the rules of a person hold for where a deleted file was', async () => {
  for (const path of ['/secrets/key', '/config/a.yml', '/maps/secret/b', '/open.txt'])
    await files.put(path, path)
  const id = await removed('/secrets/key', '/config/a.yml', '/maps', '/open.txt')
  const asking: Asking = {
    rules: [
      { path: '/secrets', access: 'none' },
      { path: '/config', access: 'read' },
      { path: '/maps/secret', access: 'none' },
    ],
  }
  // A folder with something closed in it is closed as a whole.
  expect(await paths(asking)).toEqual(['/config/a.yml', '/open.txt'])
  const refused = async (index: number, work: 'restore' | 'delete', more: Asking = asking) => {
    const { json } = await post(`/${work}`, { ids: [`${id}.${index}`] }, more)
    return (json as { code: string }).code
  }
  for (const work of ['restore', 'delete'] as const) {
    expect(await refused(0, work)).toBe('file_not_found')
    expect(await refused(1, work)).toBe('file_forbidden')
    expect(await refused(2, work)).toBe('file_not_found')
  }
  expect(await refused(3, 'restore', { may: ['read', 'delete'] })).toBe('file_forbidden')
  expect(await refused(3, 'delete', { may: ['read', 'write'] })).toBe('file_forbidden')
  expect((await remove(['/none'], {}, { may: ['read', 'write'] })).json).toMatchObject({
    code: 'file_forbidden',
  })
  // Emptying takes what this person may delete, and leaves the rest.
  await post('/empty', {}, asking)
  expect(await paths()).toEqual(['/secrets/key', '/config/a.yml', '/maps'])
})

test('what was kept long enough is deleted, also when no helper ran meanwhile', async () => {
  await files.put('/old', 'old')
  await files.put('/new', 'new')
  const old = await removed('/old')
  await removed('/new')
  const record = join(files.data, '.lodge/bin', old, 'deletion.json')
  const written = await readFile(record, 'utf8')
  await writeFile(record, written.replace(/"keptUntil":"\d+/, '"keptUntil":"2001'))
  await files.killHelper()
  await expect.poll(() => paths()).toEqual(['/new'])
  await expect.poll(() => readdir(join(files.data, '.lodge/bin'))).toHaveLength(1)
})

test('a write never fails for the bin: the oldest go first', async () => {
  files.facts = { limitBytes: 20 * MIB, usedBytes: 12 * MIB }
  for (const name of ['one', 'two']) {
    await files.put(`/${name}`, Buffer.alloc(2 * MIB, name))
    await removed(`/${name}`)
  }
  expect(await usage()).toEqual({ used: 16, bin: 4 })
  expect((await files.put('/big', Buffer.alloc(5 * MIB, 'b'))).status).toBe(200)
  expect([await paths(), await usage()]).toEqual([['/two'], { used: 19, bin: 2 }])
  expect((await files.put('/more', Buffer.alloc(4 * MIB, 'm'))).json).toMatchObject({
    code: 'disk_full',
  })
  // For what does not fit anyway, nothing is given up.
  expect(await paths()).toEqual(['/two'])
})

test('files that the bin has no room for are refused, or deleted at once by whoever says so', async () => {
  files.facts = { limitBytes: 20 * MIB, usedBytes: 0 }
  await files.put('/large/file', Buffer.alloc(6 * MIB, 'l'))
  const refused = await remove(['/large'])
  expect([refused.status, refused.json]).toMatchObject([409, { code: 'too_large_for_bin' }])
  expect((await files.list('/large')).status).toBe(200)
  const gone = await remove(['/large'], { otherwise: 'delete' })
  expect([gone.json, (await files.list('/large')).status]).toEqual([{ deletionId: null }, 404])
  expect(await usage()).toEqual({ used: 0, bin: 0 })
  // On a disk that is nearly full nothing is kept, however small it is.
  await files.killHelper()
  files.facts = { limitBytes: 20 * MIB, usedBytes: 19 * MIB }
  await files.put('/small', 'small')
  expect((await remove(['/small'])).json).toMatchObject({ code: 'too_large_for_bin' })
})

test('a helper that is killed in the middle of deleting and restoring loses nothing', async () => {
  const names = Array.from({ length: 300 }, (_, at) => `file-${at}`)
  await mkdir(join(files.data, 'many'))
  await files.own('many')
  for (const name of names) {
    await writeFile(join(files.data, 'many', name), name)
    await files.own(join('many', name))
  }
  const inBin = async () => (await list()).items.map(({ path }) => path.split('/').at(-1) ?? '')
  const all = async () =>
    [...(await readdir(join(files.data, 'many'))), ...(await inBin())].toSorted()
  for (let round = 0; round < 2; round += 1) {
    const work =
      round === 0
        ? remove(names.map((name) => `/many/${name}`))
        : restore((await list()).items.map(({ id }) => id))
    const before = (await readdir(join(files.data, 'many'))).length
    const ended = work.then(
      ({ status }) => status,
      () => 0,
    )
    const half = async () => {
      const left = (await readdir(join(files.data, 'many'))).length
      return round === 0 ? left < names.length : left > before
    }
    await expect.poll(half, { interval: 1 }).toBe(true)
    await files.killHelper()
    await ended
    expect(await all()).toEqual(names.toSorted())
  }
})

test('a server that forges its bin brings nothing where a person may not write, and reaches nothing outside', async () => {
  const bin = join(files.data, '.lodge/bin')
  const outside = join(files.folder, 'outside')
  await mkdir(outside)
  await writeFile(join(outside, 'secret'), 'OUTSIDE')
  const forged = ['/closed/evil.txt', '/../outside/evil', '/.lodge/bin/evil', 'relative']
  for (const name of ['link', ...forged.keys()]) await files.put(`/${name}`, 'open')
  const linked = await removed('/link')
  const ids: string[] = []
  for (const name of forged.keys()) ids.push(await removed(`/${name}`))
  await files.killHelper()
  for (const [index, path] of forged.entries()) {
    const record = join(bin, ids[index] ?? '', 'deletion.json')
    const written = await readFile(record, 'utf8')
    await writeFile(record, written.replace(/"path":"[^"]*"/, `"path":"${path}"`))
  }
  await rm(join(bin, linked, '0'))
  await symlink(outside, join(bin, linked, '0'))
  const rules: Asking = { rules: [{ path: '/closed', access: 'none' }] }
  // Closed to this person, out of the server, in the hidden folder, and no path at all.
  for (const id of ids)
    expect((await restore([id], rules)).json).toMatchObject({ code: 'file_not_found' })
  // An entry that is a link now comes back as the link, which is not followed.
  await restore([linked])
  expect((await files.get('/link/secret')).status).toBe(403)
  // The bin itself is one: nothing is read or written through it.
  await files.killHelper()
  await rm(bin, { recursive: true })
  await symlink(outside, bin)
  await files.put('/another.txt', 'another')
  expect((await remove(['/another.txt'])).json).toMatchObject({ code: 'file_forbidden' })
  expect(await paths()).toEqual([])
  expect(await text('/another.txt')).toBe('another')
  expect(await readdir(outside)).toEqual(['secret'])
})

test.skipIf(process.getuid?.() !== 0)(
  'on a disk without room for one more folder files are deleted all the same',
  async () => {
    const mount = (...args: string[]) => execFileSync(args[0] ?? '', args.slice(1))
    mount('mount', '-t', 'tmpfs', '-o', 'size=4m,nr_inodes=12,mode=0777', 'tmpfs', files.data)
    try {
      files.facts = { limitBytes: 4 * MIB, usedBytes: 4 * MIB }
      for (let at = 0; at < 12; at += 1)
        await writeFile(join(files.data, `file-${at}`), '').catch(() => {})
      await expect(mkdir(join(files.data, 'more'))).rejects.toThrow('ENOSPC')
      expect((await files.do({ do: 'delete', paths: ['/file-1', '/file-2'] })).status).toBe(200)
      expect(await readdir(files.data)).not.toContain('file-1')
    } finally {
      await files.killHelper()
      mount('umount', '--lazy', files.data)
    }
  },
)

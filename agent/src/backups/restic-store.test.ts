import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { OpenRepository } from '@lodge/driver/backup-store.ts'
import { ignoredExpression } from '@lodge/shared/ignored-files.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { secured } from '../../../test/support/secured.ts'
import { noSwift, SWIFT_KEY, startSwift } from '../../../test/support/swift.ts'
import { repositoryFolder } from './restic.ts'
import { resticStore } from './restic-store.ts'
import { makeTree } from './testing/make-tree.ts'
import { treeOf } from './testing/tree-of.ts'

const able =
  existsSync('/usr/bin/restic') && existsSync('/usr/bin/bwrap') && process.getuid?.() === 0
const { signal } = new AbortController()
const quietly = () => undefined

let root: string
let data: string
let restored: string
let repository: OpenRepository
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lodge-backups-'))
  data = join(root, 'data')
  restored = join(root, 'restored')
  for (const folder of [data, restored]) await mkdir(folder)
  repository = {
    id: randomUUID(),
    password: randomBytes(24).toString('base64url'),
    location: { kind: 'node' },
  }
})
afterEach(() => rm(root, { recursive: true, force: true }))

const storeOf = () => resticStore(join(root, 'backups'))
/** What most backups here have in common. */
const still = { changing: false, takenWhileRunning: () => false }
async function backUp(ran = false, backupId = randomUUID(), ignored: string[] = []) {
  const store = await storeOf()
  const given = { repository, backupId, folder: data, ignored, ...still }
  return store.create({ ...given, takenWhileRunning: () => ran }, quietly, signal)
}

describe.runIf(able)('backups by restic', () => {
  test('a restored tree equals the original byte for byte, with everything a tree can have', async () => {
    await makeTree(data)
    await mkdir(join(data, '.lodge', 'uploads'), { recursive: true })
    await writeFile(join(data, '.lodge', 'uploads', 'part'), 'unfinished')
    const { snapshotId, fileCount } = await backUp()
    expect(fileCount).toBeGreaterThan(1_000)
    await (await storeOf()).restore({ repository, snapshotId, folder: restored }, quietly, signal)
    const after = await treeOf(restored)
    const before = await treeOf(data)
    for (const path of before.keys()) if (path.startsWith('/.lodge')) before.delete(path)
    expect(after).toEqual(before)
  })

  test('a backup leaves out what its patterns say, as the restore that keeps it reads them, and nothing else', async () => {
    const names = ['f.log', '[x] $HOME', 'ä.log', 'keep', 'two\nlines.log', '.hidden']
    for (const folder of ['.', 'cache/deep', 'a/cache', 'a/data', 'logs', 'x/logs', 'a/b/c']) {
      await mkdir(join(data, folder), { recursive: true })
      for (const name of names) await writeFile(join(data, folder, name), name)
    }
    await writeFile(join(data, 'data'), 'a file of the name of the tree')
    await symlink('/etc', join(data, 'a/etc.log'))
    const before = [...(await treeOf(data)).keys()]
    for (const ignored of [
      ['cache/', '*.log', '/logs', '[x] $HOME', 'a/**/keep'],
      ['a/**', 'data', '**/logs/.hidden', '*ä*', '/x/logs/k*p'],
    ]) {
      const { snapshotId } = await backUp(false, randomUUID(), ignored)
      const folder = await mkdtemp(join(root, 'restored-'))
      const given = { repository, snapshotId, folder }
      expect(await (await storeOf()).restore(given, quietly, signal)).toEqual(ignored)
      const bytes = Buffer.from(ignoredExpression(ignored, '')).toString('latin1')
      const expected = before.filter((path) => !new RegExp(`^${bytes}(/|$)`, 's').test(path))
      expect([...(await treeOf(folder)).keys()].toSorted()).toEqual(expected.toSorted())
      expect(expected.length).toBeLessThan(before.length)
      expect(expected).toContain('/keep')
    }
  })

  test('a file with holes takes no more room after a restore than before', async () => {
    await writeFile(join(data, 'world'), randomBytes(3_000_000))
    const sparse = await open(join(data, 'sparse'), 'w', 0o4640)
    await sparse.write(randomBytes(10_000), 0, 10_000, 100_000_000)
    await sparse.truncate(256 * 1024 ** 2)
    await sparse.close()
    const { snapshotId } = await backUp()
    await (await storeOf()).restore({ repository, snapshotId, folder: restored }, quietly, signal)
    expect((await stat(join(restored, 'sparse'))).blocks * 512).toBeLessThan(4_000_000)
    expect((await stat(join(restored, 'world'))).blocks * 512).toBeGreaterThan(2_900_000)
    expect(await treeOf(restored)).toEqual(await treeOf(data))
  })

  test('a second backup of the same files stores almost nothing', async () => {
    await writeFile(join(data, 'world'), randomBytes(8_000_000))
    const first = await backUp()
    const second = await backUp()
    expect(first.storedBytes).toBeGreaterThan(8_000_000)
    expect(second.sizeBytes).toBe(first.sizeBytes)
    expect(second.storedBytes).toBeLessThan(10_000)
  })

  const snapshots = () =>
    readdir(join(repositoryFolder(join(root, 'backups'), repository.id), 'snapshots'))

  test('a repeated task makes no second backup, and tells the same of it', async () => {
    await writeFile(join(data, 'world'), 'one')
    const backupId = randomUUID()
    const first = await backUp(true, backupId)
    expect(first).toMatchObject({ takenWhileRunning: true })
    await writeFile(join(data, 'world'), 'two')
    // The server has stopped since.
    expect(await backUp(false, backupId)).toEqual(first)
    expect(await snapshots()).toHaveLength(1)
  })

  test('a backup that is not known to be complete is made again, and both copies are forgotten', async () => {
    await writeFile(join(data, 'world'), 'one')
    await writeFile(join(data, 'unreadable'), 'two')
    const backupId = randomUUID()
    // What restic leaves of a file that it could not read, if the agent is killed before it says so.
    await backUp(false, backupId, ['unreadable'])
    await writeFile(join(root, 'backups', 'records', `${backupId}.json`), '{}')
    const whole = await backUp(false, backupId)
    expect(whole).toMatchObject({ fileCount: 2, sizeBytes: 6 })
    expect(await snapshots()).toHaveLength(2)
    await (await storeOf()).forget(repository, [backupId], signal)
    expect(await snapshots()).toEqual([])
  })

  test('neither a wrong password nor a damaged repository restores anything', async () => {
    await writeFile(join(data, 'world'), randomBytes(300_000))
    const { snapshotId } = await backUp()
    const store = await storeOf()
    const restore = (with_: OpenRepository) =>
      store.restore({ repository: with_, snapshotId, folder: restored }, quietly, signal)
    await expect(
      restore({ ...repository, password: 'another password of it' }),
    ).rejects.toMatchObject({
      code: 'copy_damaged',
      message: expect.stringContaining('key'),
    })
    expect(await readdir(restored)).toEqual([])
    const packs = join(repositoryFolder(join(root, 'backups'), repository.id), 'data')
    for (const pack of await filesIn(packs)) {
      const bytes = await readFile(pack)
      bytes[1_000] = (bytes[1_000] ?? 0) ^ 1
      await chmod(pack, 0o600)
      await writeFile(pack, bytes)
    }
    await expect(restore(repository)).rejects.toMatchObject({ code: 'copy_damaged' })
  })

  test('links out of the data lead nowhere while it is read', async () => {
    await symlink('/etc', join(data, 'etc'))
    await symlink('/proc/self/environ', join(data, 'secrets'))
    const { snapshotId } = await backUp()
    const store = await storeOf()
    await store.restore({ repository, snapshotId, folder: restored }, quietly, signal)
    expect((await lstat(join(restored, 'etc'))).isSymbolicLink()).toBe(true)
    expect((await lstat(join(restored, 'secrets'))).isSymbolicLink()).toBe(true)
  })

  test('a folder of a backup is listed and leaves as an archive', async () => {
    await mkdir(join(data, 'mods', 'deep'), { recursive: true })
    await writeFile(join(data, 'mods', 'one.jar'), 'jar', { mode: 0o640 })
    await writeFile(join(data, 'mods', 'deep', 'two'), 'deep')
    const { snapshotId } = await backUp()
    const store = await storeOf()
    expect(await store.list({ repository, snapshotId, path: '/mods' }, signal)).toMatchObject({
      items: [
        { name: 'deep', kind: 'folder' },
        { name: 'one.jar', kind: 'file', sizeBytes: 3, mode: '640' },
      ],
      truncated: false,
    })
    await expect(
      store.list({ repository, snapshotId, path: '/none' }, signal),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
    const sizeOf = (...paths: string[]) => store.sizeOf({ repository, snapshotId, paths }, signal)
    expect(await sizeOf('/mods/one.jar')).toBe(3)
    expect(await sizeOf('/mods/deep', '/mods/one.jar')).toBe(7)
    expect(await sizeOf('/')).toBe(7)
    const archive = await store.archive(
      { repository, snapshotId, path: '/mods', format: 'tar.gz' },
      signal,
    )
    const listed = execFileSync('tar', ['-tzf', '-'], { input: await buffer(archive) }).toString()
    expect(listed.split('\n').filter(Boolean).sort()).toEqual([
      'data/mods/deep/',
      'data/mods/deep/two',
      'data/mods/one.jar',
    ])
    const file = await store.archive(
      { repository, snapshotId, path: '/mods/one.jar', format: 'tar' },
      signal,
    )
    expect((await buffer(file)).toString()).toBe('jar')
    const broken = await store.archive(
      { repository, snapshotId: 'ffffffff', path: '/mods', format: 'tar.gz' },
      signal,
    )
    await expect(buffer(broken)).rejects.toMatchObject({ code: 'copy_damaged' })
  })

  test('a forgotten backup is gone and the others are whole', async () => {
    await writeFile(join(data, 'world'), randomBytes(100_000))
    const kept = await backUp()
    const dropped = randomUUID()
    await writeFile(join(data, 'other'), randomBytes(3_000_000))
    await backUp(false, dropped)
    // A lock that a killed process left.
    const locks = join(repositoryFolder(join(root, 'backups'), repository.id), 'locks')
    const store = await storeOf()
    await store.forget(repository, [dropped, randomUUID()], signal)
    await store.prune(repository, quietly, signal)
    expect(await readdir(locks)).toEqual([])
    await store.restore(
      { repository, snapshotId: kept.snapshotId, folder: restored },
      quietly,
      signal,
    )
    expect(await readdir(restored)).toEqual(['world'])
    const packs = await filesIn(
      join(repositoryFolder(join(root, 'backups'), repository.id), 'data'),
    )
    const sizes = await Promise.all(packs.map(async (pack) => (await lstat(pack)).size))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000)
  })

  test('nothing is freed while a backup is being downloaded', async () => {
    const bytes = randomBytes(30_000_000)
    await writeFile(join(data, 'world'), bytes)
    const backupId = randomUUID()
    const { snapshotId } = await backUp(false, backupId)
    const store = await storeOf()
    const archive = await store.archive(
      { repository, snapshotId, path: '/world', format: 'tar' },
      signal,
    )
    await once(archive, 'readable')
    await store.forget(repository, [backupId], signal)
    await expect(store.prune(repository, quietly, signal)).rejects.toMatchObject({
      retryable: true,
      message: 'A backup is being downloaded.',
    })
    expect((await buffer(archive)).includes(bytes.subarray(-1_000))).toBe(true)
    await store.prune(repository, quietly, signal)
  })

  test('a cancelled backup leaves none, and the next one works', async () => {
    await writeFile(join(data, 'world'), randomBytes(50_000_000))
    const abort = new AbortController()
    const store = await storeOf()
    const given = { repository, backupId: randomUUID(), folder: data, ...still }
    const cancelled = store.create(given, () => abort.abort(new Error('cancelled')), abort.signal)
    await expect(cancelled).rejects.toThrow('cancelled')
    await expect(backUp()).resolves.toMatchObject({ fileCount: 1 })
  })
})

describe.runIf(able)('a storage that', () => {
  const inBucket = (endpoint: string): OpenRepository => ({
    ...repository,
    location: {
      kind: 's3',
      endpoint,
      bucket: 'backups',
      folder: 'one',
      region: 'us-east-1',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
    },
  })
  /** @returns where it listens */
  async function listening(server: net.Server): Promise<string> {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`
  }

  test('is away is said at once, and nothing in it counts as deleted', async () => {
    const server = net.createServer()
    repository = inBucket(await listening(server))
    server.close()
    const away = { code: 'runtime_unavailable', retryable: true }
    await expect(backUp()).rejects.toMatchObject(away)
    const store = await storeOf()
    await expect(store.forget(repository, [randomUUID()], signal)).rejects.toMatchObject(away)
    await expect(store.prune(repository, quietly, signal)).rejects.toMatchObject(away)
  })

  test('refuses the node keeps what is in it', async () => {
    const server = http.createServer((_, response) =>
      response
        .writeHead(403, { 'content-type': 'application/xml' })
        .end('<Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>'),
    )
    repository = inBucket(await listening(server))
    const refused = { code: 'not_permitted', message: expect.stringContaining('settings') }
    await expect(backUp()).rejects.toMatchObject(refused)
    const store = await storeOf()
    await expect(store.forget(repository, [randomUUID()], signal)).rejects.toMatchObject(refused)
    server.close()
  })
})

describe.runIf(able && !noSwift)('backups in a bucket', () => {
  test('are made, verified and restored, and read by another node', async () => {
    await using swift = await startSwift('backups')
    await using front = await secured(swift.endpoint, root)
    const { endpoint, caFile } = front
    const { keyId: accessKeyId, secret: secretAccessKey } = SWIFT_KEY
    const location = {
      kind: 's3',
      endpoint,
      bucket: 'backups',
      folder: 'lodge/one',
      region: '',
    } as const
    repository = { ...repository, location: { ...location, accessKeyId, secretAccessKey } }
    await writeFile(join(data, 'world'), randomBytes(2_000_000))
    const backupId = randomUUID()
    const store = await resticStore(join(root, 'backups'), caFile)
    const make = (id: string) =>
      store.create({ repository, backupId: id, folder: data, ...still }, quietly, signal)
    const { snapshotId } = await make(backupId)
    expect((await make(randomUUID())).storedBytes).toBeLessThan(10_000)
    const elsewhere = await resticStore(join(root, 'another node'), caFile)
    await elsewhere.restore({ repository, snapshotId, folder: restored }, quietly, signal)
    expect(await treeOf(restored)).toEqual(await treeOf(data))
    await store.forget(repository, [backupId], signal)
    await expect(
      elsewhere.restore({ repository, snapshotId, folder: restored }, quietly, signal),
    ).rejects.toMatchObject({ code: 'copy_damaged' })
  })
})

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

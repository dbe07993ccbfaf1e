import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import http2 from 'node:http2'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { OpenRepository } from '@lodge/driver/backup-store.ts'
import type { BackupRepository, StorageAccess } from '@lodge/shared/backup-work.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../../log.ts'
import { resticStore } from '../restic-store.ts'
import { treeOf } from '../testing/tree-of.ts'
import { storageLinks } from './links.ts'
import { type StorageServer, storageServer } from './storage-server.ts'

const able =
  existsSync('/usr/bin/restic') && existsSync('/usr/bin/bwrap') && process.getuid?.() === 0
const { signal } = new AbortController()
const quietly = () => undefined
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

let root: string
let storage: StorageServer
let hasRoom: boolean
let sockets: Duplex[]
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lodge-storage-'))
  hasRoom = true
  sockets = []
  storage = startStorage()
})
afterEach(async () => {
  storage.close()
  for (const socket of sockets) socket.destroy()
  await rm(root, { recursive: true, force: true })
})

const startStorage = () =>
  storageServer({
    root: join(root, 'kept'),
    hasRoom: async () => hasRoom,
    log: createLog('info', undefined, { write() {} }),
  })

/** A connection to the storage as the control plane splices one. */
async function connect(repositoryId: string, access: StorageAccess): Promise<Duplex> {
  const listener = net.createServer((socket) => {
    sockets.push(socket)
    storage.serve(repositoryId, access, socket)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as net.AddressInfo
  const socket = net.connect(port, '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  listener.close()
  sockets.push(socket)
  return socket
}

async function ask(
  repositoryId: string,
  access: StorageAccess,
  method: string,
  path: string,
  body?: Buffer,
): Promise<{ status: number; body: string }> {
  const socket = await connect(repositoryId, access)
  const session = http2.connect('http://storage', { createConnection: () => socket })
  const stream = session.request({ ':method': method, ':path': path }, { endStream: !body })
  stream.end(body)
  let text = ''
  let status = 0
  stream.on('response', (headers) => {
    status = headers[':status'] ?? 0
  })
  for await (const part of stream) text += part
  session.destroy()
  return { status, body: text }
}

describe('a repository that a node keeps for another', () => {
  const pack = randomBytes(1000)
  const path = `/data/${sha256(pack)}`

  test('is read, added to or deleted from only as the connection was opened for', async () => {
    const id = randomUUID()
    expect((await ask(id, 'read', 'POST', path, pack)).status).toBe(403)
    expect((await ask(id, 'append', 'POST', path, pack)).status).toBe(200)
    expect((await ask(id, 'append', 'DELETE', path)).status).toBe(403)
    expect((await ask(id, 'read', 'DELETE', path)).status).toBe(403)
    const lock = Buffer.from('lock')
    const lockPath = `/locks/${sha256(lock)}`
    expect((await ask(id, 'append', 'POST', lockPath, lock)).status).toBe(200)
    expect((await ask(id, 'append', 'DELETE', lockPath)).status).toBe(200)
    expect((await ask(id, 'append', 'POST', '/config', lock)).status).toBe(200)
    expect((await ask(id, 'delete', 'POST', '/config', pack)).status).toBe(403)
    expect((await ask(id, 'delete', 'DELETE', '/config')).status).toBe(403)
    expect((await ask(id, 'delete', 'DELETE', path)).status).toBe(200)
    expect((await ask(id, 'delete', 'GET', path)).status).toBe(404)
  })

  test('cannot be left: no path leads to that of another node', async () => {
    const [mine, theirs] = [randomUUID(), randomUUID()]
    await ask(theirs, 'append', 'POST', path, pack)
    await ask(mine, 'append', 'POST', '/?create=true')
    for (const way of [
      `/../${theirs}${path}`,
      `/data/../../${theirs}${path}`,
      `/%2e%2e/${theirs}${path}`,
      `/data/..%2f..%2f${theirs}${path}`,
      `/${theirs}${path}`,
      `/data/${sha256(pack).slice(0, 62)}..`,
    ])
      for (const method of ['GET', 'DELETE', 'POST'])
        expect((await ask(mine, 'delete', method, way)).status, `${method} ${way}`).toBe(404)
    expect((await ask(mine, 'read', 'GET', '/data/')).body).toBe('[]')
    expect((await ask(theirs, 'read', 'GET', path)).status).toBe(200)
    expect(() => storage.serve('../other', 'read', new net.Socket())).toThrow()
  })

  test('takes no file whose contents are not what its name says, and keeps no part of one', async () => {
    const id = randomUUID()
    const wrong = `/data/${sha256(Buffer.from('another'))}`
    expect((await ask(id, 'append', 'POST', wrong, pack)).status).toBe(400)
    expect(JSON.parse((await ask(id, 'read', 'GET', '/data/')).body)).toEqual([])
    expect(await readdir(join(root, 'kept', id, 'incoming'))).toEqual([])
    // The agent was killed while it received.
    await writeFile(join(root, 'kept', id, 'incoming', 'part'), 'half')
    storage.close()
    storage = startStorage()
    expect((await ask(id, 'append', 'POST', path, pack)).status).toBe(200)
    expect(await readdir(join(root, 'kept', id, 'incoming'))).toEqual([])
  })

  test('takes nothing more when the disk is full, and is deleted as a whole without a key', async () => {
    const id = randomUUID()
    await ask(id, 'append', 'POST', path, pack)
    hasRoom = false
    const more = randomBytes(10)
    expect((await ask(id, 'append', 'POST', `/data/${sha256(more)}`, more)).status).toBe(507)
    expect((await ask(id, 'read', 'GET', path)).status).toBe(200)
    await storage.drop(id)
    expect(existsSync(join(root, 'kept', id))).toBe(false)
  })
})

describe.runIf(able)('restic on the storage of another node', () => {
  const password = randomBytes(24).toString('base64url')
  let id: string
  let data: string
  beforeEach(async () => {
    id = randomUUID()
    data = join(root, 'data')
    await mkdir(data)
  })

  async function reach<T>(
    access: StorageAccess,
    work: (repository: OpenRepository) => Promise<T>,
  ): Promise<T> {
    const socket = await connect(id, access)
    const location = {
      kind: 'other-node' as const,
      sessionId: randomUUID(),
      ticket: '',
      address: '',
    }
    const repository: BackupRepository = { id, password, location }
    return await storageLinks(
      async () => ({ socket, isDirect: false }),
      () => undefined,
    )(repository, work)
  }
  const storeOf = () => resticStore(join(root, 'backups'))
  const backUp = async (backupId = randomUUID()) => {
    const store = await storeOf()
    const given = { backupId, folder: data, changing: false, takenWhileRunning: () => false }
    return reach('append', (repository) => store.create({ ...given, repository }, quietly, signal))
  }

  test('backs up, lists, restores byte for byte, forgets and prunes', async () => {
    await mkdir(join(data, 'maps'))
    await writeFile(join(data, 'maps', 'world'), randomBytes(3_000_000))
    await writeFile(join(data, 'empty'), '')
    const backupId = randomUUID()
    const { snapshotId } = await backUp(backupId)
    const again = await backUp()
    expect(again.storedBytes).toBeLessThan(10_000)
    const store = await storeOf()
    const listed = await reach('read', (repository) =>
      store.list({ repository, snapshotId, path: '/maps' }, signal),
    )
    expect(listed.items).toMatchObject([{ name: 'world', sizeBytes: 3_000_000 }])
    const folder = join(root, 'restored')
    await mkdir(folder)
    await reach('read', (repository) =>
      store.restore({ repository, snapshotId, folder }, quietly, signal),
    )
    expect(await treeOf(folder)).toEqual(await treeOf(data))
    await reach('delete', async (repository) => {
      await store.forget(repository, [backupId], signal)
      await store.prune(repository, quietly, signal)
    })
    expect(await readdir(join(root, 'kept', id, 'snapshots'))).toHaveLength(1)
    // What the storing node has tells nothing without the key.
    const names = await readdir(join(root, 'kept', id), { recursive: true, withFileTypes: true })
    for (const one of names.filter((name) => name.isFile()))
      expect(await readFile(join(one.parentPath, one.name), 'latin1')).not.toContain(password)
  })

  test('ends at once, to be tried again, when the other node goes away, and goes on afterwards', async () => {
    await writeFile(join(data, 'world'), randomBytes(64_000_000))
    const backupId = randomUUID()
    const lost = backUp(backupId)
    lost.catch(() => undefined)
    const packs = join(root, 'kept', id, 'data')
    while (!existsSync(packs) || (await readdir(packs)).length < 2)
      await new Promise((resolve) => setTimeout(resolve, 5))
    for (const socket of sockets) socket.destroy()
    await expect(lost).rejects.toMatchObject({ code: 'runtime_unavailable', retryable: true })
    const made = await backUp(backupId)
    expect(made.sizeBytes).toBe(64_000_000)
  })

  test('says clearly that the disk of the other node is full', async () => {
    await writeFile(join(data, 'world'), 'one')
    hasRoom = false
    await expect(backUp()).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringContaining('node that keeps the backups'),
    })
  })
})

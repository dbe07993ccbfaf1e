import { fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts'
import { S3_KEY, type S3Double, startS3Double } from '../../../test/support/s3-double.ts'
import { noSwift, SWIFT_KEY, type Swift, startSwift } from '../../../test/support/swift.ts'
import { type Db, inOneTransaction, openDatabase, openPool } from '../db/database.ts'
import { Secret } from '../secret.ts'
import type { BlobBackend } from './backend.ts'
import { type Blobs, openBlobs } from './blobs.ts'
import { localFolder } from './local-folder.ts'
import { s3Bucket } from './s3.ts'
import { announce } from './store.ts'

const MIB = 1024 * 1024
const MOST = { maxBytes: 64 * MIB }
const log = pino({ level: 'silent' })
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const piecesOf = (bytes: Buffer) => Readable.from(slices(bytes))
function* slices(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 60_000) yield bytes.subarray(at, at + 60_000)
}

let s3: S3Double
let swift: Swift | undefined
beforeAll(async () => {
  s3 = await startS3Double('files')
  if (!noSwift) swift = await startSwift('files')
})
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  await swift?.[Symbol.asyncDispose]()
})

const inBucket = (at: { endpoint: string; host: string }, key: typeof S3_KEY) =>
  s3Bucket(
    {
      endpoint: at.endpoint,
      bucket: 'files',
      prefix: 'lodge/',
      region: 'eu-1',
      keyId: key.keyId,
      secret: new Secret(key.secret),
    },
    { allowedHosts: [at.host], authorities: [] },
  )

const backends: readonly [string, (folder: string) => Promise<BlobBackend>][] = [
  ['a folder', async (folder) => localFolder(folder)],
  ['a bucket of an S3', () => inBucket(s3, S3_KEY)],
  ['a bucket of OpenStack Swift', () => inBucket(swift!, SWIFT_KEY)],
]

const missing = (name: string) => name.includes('Swift') && noSwift

for (const [name, backendIn] of backends)
  describe.skipIf(missing(name))(`blobs in ${name}`, () => {
    let database: FreshDatabase
    let db: Db
    let folder: string
    let backend: BlobBackend
    let blobs: Blobs
    let end: () => Promise<void>
    beforeAll(async () => {
      database = await freshDatabase()
      folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-blobs-'))
      const pool = openPool({ connectionString: database.url }, { max: 6, log })
      db = openDatabase(pool)
      end = () => pool.end()
      backend = await backendIn(folder)
      blobs = openBlobs({
        db,
        backend,
        arriving: path.join(folder, 'arriving'),
        limitBytes: 1024 * MIB,
      })
    })
    afterAll(async () => {
      await end()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    })

    test('are named by their digest, stored once, and read whole or in part', async () => {
      for (const size of [0, 1, 5 * MIB, 20 * MIB + 7]) {
        const bytes = randomBytes(size)
        const sha256 = digestOf(bytes)
        expect(await blobs.put(piecesOf(bytes), MOST)).toEqual({ sha256, sizeBytes: size })
        expect(await blobs.put(piecesOf(bytes), MOST)).toEqual({ sha256, sizeBytes: size })
        expect(await blobs.sizeOf(sha256)).toBe(size)
        expect(digestOf(await buffer((await blobs.get(sha256))!))).toBe(sha256)
        if (size < 1000) continue
        const part = await buffer((await blobs.get(sha256, { start: 10, end: 99 }))!)
        expect(part.equals(bytes.subarray(10, 100))).toBe(true)
      }
      expect(await blobs.sizeOf('0'.repeat(64))).toBeNull()
      expect(await blobs.get('0'.repeat(64))).toBeNull()
      expect(await readdir(path.join(folder, 'arriving'))).toEqual([])
    })

    test('that are too large or incomplete leave nothing behind', async () => {
      const before = await blobs.figures()
      await expect(
        blobs.put(piecesOf(randomBytes(3000)), { maxBytes: 2999 }),
      ).rejects.toMatchObject({
        code: 'payload_too_large',
      })
      async function* broken() {
        yield randomBytes(1000)
        throw new Error('the sender hung up')
      }
      await expect(blobs.put(broken(), MOST)).rejects.toThrow('the sender hung up')
      const full = openBlobs({
        db,
        backend,
        arriving: path.join(folder, 'arriving'),
        limitBytes: 0,
      })
      await expect(full.put(piecesOf(Buffer.of(1)), MOST)).rejects.toMatchObject({
        code: 'storage_full',
      })
      expect(await blobs.figures()).toEqual(before)
      expect(await readdir(path.join(folder, 'arriving'))).toEqual([])
    })

    test('stay while referenced, and for a while after', async () => {
      const owner = { kind: 'ticket', id: 'one' }
      const other = { kind: 'ticket', id: 'two' }
      const { sha256 } = await blobs.put(piecesOf(randomBytes(2000)), MOST)
      expect(await blobs.refer(db, sha256, owner)).toBe(true)
      expect(await blobs.refer(db, sha256, owner)).toBe(true)
      expect(await blobs.refer(db, sha256, other)).toBe(true)
      await blobs.release(db, owner)
      await blobs.collect(0)
      expect(await blobs.sizeOf(sha256)).toBe(2000)
      await blobs.release(db, other, sha256)
      await blobs.collect(3600)
      expect(await blobs.sizeOf(sha256)).toBe(2000)
      await blobs.collect(0)
      expect(await blobs.sizeOf(sha256)).toBeNull()
      expect(await backend.sizeOf(sha256)).toBeNull()
      expect(await blobs.refer(db, sha256, owner)).toBe(false)
    })

    test('get no reference from a rolled-back transaction', async () => {
      const { sha256 } = await blobs.put(piecesOf(randomBytes(100)), MOST)
      const failed = inOneTransaction(db, async (tx) => {
        await blobs.refer(tx, sha256, { kind: 'ticket', id: 'never' })
        throw new Error('no')
      })
      await expect(failed).rejects.toThrow('no')
      await blobs.collect(0)
      expect(await blobs.sizeOf(sha256)).toBeNull()
    })

    test('are not kept when their bytes were collected after they had been seen', async () => {
      const bytes = randomBytes(1_000)
      const blob = { sha256: digestOf(bytes), sizeBytes: bytes.length }
      let looks = 0
      const sizeOf = async (sha256: string) => {
        looks += 1
        if (looks > 1) return backend.sizeOf(sha256)
        // Another upload had stored them; they are collected, and a third announces itself.
        await blobs.collect(0)
        await announce(db, blob)
        return blob.sizeBytes
      }
      const { keep, read } = backend
      const racing = openBlobs({
        db,
        backend: { sizeOf, keep, read, delete: backend.delete },
        arriving: path.join(folder, 'arriving'),
        limitBytes: MIB * 99,
      })
      await expect(racing.put(piecesOf(bytes), MOST)).rejects.toThrow('it was collected')
      expect(await blobs.sizeOf(blob.sha256)).toBeNull()
      await blobs.collect(0)
    })

    test('are complete when referenced during concurrent uploads and collection', async () => {
      const bytes = randomBytes(50_000)
      const sha256 = digestOf(bytes)
      const rounds = Array.from({ length: 30 }, async (_, number) => {
        await Promise.all([blobs.put(piecesOf(bytes), MOST), blobs.collect(0)]).catch((error) => {
          // Only tests collect this early; then the error says so and there is no reference.
          if (!String(error).includes('it was collected')) throw error
        })
        const owner = { kind: 'round', id: String(number) }
        if (!(await blobs.refer(db, sha256, owner))) return
        expect(await backend.sizeOf(sha256)).toBe(bytes.length)
        await blobs.release(db, owner)
      })
      await Promise.all(rounds)
      await blobs.collect(0)
      expect(await backend.sizeOf(sha256)).toBeNull()
    })
  })

test('a failing bucket leaves no blob and no multipart upload', async () => {
  const database = await freshDatabase()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-blobs-'))
  const pool = openPool({ connectionString: database.url }, { max: 2, log })
  const db = openDatabase(pool)
  const backend = await backends[1]![1](folder)
  const blobs = openBlobs({
    db,
    backend,
    arriving: path.join(folder, 'arriving'),
    limitBytes: MIB * 99,
  })
  const bytes = randomBytes(20 * MIB)
  s3.failing = 403
  await expect(blobs.put(piecesOf(bytes), MOST)).rejects.toThrow()
  expect(await blobs.sizeOf(digestOf(bytes))).toBeNull()
  s3.failing = null
  expect(await blobs.put(piecesOf(bytes), MOST)).toMatchObject({ sizeBytes: bytes.length })
  expect(s3.unfinished.size).toBe(0)
  await pool.end()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test('a bucket at a forbidden address is never contacted', async () => {
  const nowhere = { allowedHosts: [], authorities: [] }
  const at = (endpoint: string) =>
    s3Bucket(
      {
        ...{ endpoint, bucket: 'files', prefix: '', region: 'eu-1', keyId: S3_KEY.keyId },
        secret: new Secret(S3_KEY.secret),
      },
      nowhere,
    )
  await expect(at(s3.endpoint)).rejects.toThrow('only https')
  await expect(at('https://127.0.0.1:9000')).rejects.toThrow('LODGE_EGRESS_HOSTS')
  const byName = await at('https://localhost:9000')
  await expect(byName.sizeOf('0'.repeat(64))).rejects.toThrow('LODGE_EGRESS_HOSTS')
})

test('a process killed at any moment leaves no partial blob', async () => {
  const database = await freshDatabase()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-blobs-'))
  const pool = openPool({ connectionString: database.url }, { max: 2, log })
  const db = openDatabase(pool)
  const arriving = path.join(folder, 'arriving')
  const blobs = openBlobs({ db, backend: localFolder(folder), arriving, limitBytes: 1024 * MIB })
  const program = path.join(import.meta.dirname, 'put-for-ever.owner.ts')
  let seen = 0
  for (const put of [1, 3, 5, 8, 13, 21]) {
    const child = fork(program, [database.url, folder], { stdio: 'ignore' })
    // It reports each blob; the kill happens during one of the next.
    const ended = once(child, 'exit').then(() => {
      throw new Error('it ended by itself')
    })
    for (let told = 0; told < put; told++) await Promise.race([once(child, 'message'), ended])
    ended.catch(() => undefined)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const { rows } = await pool.query<{ sha256: string; size_bytes: number }>(
      'select sha256, size_bytes from blobs where kept_at is not null',
    )
    seen = rows.length
    for (const { sha256, size_bytes } of rows) {
      const bytes = await buffer((await blobs.get(sha256))!)
      expect([digestOf(bytes), bytes.length]).toEqual([sha256, size_bytes])
    }
    for (const shard of await readdir(folder))
      for (const name of shard === 'arriving' ? [] : await readdir(path.join(folder, shard)))
        expect(digestOf(await readFile(path.join(folder, shard, name)))).toBe(name)
  }
  expect(seen).toBeGreaterThan(20)
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  for (const name of await readdir(arriving))
    await utimes(path.join(arriving, name), longAgo, longAgo)
  await blobs.collect(0)
  expect(await blobs.figures()).toEqual({ count: 0, bytes: 0 })
  expect(await readdir(arriving)).toEqual([])
  await pool.end()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

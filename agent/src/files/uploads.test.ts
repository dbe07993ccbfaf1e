import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { FileUsage, UploadStarted } from '@lodge/shared/files.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FileFixture, UID } from './testing/file-fixture.ts'

const run = promisify(execFile)

let files: FileFixture
beforeAll(async () => {
  files = await FileFixture.open()
})
afterAll(() => files.close())

const start = (upload: object) =>
  files.ask('POST', '/v1/uploads', { body: JSON.stringify({ replace: false, ...upload }) })
const part = (id: string, offset: number, body: Buffer | string) =>
  files.ask('PATCH', `/v1/uploads/${id}`, { headers: { 'x-offset': offset }, body })
const state = (id: string) => files.ask('GET', `/v1/uploads/${id}`)

test('an upload goes on after the helper was killed in the middle of it', async () => {
  const content = Buffer.alloc(5_000_000, 'lodge')
  const modifiedAt = '2020-02-03T04:05:06.000Z'
  const wanted = { path: '/worlds/new/level.dat', sizeBytes: content.byteLength, modifiedAt }
  const { status, json } = await start(wanted)
  expect(status).toBe(201)
  const { offsetBytes, uploadId: id } = UploadStarted.parse(json)
  expect(offsetBytes).toBe(0)
  const halfway = Promise.withResolvers<void>()
  const endless = async function* () {
    yield content.subarray(0, 2_000_000)
    await halfway.promise
  }
  const broken = files
    .ask('PATCH', `/v1/uploads/${id}`, { headers: { 'x-offset': 0 }, body: endless() })
    .catch((error: unknown) => error)
  await expect.poll(async () => (await state(id)).json).toMatchObject({ offsetBytes: 2_000_000 })
  await files.killHelper()
  expect(await broken).toBeInstanceOf(Error)
  halfway.resolve()
  const resumed = await start(wanted)
  expect(resumed.json).toEqual({ uploadId: id, offsetBytes: 2_000_000 })
  expect((await part(id, 0, 'x')).json).toMatchObject({
    code: 'wrong_offset',
    offsetBytes: 2_000_000,
  })
  const done = await part(id, 2_000_000, content.subarray(2_000_000))
  expect(done.json).toMatchObject({ offsetBytes: content.byteLength, entry: { path: wanted.path } })
  const place = join(files.data, wanted.path)
  expect((await readFile(place)).equals(content)).toBe(true)
  expect((await stat(place)).mtime.toISOString()).toBe(modifiedAt)
  expect((await state(id)).status).toBe(404)
  expect(await readdir(join(files.data, '.lodge/uploads'))).toEqual([])
})

test('an upload that is dropped or that is too long leaves nothing', async () => {
  const short = await start({ path: '/short', sizeBytes: 3 })
  const { uploadId } = UploadStarted.parse(short.json)
  expect((await part(uploadId, 0, 'four')).json).toMatchObject({ code: 'file_too_large' })
  expect((await files.ask('DELETE', `/v1/uploads/${uploadId}`)).status).toBe(204)
  expect((await state(uploadId)).status).toBe(404)
  expect(await readdir(join(files.data, '.lodge/uploads'))).toEqual([])
  const empty = await start({ path: '/empty', sizeBytes: 0 })
  expect((await part(UploadStarted.parse(empty.json).uploadId, 0, '')).json).toMatchObject({
    entry: { sizeBytes: 0 },
  })
})

test('an upload never takes the place of a file that appeared meanwhile', async () => {
  const taken = await start({ path: '/taken', sizeBytes: 3 })
  const { uploadId } = UploadStarted.parse(taken.json)
  await files.put('/taken', 'first')
  expect((await part(uploadId, 0, 'two')).json).toMatchObject({ code: 'file_exists' })
  expect((await files.get('/taken')).bytes.toString()).toBe('first')
  expect((await start({ path: '/taken', sizeBytes: 3 })).json).toMatchObject({
    code: 'file_exists',
  })
  expect((await start({ path: '/', sizeBytes: 3 })).json).toMatchObject({ code: 'is_a_folder' })
})

test('a measured disk is never overfilled, by one file or by many parts', async () => {
  await files.killHelper()
  files.facts = { limitBytes: 1_000_000, usedBytes: 400_000, enforced: false }
  const big = Buffer.alloc(700_000)
  const tooMuch = { status: 507, json: { code: 'disk_full' } }
  expect(await files.put('/big', big)).toMatchObject(tooMuch)
  // Without an announced length it turns out only while writing.
  const parts = async function* () {
    for (let part = 0; part < 7; part += 1) yield big.subarray(0, 100_000)
  }
  expect(await files.ask('PUT', '/v1/content?path=/big', { body: parts() })).toMatchObject(tooMuch)
  expect(await readdir(join(files.data, '.lodge/temporary'))).toEqual([])
  expect((await start({ path: '/big', sizeBytes: 700_000 })).json).toMatchObject({
    code: 'disk_full',
  })
  expect((await files.put('/half', big.subarray(0, 400_000))).status).toBe(200)
  expect((await files.ask('GET', '/v1/usage')).json).toEqual({
    usedBytes: 800_000,
    limitBytes: 1_000_000,
  })
  expect((await files.put('/more', big.subarray(0, 400_000))).json).toMatchObject({
    code: 'disk_full',
  })
  await files.do({ do: 'delete', paths: ['/half'] })
  expect((await files.put('/more', big.subarray(0, 400_000))).status).toBe(200)
})

test('an upload that is dropped while a part of it arrives gives back all of its room', async () => {
  await files.killHelper()
  files.facts = { limitBytes: 1_000_000, usedBytes: 400_000, enforced: false }
  const { json } = await start({ path: '/dropped', sizeBytes: 500_000 })
  const { uploadId } = UploadStarted.parse(json)
  const { promise: forever } = Promise.withResolvers<void>()
  const stalled = async function* () {
    yield Buffer.alloc(300_000)
    await forever
  }
  const writing = files
    .ask('PATCH', `/v1/uploads/${uploadId}`, { headers: { 'x-offset': 0 }, body: stalled() })
    .catch(() => undefined)
  await expect
    .poll(async () => (await state(uploadId)).json)
    .toMatchObject({
      offsetBytes: 300_000,
    })
  expect((await files.ask('DELETE', `/v1/uploads/${uploadId}`)).status).toBe(204)
  await writing
  expect((await files.ask('GET', '/v1/usage')).json).toMatchObject({ usedBytes: 400_000 })
  expect((await state(uploadId)).status).toBe(404)
})

test('a disk that the kernel fills up refuses in the same words and loses nothing', async () => {
  // Without the right to mount there is no such disk either: nodes run their agent as root.
  if (process.getuid?.() !== 0) return expect(process.env.CI).toBeUndefined()
  const disk = await FileFixture.open()
  await run('mount', ['-t', 'tmpfs', '-o', `size=1m,uid=${UID},gid=${UID}`, 'tmpfs', disk.data])
  try {
    disk.facts = { limitBytes: 1024 * 1024, enforced: true }
    await disk.put('/kept', 'old')
    const parts = async function* () {
      for (let part = 0; part < 30; part += 1) yield Buffer.alloc(100_000)
    }
    const query = '/v1/content?path=/kept'
    const full = await disk.ask('PUT', query, { body: parts() })
    expect(full).toMatchObject({ status: 507, json: { code: 'disk_full' } })
    expect((await disk.get('/kept')).bytes.toString()).toBe('old')
    const { json } = await disk.ask('GET', '/v1/usage')
    const usage = FileUsage.parse(json)
    expect(usage.limitBytes).toBe(1024 * 1024)
    expect(usage.usedBytes).toBeLessThan(100_000)
  } finally {
    await disk.helpers.close()
    await run('umount', ['--lazy', disk.data])
    await disk.close()
  }
})

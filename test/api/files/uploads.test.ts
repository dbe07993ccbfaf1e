import { randomBytes } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Caller } from '../../support/caller.ts'
import { ORIGIN, startLodge } from '../../support/stack.ts'
import { environment, type FileWorld, fileWorld } from './world.ts'

let world: FileWorld
let owner: Caller
beforeAll(async () => {
  world = await fileWorld()
  ;({ owner } = world)
})
afterAll(() => world?.[Symbol.asyncDispose]())

const TUS = { 'tus-resumable': '1.0.0' }
const base64 = (text: string) => Buffer.from(text).toString('base64')
const on = (name: string) => path.join(world.folder, name)

function announce(caller: Caller, file: string, sizeBytes: number, more = '') {
  return caller.send({
    method: 'POST',
    url: `/api/servers/${world.serverId}/files/uploads`,
    headers: {
      ...TUS,
      'upload-length': String(sizeBytes),
      'upload-metadata': `path ${base64(file)}${more}`,
    },
  })
}
const send = (caller: Caller, url: string, offset: number, payload: Buffer) =>
  caller.send({
    method: 'PATCH',
    url,
    payload,
    headers: {
      ...TUS,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    },
  })
const ask = (caller: Caller, url: string) => caller.send({ method: 'HEAD', url, headers: TUS })

test('a file arrives in parts, and is there once it is complete', async () => {
  const content = randomBytes(300_000)
  const announced = await announce(owner, '/mods/big.jar', content.length)
  expect([announced.statusCode, announced.body]).toEqual([201, ''])
  const url = String(announced.headers.location)
  expect(url).toMatch(/^\/api\/servers\/[0-9a-f-]{36}\/files\/uploads\/[\w-]{22,64}$/)
  const first = await send(owner, url, 0, content.subarray(0, 200_000))
  expect([first.statusCode, first.headers['upload-offset']]).toEqual([204, '200000'])
  const again = await send(owner, url, 0, content.subarray(0, 10))
  expect([again.statusCode, again.json().code, again.json().offsetBytes]).toEqual([
    409,
    'wrong_offset',
    200_000,
  ])
  const { statusCode, headers } = await ask(owner, url)
  expect([statusCode, headers['upload-offset'], headers['upload-length']]).toEqual([
    200,
    '200000',
    '300000',
  ])
  await expect(stat(on('mods/big.jar'))).rejects.toThrow('ENOENT')
  const last = await send(owner, url, 200_000, content.subarray(200_000))
  expect([last.statusCode, last.headers['upload-offset']]).toEqual([204, '300000'])
  expect((await readFile(on('mods/big.jar'))).equals(content)).toBe(true)
  const { items } = await world.admin.must('GET /api/servers/{id}/activity', {
    params: { id: world.serverId },
    query: {},
  })
  expect(items.map(({ what }) => what)).toContain('uploaded /mods/big.jar to One')
})

test('an upload resumes where it stopped after a restart of the control plane', async () => {
  const content = randomBytes(200_000)
  const before = await startLodge({ beside: world.lodge, environment })
  const cookie = owner.cookie
  const there = new Caller(before.controlPlane.app, { origin: ORIGIN, ...(cookie && { cookie }) })
  const url = String((await announce(there, '/resumed.bin', content.length)).headers.location)
  expect((await send(there, url, 0, content.subarray(0, 120_000))).statusCode).toBe(204)
  await before.controlPlane.stop()
  // The same file is announced again, as by a browser that forgot the address.
  const announced = await announce(owner, '/resumed.bin', content.length)
  expect(announced.headers).toMatchObject({ location: url, 'upload-offset': '120000' })
  expect((await ask(owner, url)).headers['upload-offset']).toBe('120000')
  expect((await send(owner, url, 120_000, content.subarray(120_000))).statusCode).toBe(204)
  expect((await readFile(on('resumed.bin'))).equals(content)).toBe(true)
})

test('a file that is there is replaced only when the upload says so', async () => {
  await writeFile(on('there.txt'), 'old')
  const refused = await announce(owner, '/there.txt', 3)
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'file_exists'])
  const announced = await announce(owner, '/there.txt', 3, `,replace ${base64('true')}`)
  const url = String(announced.headers.location)
  expect((await send(owner, url, 0, Buffer.from('new'))).statusCode).toBe(204)
  expect(await readFile(on('there.txt'), 'utf8')).toBe('new')
})

test('a cancelled upload is deleted', async () => {
  const url = String((await announce(owner, '/never.bin', 100)).headers.location)
  await send(owner, url, 0, Buffer.alloc(50))
  const ended = await owner.send({ method: 'DELETE', url, headers: TUS })
  expect([ended.statusCode, ended.headers['tus-resumable']]).toEqual([204, '1.0.0'])
  expect((await ask(owner, url)).statusCode).toBe(404)
})

test('uploads announce the supported tus version and extensions, and refuse another version', async () => {
  const url = `/api/servers/${world.serverId}/files/uploads`
  const { statusCode, headers } = await owner.send({ method: 'OPTIONS', url })
  expect(statusCode).toBe(204)
  expect(headers).toMatchObject({
    'tus-resumable': '1.0.0',
    'tus-version': '1.0.0',
    'tus-extension': 'creation,termination',
  })
  const old = await owner.send({ method: 'POST', url, headers: { 'tus-resumable': '0.2.2' } })
  expect([old.statusCode, old.json().code, old.headers['tus-version']]).toEqual([
    412,
    'upload_version_unsupported',
    '1.0.0',
  ])
  for (const [name, value] of [
    ['upload-length', '-1'],
    ['upload-length', '1e3'],
    ['upload-metadata', 'path'],
    ['upload-metadata', `path ${base64('/../etc/passwd')}`],
  ] as const) {
    const sent = { ...TUS, 'upload-length': '5', 'upload-metadata': `path ${base64('/a')}` }
    const refused = await owner.send({ method: 'POST', url, headers: { ...sent, [name]: value } })
    expect([refused.statusCode, refused.json().code], value).toEqual([400, 'validation_failed'])
  }
})

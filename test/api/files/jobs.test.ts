import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { until } from '../../support/until.ts'
import { jobEnd } from '../../support/vm-world.ts'
import { share } from '../support/share.ts'
import { type FileWorld, fileWorld } from './world.ts'

let world: FileWorld
let owner: Caller
let params: { readonly params: { readonly id: string } }
beforeAll(async () => {
  world = await fileWorld()
  ;({ owner } = world)
  params = { params: { id: world.serverId } }
  await owner.must('POST /api/servers/{id}/files/mkdir', { ...params, body: { path: '/world' } })
  await writeFile(on('world/level.dat'), 'level')
})
afterAll(() => world?.[Symbol.asyncDispose]())

const on = (name: string) => path.join(world.folder, name)

test('a folder is archived, and the archive extracted beside it', async () => {
  const archived = await owner.must('POST /api/servers/{id}/files/archive', {
    ...params,
    body: { paths: ['/world'], to: '/world.tar.zst', format: 'tar.zst' },
  })
  const { title } = await jobEnd(owner, archived.jobId, 'done')
  expect(title).toBe('Archive world on One')
  const extracted = await owner.must('POST /api/servers/{id}/files/extract', {
    ...params,
    body: { path: '/world.tar.zst', to: '/restored' },
  })
  await jobEnd(owner, extracted.jobId, 'done')
  expect(await readFile(on('restored/world/level.dat'), 'utf8')).toBe('level')
})

test('a folder is copied by a job, which fails when something is in the way', async () => {
  const copy = () =>
    owner.call('POST /api/servers/{id}/files/copy', {
      ...params,
      body: { copies: [{ from: '/world', to: '/copy' }] },
    })
  const first = await copy()
  expect(first.status).toBe(202)
  if (!('jobId' in first.body)) throw new Error('no job')
  await jobEnd(owner, first.body.jobId, 'done')
  expect(await readdir(on('copy'))).toEqual(['level.dat'])
  const second = await copy()
  if (!('jobId' in second.body)) throw new Error('no job')
  const { failure } = await jobEnd(owner, second.body.jobId, 'failed')
  expect(failure?.code).toBe('file_exists')
})

test('C8: a file is fetched neither from this machine nor with a password in its address', async () => {
  const pull = (url: string) =>
    owner.call('POST /api/servers/{id}/files/pull', { ...params, body: { url, to: '/pulled' } })
  for (const url of [
    'http://127.0.0.1:22/',
    'http://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/',
  ]) {
    const { body } = await pull(url)
    const { failure } = await jobEnd(owner, body.jobId, 'failed')
    expect(failure?.code, url).toBe('pull_failed')
  }
  for (const url of ['file:///etc/passwd', 'https://me:secret@example.com/', 'nothing']) {
    const { status, body } = await pull(url)
    expect([status, (body as { code?: string }).code], url).toEqual([400, 'validation_failed'])
  }
})

test('B1: a job does no more than its person is permitted to when it begins', async () => {
  const bob = await world.lodge.customer()
  await share(world.lodge, world.serverId, owner, bob, ['files.read', 'files.write'])
  // Its node is away, so that the job begins later.
  await world.agent.close()
  const { nodeId } = await owner.must('GET /api/servers/{id}', params)
  const { pool } = world.lodge.database
  await until(async () => {
    const { rows } = await pool.query('select session_id from nodes where id = $1', [nodeId])
    return rows[0].session_id === null
  })
  await pool.query(
    'update nodes set session_id = gen_random_uuid(), last_seen_at = now() where id = $1',
    [nodeId],
  )
  const { jobId } = await bob.must('POST /api/servers/{id}/files/archive', {
    ...params,
    body: { paths: ['/world'], to: '/bobs.zip', format: 'zip' },
  })
  await owner.must('DELETE /api/servers/{id}/collaborators/{userId}', {
    params: { id: world.serverId, userId: bob.id },
  })
  await world.agent.connect()
  const { failure } = await jobEnd(owner, jobId, 'failed')
  expect(failure).toEqual({
    code: 'permission_required',
    detail: 'The permission was withdrawn',
  })
})

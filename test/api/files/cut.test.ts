import { once } from 'node:events'
import { stat, truncate, writeFile } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, ORIGIN, startLodge } from '../../support/stack.ts'
import { openEvents } from '../support/event-stream.ts'
import { share } from '../support/share.ts'
import { at, environment, type FileWorld, fileWorld } from './world.ts'

const GIB = 1024 ** 3

let world: FileWorld
let serverId: string
let owner: Caller
beforeAll(async () => {
  world = await fileWorld()
  serverId = world.serverId
  const file = path.join(world.folder, 'huge.bin')
  await writeFile(file, '')
  await truncate(file, GIB)
})
beforeEach(async () => {
  await world.lodge.database.pool.query('truncate rate_limits')
  // Events of an earlier test's session may still arrive.
  owner = await world.lodge.session(world.owner.id, world.owner.email)
})
afterAll(() => world?.[Symbol.asyncDispose]())

const transfers = () => world.lodge.controlPlane.services.fleet.openTransfers()

function request(
  caller: Caller,
  method: string,
  rest: string,
  query: Record<string, string>,
  lodge: Lodge = world.lodge,
) {
  const { hostname, port } = new URL(lodge.url)
  return http.request({
    hostname,
    port,
    method,
    agent: false,
    path: at(serverId, rest, query),
    headers: {
      cookie: `panel_session=${caller.cookie}`,
      origin: ORIGIN,
      host: new URL(ORIGIN).host,
      ...(method === 'PUT' && { 'content-type': 'application/octet-stream' }),
    },
  })
}

/** A download whose reader reads a little now and then. @returns once it has begun */
async function download(caller: Caller, lodge?: Lodge): Promise<{ broken(): Promise<boolean> }> {
  const sent = request(caller, 'GET', '/content', { path: '/huge.bin' }, lodge)
  sent.on('error', () => undefined)
  sent.end()
  const [response] = (await once(sent, 'response')) as [http.IncomingMessage]
  expect(response.statusCode, response.statusCode === 200 ? '' : await text(response)).toBe(200)
  response.on('error', () => undefined)
  const reading = setInterval(() => response.read(16_384), 20)
  const broken = Promise.withResolvers<boolean>()
  response.once('close', () => {
    clearInterval(reading)
    broken.resolve(!response.complete)
  })
  return {
    broken() {
      // Data in flight still arrives.
      clearInterval(reading)
      response.resume()
      return broken.promise
    },
  }
}

/** An upload whose sender sends a little now and then. */
function upload(caller: Caller, file: string) {
  const sent = request(caller, 'PUT', '/content', { path: file })
  const answer = Promise.withResolvers<number>()
  sent.on('response', (response) => {
    response.resume()
    answer.resolve(response.statusCode ?? 0)
  })
  sent.on('error', () => answer.resolve(0))
  sent.write('begun')
  const writing = setInterval(() => sent.write('more'), 50)
  void answer.promise.finally(() => {
    clearInterval(writing)
    sent.destroy()
  })
  return answer.promise
}

const under = (count: number) => expect.poll(() => transfers().length).toBe(count)
/** The upload was refused, or aborted. */
const CUT = [0, 403]

test('B1: transfers of a former collaborator end within two seconds', async () => {
  const bob = await world.lodge.customer()
  const stream = openEvents(world.lodge, bob)
  await stream.next(({ event }) => event === 'reset')
  await share(world.lodge, serverId, owner, bob, ['files.read', 'files.write'])
  // A changed share ends earlier transfers, whichever way it changed.
  await stream.next(({ event }) => event === 'rights')
  stream.close()
  const down = await download(bob)
  const up = upload(bob, '/from-bob.bin')
  await under(2)
  const beganMs = performance.now()
  await owner.must('DELETE /api/servers/{id}/collaborators/{userId}', {
    params: { id: serverId, userId: bob.id },
  })
  expect(CUT).toContain(await up)
  await under(0)
  expect(performance.now() - beganMs).toBeLessThan(2_000)
  expect(await down.broken()).toBe(true)
  await expect(stat(path.join(world.folder, 'from-bob.bin'))).rejects.toThrow('ENOENT')
})

test('a changed share ends earlier transfers on every instance, but none begun since', async () => {
  await using second = await startLodge({ environment, beside: world.lodge })
  const bob = await world.lodge.customer()
  const stream = openEvents(world.lodge, bob)
  await stream.next(({ event }) => event === 'reset')
  const heard = (count: number) =>
    expect.poll(() => stream.events.filter(({ event }) => event === 'rights').length).toBe(count)
  const grant = async (...permissions: ['files.read', ...('files.write' | 'console.read')[]]) => {
    const params = { id: serverId, userId: bob.id }
    const body = { permissions }
    await owner.must('PATCH /api/servers/{id}/collaborators/{userId}', { params, body })
  }
  await share(world.lodge, serverId, owner, bob, ['files.read', 'files.write'])
  await heard(1)
  const before = await download(bob, second)
  await grant('files.read')
  await heard(2)
  expect(await before.broken()).toBe(true)
  const since = await download(bob)
  // The same event once more, as from a delayed instance.
  const { live } = world.lodge.controlPlane.services
  live.heard({ kind: 'server-access', id: `${serverId}:${bob.id}` })
  await heard(3)
  await under(1)
  await grant('files.read', 'console.read')
  expect(await since.broken()).toBe(true)
  stream.close()
})

test('a suspension ends earlier transfers on every instance, but none begun since', async () => {
  await using second = await startLodge({ environment, beside: world.lodge })
  const { items } = await owner.must('GET /api/auth/sessions')
  const id = items.find(({ current }) => current)?.id ?? ''
  /** The same event once more, as from a delayed instance, after all have received it. */
  const lateNews = async () => {
    const other = await world.lodge.customer()
    const streams = [world.lodge, second].map((lodge) => openEvents(lodge, other))
    for (const stream of streams) await stream.next(({ event }) => event === 'reset')
    for (const { controlPlane } of [world.lodge, second])
      controlPlane.services.live.heard({ kind: 'session', id })
    await other.must('POST /api/auth/logout')
    for (const stream of streams) await stream.over
  }
  const params = { id: owner.id }
  const before = await download(owner, second)
  const body = { reasonCode: 'other' as const, options: { allowDataExport: true } }
  await world.admin.must('POST /api/customers/{id}/suspend', { params, body })
  expect(await before.broken()).toBe(true)
  const since = [await download(owner), await download(owner, second)]
  await lateNews()
  expect(transfers()).toHaveLength(1)
  await world.admin.must('DELETE /api/customers/{id}/suspension', { params, query: {} })
  for (const one of since) expect(await one.broken()).toBe(true)
  await download(owner)
  await lateNews()
  expect(transfers()).toHaveLength(1)
  world.lodge.controlPlane.services.fleet.closeRelays({ userKey: owner.id })
  await under(0)
})

test('a sign-out ends the transfers of that session, and of no other', async () => {
  const elsewhere = await world.lodge.session(owner.id, owner.email)
  const mine = upload(owner, '/mine.bin')
  const theirs = upload(elsewhere, '/theirs.bin')
  await under(2)
  const beganMs = performance.now()
  await elsewhere.must('POST /api/auth/logout')
  expect(CUT).toContain(await theirs)
  expect(performance.now() - beganMs).toBeLessThan(2_000)
  expect(transfers()).toHaveLength(1)
  world.lodge.controlPlane.services.fleet.closeRelays({ userKey: owner.id })
  expect(CUT).toContain(await mine)
})

test('B2: suspending a server ends uploads, suspending the account downloads too', async () => {
  const down = await download(owner)
  const up = upload(owner, '/late.bin')
  await under(2)
  const act = (action: 'suspend' | 'unsuspend') =>
    world.admin.must('POST /api/servers/{id}/actions', {
      params: { id: serverId },
      body: { action },
    })
  let beganMs = performance.now()
  await act('suspend')
  expect(CUT).toContain(await up)
  expect(performance.now() - beganMs).toBeLessThan(2_000)
  expect(transfers()).toEqual([expect.objectContaining({ writes: false })])
  await act('unsuspend')
  const become = (state: string) =>
    world.lodge.database.pool.query('update users set state = $2 where id = $1', [owner.id, state])
  beganMs = performance.now()
  await become('suspended')
  await under(0)
  expect(performance.now() - beganMs).toBeLessThan(2_000)
  expect(await down.broken()).toBe(true)
  await become('active')
})

test('downloads leave a connection for listings, and too many of them are refused', async () => {
  const running = [await download(owner), await download(owner), await download(owner)]
  const listed = await owner.call('GET /api/servers/{id}/files', {
    params: { id: serverId },
    query: {},
  })
  expect(listed.status).toBe(200)
  const waiting = Array.from({ length: 5 }, () => upload(owner, '/waits.bin'))
  await under(8)
  const refused = await owner.send({ url: at(serverId, '/content', { path: '/huge.bin' }) })
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_transfers'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  world.lodge.controlPlane.services.fleet.closeRelays({ userKey: owner.id })
  for (const one of waiting) expect(CUT).toContain(await one)
  for (const { broken } of running) expect(await broken()).toBe(true)
  await under(0)
})

import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contextFor } from '../../../control-plane/src/context.ts'
import { LostNodes, recoverFenced } from '../../../control-plane/src/domains/failover/recover.ts'
import {
  beginHold,
  claimStorageCopies,
  deleteStorageCopy,
  insertStorageCopy,
} from '../../../control-plane/src/domains/servers/index.ts'
import { Permanent } from '../../../control-plane/src/jobs/sagas/saga.ts'
import type { Caller } from '../../support/caller.ts'
import { quickFolder } from '../../support/quick-folder.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { jobEnd, LINUX, natNetwork } from '../../support/vm-world.ts'
import { nodeOn } from '../failover/node-on.ts'
import { Gates } from './gates.ts'

let lodge: Lodge
let admin: Caller
let templateId: string
let storage: string
let storageId: string
/** Another one. */
let slow: string
let slowId: string
let far: RealAgent
let gates: Gates
/** The folders on the storage, visible to every node. */
const folders = new Map<string, string>()
const joined: RealAgent[] = []
beforeAll(async () => {
  storage = await mkdtemp(path.join(quickFolder(), 'lodge-storage-'))
  slow = await mkdtemp(path.join(quickFolder(), 'lodge-slow-'))
  for (const one of [storage, slow]) await mkdir(path.join(one, 'lodge'))
  lodge = await startLodge()
  admin = await lodge.admin()
  templateId = (await lodge.template()).id
  await natNetwork(lodge)
  far = await join('far')
  const { storages } = await admin.must('GET /api/nodes/{id}', { params: { id: far.nodeId } })
  const idOf = (name: string) => storages.find((one) => one.name === name)?.id ?? ''
  ;[storageId, slowId] = [idOf('fast'), idOf('slow')]
  gates = new Gates('server.storage')
})
afterAll(async () => {
  gates?.restore()
  for (const agent of joined) await agent[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
  for (const one of [storage, slow]) await rm(one, { recursive: true, force: true })
})

async function join(name: string): Promise<RealAgent> {
  const agent = await nodeOn(lodge, { name, storage, slow, folders })
  joined.push(agent)
  return agent
}
const show = (id: string) => admin.must('GET /api/servers/{id}', { params: { id } })
const isRunning = (id: string) => until(async () => (await show(id)).status === 'running')
const there = (id: string) => path.join(storage, 'lodge/servers', id, 'data')
const settled = (id: string) =>
  until(async () => {
    const left = 'select from storage_copies where server_id = $1'
    return (await lodge.database.pool.query(left, [id])).rows.length === 0
  })
async function makeServer(nodeId: string, on: string | null, more: object = {}): Promise<string> {
  const { id: ownerId } = await lodge.customer()
  const { serverId, jobId } = await admin.must('POST /api/servers', {
    body: { name: 'one', ownerId, templateId, nodeId, storageId: on, ...more },
  })
  await jobEnd(admin, jobId, 'done')
  await isRunning(serverId)
  return serverId
}
async function change(id: string, nodeId: string, to: string | null, more = {}): Promise<string> {
  const body = { nodeId, storageId: to, ...more }
  return (await admin.must('POST /api/servers/{id}/migrate', { params: { id }, body })).jobId
}
async function lose(agent: RealAgent): Promise<void> {
  await agent.close()
  const params = { id: agent.nodeId }
  await until(async () => (await admin.must('GET /api/nodes/{id}', { params })).state === 'offline')
}

test('what a server may have written on its new storage while its node was away stays, even if it does not start then', async () => {
  const near = await join('near')
  const id = await makeServer(near.nodeId, null)
  const own = near.driver.dataFolder(id)
  folders.set(own, 'all of it')
  gates.before(id, 'Prove the new storage', () => lose(near))
  const jobId = await change(id, near.nodeId, storageId)
  await until(async () => (await show(id)).storage !== null && (await show(id)).holds.length === 0)
  // What is written to it now would be lost if it went back.
  const folder = { params: { id }, body: { path: '/maps' } }
  expect(await admin.call('POST /api/servers/{id}/files/mkdir', folder)).toMatchObject({
    ...{ status: 409, body: { code: 'hold_active' } },
  })
  folders.set(there(id), 'written since')
  near.driver.knobs.startError = new DriverError('start_failed', 'It is broken.')
  await near.connect()
  const { steps } = await jobEnd(admin, jobId, 'done')
  expect(steps.at(-1)?.detail).toBe('It did not start: It is broken.')
  near.driver.knobs.startError = null
  // Its node may have tried again meanwhile.
  const start = { params: { id }, body: { action: 'start' } } as const
  await until(
    async () =>
      (await show(id)).status === 'running' ||
      (await admin.call('POST /api/servers/{id}/actions', start)).status === 202,
  )
  await isRunning(id)
  await settled(id)
  expect((await show(id)).storage?.name).toBe('fast')
  expect([folders.get(own), folders.get(there(id))]).toEqual([undefined, 'written since'])
})

test.each([
  ['while it is copied to the disk', 'Copy to the other storage', 'disk'],
  ['before it starts on the disk', 'Prove the new storage', 'disk'],
  ['before it starts on the storage', 'Prove the new storage', 'storage'],
  ['before it starts on another storage', 'Prove the new storage', 'slow'],
] as const)('a server whose node is lost %s comes back from the storage', async (_, step, to) => {
  const name = `${to} ${step}`.replaceAll(' ', '-').toLowerCase()
  const near = await join(name)
  const from = to === 'storage' ? null : storageId
  const onto = { disk: null, storage: storageId, slow: slowId }[to]
  const id = await makeServer(near.nodeId, from)
  folders.set(near.driver.dataFolder(id), 'all of it')
  let run = ''
  gates.before(id, step, async () => {
    await lose(near)
    const body = { nodeId: near.nodeId, confirm: name }
    run = (await admin.must('POST /api/failover/run', { body })).jobId
  })
  const failed = await jobEnd(admin, await change(id, near.nodeId, onto), 'failed')
  expect(failed.failure?.code).toBe('node_lost')
  await jobEnd(admin, run, 'done')
  await isRunning(id)
  const { nodeId, storage: lies } = await show(id)
  expect([nodeId === near.nodeId, lies?.name]).toEqual([false, 'fast'])
  expect(folders.get(there(id))).toBe('all of it')
  folders.set(there(id), 'written since')
  // What the change has left on the lost node goes once that is back, and none of the files.
  await near.connect()
  if (to === 'slow') await keptUntilForgotten(id)
  await settled(id)
  expect(folders.get(there(id))).toBe('written since')
  expect(await show(id)).toMatchObject({ nodeId, status: 'running' })
})

/** The node does not delete what lies where its former copy does, which is no failure. */
async function keptUntilForgotten(id: string): Promise<void> {
  const { pool } = lodge.database
  const isThere = async (found: string) => (await pool.query(found, [id])).rows.length > 0
  await until(() =>
    isThere(`select from storage_copies where server_id = $1 and failure is null
      and try_at > now() + interval '1 minute'`),
  )
  await until(() =>
    isThere(`update superseded_copies set stopped_at = now() - interval '8 days', try_at = now()
      where server_id = $1 and stopped_at is not null returning server_id`),
  )
  await until(() =>
    isThere('select from superseded_copies where server_id = $1 and deleted_at is not null'),
  )
  await pool.query('update storage_copies set try_at = now() where server_id = $1', [id])
}

test('a change that waits for its node is cancelled, and the server stays where it may have run', async () => {
  const near = await join('patient')
  const id = await makeServer(near.nodeId, null)
  gates.before(id, 'Prove the new storage', () => lose(near))
  const jobId = await change(id, near.nodeId, storageId)
  await until(async () => (await show(id)).storage !== null && (await show(id)).holds.length === 0)
  await admin.must('POST /api/jobs/{id}/cancel', { params: { id: jobId } })
  await jobEnd(admin, jobId, 'cancelled')
  expect((await show(id)).storage?.name).toBe('fast')
  await near.connect()
  await isRunning(id)
  await settled(id)
  expect((await show(id)).storage?.name).toBe('fast')
})

test('a change of storage goes on if its node is accepted again while it would be given up', async () => {
  const near = await join('accepted')
  const id = await makeServer(near.nodeId, null)
  const { pool } = lodge.database
  const lost = new LostNodes()
  lost.see([near.nodeId], 0)
  let begun: number | undefined
  gates.before(id, 'Copy to the other storage', async () => {
    await lose(near)
    const auto = `update servers set failover_mode = 'auto', failover_revision = 1,
      guarded_revision = 1 where id = $1`
    await pool.query(auto, [id])
    await pool.query('update nodes set fenced_at = now() where id = $1', [near.nodeId])
    const accepting = await pool.connect()
    try {
      await accepting.query('begin')
      await accepting.query('update nodes set fenced_at = null where id = $1', [near.nodeId])
      const recovery = recoverFenced(lodge.controlPlane.services, lost, 1e9)
      await until(async () => {
        const waiting = `select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return (await pool.query(waiting)).rows.length > 0
      })
      await accepting.query('commit')
      begun = await recovery
    } finally {
      accepting.release()
    }
    const none = `update servers set failover_mode = null, failover_revision = 2,
      guarded_revision = 0 where id = $1`
    await pool.query(none, [id])
    await near.connect()
  })
  await jobEnd(admin, await change(id, near.nodeId, storageId), 'done')
  expect(begun).toBe(0)
  await isRunning(id)
})

test('a copy is deleted by one process at a time, and forgotten only if it is the one that was deleted', async () => {
  const id = await makeServer(far.nodeId, null)
  const copy = { serverId: id, nodeId: far.nodeId, kind: 'container', storageId } as const
  const undo = new Error('undo')
  const seen: unknown[] = []
  const ctx = contextFor(lodge.controlPlane.services, { kind: 'system' } as const)
  // Nobody else sees the copy in this transaction.
  const looked = ctx.transaction(async ({ db }) => {
    const own = async () => (await claimStorageCopies(db, 60)).filter((one) => one.serverId === id)
    await insertStorageCopy(db, { ...copy, placementGeneration: 1 })
    const [claimed] = await own()
    seen.push(claimed?.isHere, await own())
    if (!claimed) throw undo
    await db.execute(`update storage_copies set claimed_until = null where server_id = '${id}'`)
    await deleteStorageCopy(db, { ...claimed, createdAt: '2020-01-01 00:00:00.123456+00' })
    seen.push((await own()).length)
    await db.execute(`update storage_copies set claimed_until = null where server_id = '${id}'`)
    await deleteStorageCopy(db, claimed)
    seen.push(await own())
    throw undo
  })
  await expect(looked).rejects.toBe(undo)
  expect(seen).toEqual([true, [], 1, []])
})

test('what a node that is away has left does not keep a server from changing its storage on another', async () => {
  const id = await makeServer(far.nodeId, null)
  const away = await join('away')
  await lose(away)
  await lodge.database.pool.query(
    `insert into storage_copies (server_id, node_id, kind, storage_id, placement_generation)
     values ($1, $2, 'container', null, 1)`,
    [id, away.nodeId],
  )
  await jobEnd(admin, await change(id, far.nodeId, storageId), 'done')
  await isRunning(id)
  await away.connect()
  await settled(id)
  expect((await show(id)).storage?.name).toBe('fast')
})

test('a machine whose new storage goes away before it starts there runs from its former disks', async () => {
  const near = await join('forsaken')
  const size = { memoryMb: 512, diskMb: 1024 }
  const vm = { vcpus: 1, source: { kind: 'empty' } }
  const id = await makeServer(near.nodeId, null, { templateId: LINUX, vm, ...size })
  const partsOf = () => near.driver.runtime.machines.get(id)?.parts
  partsOf()?.set('system', 'the last block')
  const away = `${slow}-away`
  gates.before(id, 'Prove the new storage', async () => {
    await rename(slow, away)
    await mkdir(slow)
  })
  try {
    const { failure } = await jobEnd(
      admin,
      await change(id, near.nodeId, slowId, { stop: true }),
      'failed',
    )
    expect(failure?.code).toBe('storage_away')
    await isRunning(id)
    expect([(await show(id)).storage, partsOf()?.get('system')]).toEqual([null, 'the last block'])
  } finally {
    await rm(slow, { recursive: true })
    await rename(away, slow)
  }
  await settled(id)
})

test('a server that is stuck on a storage which is away takes its former copy, and what is newer again later', async () => {
  const near = await join('stuck')
  const id = await makeServer(near.nodeId, null)
  const own = near.driver.dataFolder(id)
  const onSlow = path.join(slow, 'lodge/servers', id, 'data')
  folders.set(own, 'older')
  const away = `${slow}-away`
  // It may have run there for a moment, so nothing leads back by itself.
  gates.before(id, 'Prove the new storage', async () => {
    folders.set(onSlow, 'newer')
    await rename(slow, away)
    await mkdir(slow)
    await lose(near)
    await near.connect()
  })
  const params = { id }
  const body = { nodeId: near.nodeId, storageId: null }
  const migrate = (more: object) =>
    admin.call('POST /api/servers/{id}/migrate', { params, body: { ...body, ...more } })
  const take = (storageId: string | null, confirm = true) =>
    admin.call('POST /api/servers/{id}/take-copy', { params, body: { storageId, confirm } })
  const taken = (to: string | null, state: 'done' | 'failed' = 'done') =>
    until(async () => {
      const { body } = await take(to)
      return 'jobId' in body && jobEnd(admin, body.jobId, state)
    })
  const left = async () => {
    const { storageCopies } = await admin.must('GET /api/failover/status')
    return storageCopies.find(({ serverId }) => serverId === id)
  }
  try {
    await jobEnd(admin, await change(id, near.nodeId, slowId), 'done')
    expect((await show(id)).storage?.id).toBe(slowId)
    await until(async () => (await left())?.failed ?? undefined)
    expect(await migrate({})).toMatchObject({ status: 409, body: { code: 'part_left_behind' } })
    const { here } = await admin.must('GET /api/servers/{id}/migration-targets', { params })
    expect(here.storages.filter(({ copyOf }) => copyOf !== null)).toMatchObject([{ id: null }])
    expect(await take(storageId)).toMatchObject({
      ...{ status: 409, body: { code: 'conflict' } },
    })
    // Its node may be trying to delete it just now.
    await until(async () => {
      const { body } = await take(null, false)
      return 'code' in body && body.code === 'confirmation_required'
    })
    await taken(null)
    await isRunning(id)
    expect([(await show(id)).storage, folders.get(near.driver.dataFolder(id))]).toEqual([
      ...[null, 'older'],
    ])
    // Its days do not pass while nobody could take it.
    const past = `kept_until = now() - interval '1 hour', out_of_reach_since = now() - interval '2 hours'`
    await lodge.database.pool.query(`update storage_copies set ${past} where server_id = $1`, [id])
    const inSixDays = Date.now() + 6 * 86_400_000
    await until(async () => Date.parse((await left())?.keptUntil ?? '') > inSixDays)
  } finally {
    await rm(slow, { recursive: true })
    await rename(away, slow)
  }
  // No other node could take what is newer.
  const { items } = await admin.must('GET /api/servers/{id}/migration-targets', { params })
  expect(items[0]?.why).toContain('keeps another copy of it, which it could not take elsewhere')
  // What is newer is not deleted once its storage is back.
  expect(await left()).toMatchObject({ storage: { id: slowId }, keptUntil: expect.any(String) })
  // Neither if it cannot be taken at first.
  gates.before(id, 'Prove the new storage', () => {
    throw new Permanent('test_fault', 'It was told to fail')
  })
  await taken(slowId, 'failed')
  await isRunning(id)
  expect(folders.get(near.driver.dataFolder(id))).toBe('older')
  await taken(slowId)
  await isRunning(id)
  expect(folders.get(near.driver.dataFolder(id))).toBe('newer')
  const forget = (query: object, as = admin) =>
    as.call('DELETE /api/nodes/{id}/storage-copies/{serverId}', {
      ...{ params: { id: near.nodeId, serverId: id }, query },
    })
  expect(await forget({})).toMatchObject({ body: { code: 'confirmation_required' } })
  expect((await forget({ confirm: 'true' })).status).toBe(204)
  expect((await forget({ confirm: 'true' })).status).toBe(404)
  await jobEnd(admin, (await migrate({})).body.jobId, 'done')
  await isRunning(id)
  expect(folders.get(near.driver.dataFolder(id))).toBe('newer')
  await settled(id)
})

test('a change that breaks off while it looks whether the server has run goes back if it has not', async () => {
  const near = await join('looking')
  const id = await makeServer(near.nodeId, null)
  near.driver.knobs.startError = new DriverError('start_failed', 'It is broken.')
  const ctx = contextFor(lodge.controlPlane.services, { kind: 'system' } as const)
  gates.before(id, 'Finish', async () => {
    await beginHold(ctx, id, { kind: 'migrating', cause: 'storage-back' })
    await until(async () => {
      const held = 'select from servers where id = $1 and settled_generation >= generation'
      return (await lodge.database.pool.query(held, [id])).rows.length > 0
    })
    throw new Permanent('test_fault', 'It was told to fail')
  })
  await jobEnd(admin, await change(id, near.nodeId, storageId), 'failed')
  near.driver.knobs.startError = null
  const { storage: lies, holds } = await show(id)
  expect([lies, holds]).toEqual([null, []])
  await settled(id)
})

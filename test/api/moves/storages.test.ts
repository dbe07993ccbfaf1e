import { randomUUID } from 'node:crypto'
import { access, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contextFor } from '../../../control-plane/src/context.ts'
import { provisionDue } from '../../../control-plane/src/domains/billing/provision.ts'
import { archiveSaga } from '../../../control-plane/src/domains/files/sagas.ts'
import { taskOf } from '../../../control-plane/src/domains/servers/index.ts'
import type { Caller } from '../../support/caller.ts'
import { quickFolder } from '../../support/quick-folder.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { shareBackups } from '../../support/shared-backups.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { jobEnd, LINUX, machineNode, natNetwork } from '../../support/vm-world.ts'
import { nodeOn } from '../failover/node-on.ts'

const MONTHLY = { cycle: 'monthly', amount: 1000, currency: 'EUR' } as const

let lodge: Lodge
let admin: Caller
let owner: Caller
let templateId: string
let storage: string
let storageId: string
/** With the storage. */
let near: RealAgent
/** Without it. */
let plain: RealAgent
beforeAll(async () => {
  storage = await mkdtemp(path.join(quickFolder(), 'lodge-storage-'))
  await mkdir(path.join(storage, 'lodge'))
  lodge = await startLodge()
  admin = await lodge.admin()
  owner = await lodge.customer()
  templateId = (await lodge.template()).id
  await natNetwork(lodge)
  near = await nodeOn(lodge, { name: 'near', storage })
  plain = (await machineNode(lodge, { name: 'plain', memoryMb: 65_536 })).agent
  shareBackups([near, plain])
  const { storages } = await admin.must('GET /api/nodes/{id}', { params: { id: near.nodeId } })
  storageId = storages[0]?.id ?? ''
})
afterAll(async () => {
  for (const agent of [near, plain]) await agent?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
  await rm(storage, { recursive: true, force: true })
})

async function makeServer(body: object): Promise<string> {
  const { serverId, jobId } = await admin.must('POST /api/servers', {
    body: { name: 'one', ownerId: owner.id, templateId, ...body },
  })
  await jobEnd(admin, jobId, 'done')
  return serverId
}
const show = (id: string) => admin.must('GET /api/servers/{id}', { params: { id } })
const isRunning = (id: string) => until(async () => (await show(id)).status === 'running')
const move = (id: string, body: object, as = admin) =>
  as.call('POST /api/servers/{id}/migrate', {
    params: { id },
    body: { nodeId: near.nodeId, ...body },
  })
async function moved(id: string, body: object, state: 'done' | 'failed' = 'done') {
  const { status, body: accepted } = await move(id, body)
  expect([status, accepted]).toMatchObject([202, {}])
  return await jobEnd(admin, accepted.jobId, state)
}
const onStorage = (id: string) => path.join(storage, 'lodge/servers', id)
const isThere = (id: string) =>
  access(onStorage(id)).then(
    () => true,
    () => false,
  )
const filesOf = ({ driver }: RealAgent, id: string) =>
  driver.runtime.folders.get(driver.dataFolder(id))
/** Its former copy is gone, and its node is free for it again. */
const forgotten = async ({ driver }: RealAgent, id: string) => {
  await until(() => !driver.runtime.servers.has(id))
  const left = `select from server_moves where server_id = $1
    union all select from vm_moves where server_id = $1`
  await until(async () => (await lodge.database.pool.query(left, [id])).rows.length === 0)
}

test('a container server moves with its files onto a storage, and from there to the disk of a node', async () => {
  const id = await makeServer({ nodeId: plain.nodeId })
  await isRunning(id)
  plain.driver.runtime.folders.set(plain.driver.dataFolder(id), 'all of it')
  const { items } = await admin.must('GET /api/servers/{id}/migration-targets', { params: { id } })
  expect(items).toMatchObject([
    { nodeName: 'near', possible: true, storages: [{ id: storageId, name: 'fast', why: null }] },
  ])
  await moved(id, { storageId })
  await isRunning(id)
  expect(await show(id)).toMatchObject({ nodeId: near.nodeId, storage: { name: 'fast' } })
  expect(near.driver.dataFolder(id)).toBe(path.join(onStorage(id), 'data'))
  expect(filesOf(near, id)).toBe('all of it')
  const holder = JSON.parse(await readFile(path.join(onStorage(id), 'holder.json'), 'utf8'))
  expect(holder).toEqual({ nodeId: near.nodeId, placementGeneration: 2 })
  await forgotten(plain, id)
  expect(filesOf(plain, id)).toBeUndefined()

  // A start that fails there leads back, and takes nothing from the storage.
  near.driver.runtime.folders.set(near.driver.dataFolder(id), 'and more')
  plain.driver.knobs.startError = new DriverError('start_failed', 'It is broken.')
  await moved(id, { nodeId: plain.nodeId, storageId: null }, 'failed')
  plain.driver.knobs.startError = null
  await isRunning(id)
  expect((await show(id)).storage).toEqual({ id: storageId, name: 'fast' })
  await forgotten(plain, id)
  expect([filesOf(near, id), await isThere(id)]).toEqual(['and more', true])

  await moved(id, { nodeId: plain.nodeId, storageId: null })
  await isRunning(id)
  expect((await show(id)).storage).toBeNull()
  expect(filesOf(plain, id)).toBe('and more')
  // With the former copy, its files go from the storage.
  await forgotten(near, id)
  await until(async () => !(await isThere(id)))
})

test('a virtual machine changes its storage with its disks, and back without a copy', async () => {
  const vm = { vcpus: 1, source: { kind: 'empty' } }
  const size = { memoryMb: 512, diskMb: 1024 }
  const id = await makeServer({
    ...{ templateId: LINUX, nodeId: plain.nodeId, start: false, vm, ...size },
  })
  plain.driver.runtime.machines.get(id)?.parts.set('system', 'the last block')
  const blockOn = ({ driver }: RealAgent) => driver.runtime.machines.get(id)?.parts.get('system')
  await moved(id, { storageId })
  expect(await show(id)).toMatchObject({ nodeId: near.nodeId, storage: { name: 'fast' } })
  expect([blockOn(near), await isThere(id)]).toEqual(['the last block', true])
  // It has not run there: the former copy is as good, and that on the storage goes.
  expect(await move(id, { nodeId: plain.nodeId, storageId })).toMatchObject({
    ...{ status: 409, body: { code: 'conflict' } },
  })
  await moved(id, { nodeId: plain.nodeId })
  expect((await show(id)).storage).toBeNull()
  const params = { id }
  await admin.must('POST /api/servers/{id}/actions', { params, body: { action: 'start' } })
  await isRunning(id)
  await forgotten(near, id)
  await until(async () => !(await isThere(id)))
  await until(async () => (await move(id, { storageId, stop: true })).status === 202)
  await until(async () => (await show(id)).nodeId === near.nodeId)
  await isRunning(id)
  expect(blockOn(near)).toBe('the last block')
  await forgotten(plain, id)

  const { jobId } = await admin.must('DELETE /api/servers/{id}', {
    ...{ params, query: { confirm: 'true' } },
  })
  await jobEnd(admin, jobId, 'done')
  expect(await isThere(id)).toBe(false)
})

test('a plan on a storage is sold on nodes that have it, and its server lies there', async () => {
  const preset = { memoryMb: 64, cpuPercent: 10, diskMb: 64, templateIds: [templateId] }
  const plan = (on: string) =>
    admin.call('POST /api/plans', {
      body: {
        ...{ name: 'shared', kind: 'server', visibility: 'public', prices: [MONTHLY] },
        preset: { ...preset, locations: 'any', storageId: on },
      },
    })
  expect(await plan(templateId)).toMatchObject({
    ...{ status: 400, body: { errors: [{ pointer: '/preset/storageId' }] } },
  })
  const { id: planId } = (await plan(storageId)).body
  const sell = () =>
    owner.call('POST /api/store/checkout', {
      body: { planId, cycle: 'monthly', server: { name: 'bought', templateId } },
    })
  const { invoice } = (await sell()).body
  const kept = `select node_id as id from server_orders where name = 'bought'`
  const { rows } = await lodge.database.pool.query<{ id: string }>(kept)
  expect(rows).toEqual([{ id: near.nodeId }])
  await admin.must('POST /api/billing/invoices/{id}/mark-paid', {
    params: { id: invoice?.id ?? '' },
    body: { amount: MONTHLY.amount, reference: 'Transfer' },
  })
  await provisionDue(lodge.controlPlane.services)
  const { items } = await owner.must('GET /api/servers', { query: { q: 'bought' } })
  expect((await show(items[0]?.id ?? '')).storage?.name).toBe('fast')
  await admin.must('POST /api/nodes/{id}/cordon', { params: { id: near.nodeId } })
  expect(await sell()).toMatchObject({ status: 409, body: { code: 'no_capacity' } })
  await admin.must('POST /api/nodes/{id}/uncordon', { params: { id: near.nodeId } })
})

describe('on its own node', () => {
  const change = (id: string, storageId: string | null, as = admin) => move(id, { storageId }, as)
  const copies = async (id: string) =>
    (await lodge.database.pool.query('select from storage_copies where server_id = $1', [id])).rows
  const settled = (id: string) => until(async () => (await copies(id)).length === 0)

  test('a container server changes its storage, stays where it was if that fails, and changes back', async () => {
    const id = await makeServer({ nodeId: near.nodeId })
    await isRunning(id)
    const { folders } = near.driver.runtime
    const own = near.driver.dataFolder(id)
    const there = path.join(onStorage(id), 'data')
    folders.set(own, 'all of it')
    const params = { id }
    const targets = () => admin.must('GET /api/servers/{id}/migration-targets', { params })
    expect((await targets()).here).toEqual({
      present: { id: null, name: null },
      storages: [{ id: storageId, name: 'fast', why: null, copyOf: null }],
    })

    // The copy fails: nothing has changed, nothing is left, and it runs again.
    near.driver.knobs.copyError = new DriverError('copy_damaged', 'It is not what was copied.')
    await moved(id, { storageId }, 'failed')
    near.driver.knobs.copyError = null
    await isRunning(id)
    await settled(id)
    expect([near.driver.dataFolder(id), await isThere(id)]).toEqual([own, false])
    // So does the start there: it lies where it was, and runs from its former files.
    near.driver.knobs.startError = new DriverError('start_failed', 'It is broken.')
    await moved(id, { storageId }, 'failed')
    near.driver.knobs.startError = null
    // Refused if its crash policy is starting it already.
    await admin.call('POST /api/servers/{id}/actions', { params, body: { action: 'start' } })
    await isRunning(id)
    await settled(id)
    expect((await show(id)).storage).toBeNull()
    expect([folders.get(own), folders.get(there), await isThere(id)]).toEqual([
      ...['all of it', undefined, false],
    ])

    await moved(id, { storageId })
    await isRunning(id)
    expect((await show(id)).storage).toEqual({ id: storageId, name: 'fast' })
    await settled(id)
    expect([folders.get(own), folders.get(there)]).toEqual([undefined, 'all of it'])
    const holder = JSON.parse(await readFile(path.join(onStorage(id), 'holder.json'), 'utf8'))
    expect(holder).toEqual({ nodeId: near.nodeId, placementGeneration: 1 })
    expect(await change(id, storageId)).toMatchObject({
      ...{ status: 409, body: { code: 'invalid_state' } },
    })
    expect((await targets()).here.present).toEqual({ id: storageId, name: 'fast' })

    folders.set(there, 'and more')
    await moved(id, { storageId: null })
    await isRunning(id)
    await settled(id)
    expect([folders.get(own), await isThere(id)]).toEqual(['and more', false])
    expect((await show(id)).storage).toBeNull()
  })

  test('a stopped machine changes its storage with its disks and snapshots, and one that runs is stopped', async () => {
    const vm = { vcpus: 1, source: { kind: 'empty' } }
    const size = { memoryMb: 512, diskMb: 1024 }
    const id = await makeServer({
      ...{ templateId: LINUX, nodeId: near.nodeId, start: false, vm, ...size },
    })
    const machine = () => near.driver.runtime.machines.get(id)
    machine()?.parts.set('system', 'the last block')
    const params = { id }
    const taken = await admin.must('POST /api/servers/{id}/vm/snapshots', {
      params,
      body: { name: 'before' },
    })
    await jobEnd(admin, taken.jobId, 'done')
    const { here } = await admin.must('GET /api/servers/{id}/vm/migration-targets', { params })
    expect(here.storages).toMatchObject([{ id: storageId, why: null }])
    await moved(id, { storageId })
    await settled(id)
    expect([(await show(id)).storage?.name, (await show(id)).status]).toEqual(['fast', 'stopped'])
    expect([machine()?.parts.get('system'), machine()?.snapshots.size]).toEqual([
      ...['the last block', 1],
    ])
    // A copy from before its disk was added would give it an empty one.
    const { pool } = lodge.database
    await pool.query(
      `insert into storage_copies (server_id, node_id, kind, placement_generation, disks, try_at)
       values ($1, $2, 'vm', 1, '{}', now() + interval '1 day')`,
      [id, near.nodeId],
    )
    const take = { params, body: { storageId: null, confirm: true } }
    expect(await admin.call('POST /api/servers/{id}/take-copy', take)).toMatchObject({
      ...{ status: 409, body: { detail: expect.stringMatching('The copy lacks the disk') } },
    })
    const kept = `update storage_copies set kept_until = now() + interval '1 day' where server_id = $1`
    await pool.query(kept, [id])
    // Nor could it be taken with a disk that is added now.
    const larger = { params, body: { disks: [{ sizeMb: 1024 }] } }
    expect(await admin.call('POST /api/servers/{id}/vm/disks', larger)).toMatchObject({
      ...{ status: 409, body: { code: 'part_left_behind' } },
    })
    await pool.query('delete from storage_copies where server_id = $1', [id])
    await admin.must('POST /api/servers/{id}/actions', { params, body: { action: 'start' } })
    await isRunning(id)
    expect(await change(id, null)).toMatchObject({
      ...{ status: 409, body: { code: 'invalid_state' } },
    })
    await moved(id, { storageId: null, stop: true })
    await isRunning(id)
    await settled(id)
    expect([machine()?.parts.get('system'), await isThere(id)]).toEqual(['the last block', false])
  })

  test('only the host does, where the node has room and its driver can, and one change after the other', async () => {
    const id = await makeServer({ nodeId: near.nodeId, start: false })
    expect(await change(id, storageId, owner)).toMatchObject({
      ...{ status: 403, body: { code: 'permission_required' } },
    })
    const asked = await owner.must('GET /api/servers/{id}/migration-targets', { params: { id } })
    expect(asked.here.storages).toEqual([])
    expect(await change(id, templateId)).toMatchObject({
      ...{ status: 409, body: { code: 'unsupported_on_node' } },
    })
    const { pool } = lodge.database
    const capable = (change: string) =>
      pool.query(`update nodes set capabilities = ${change} where id = $1`, [near.nodeId])
    await capable(`array_remove(capabilities, 'container.relocation')`)
    expect(await change(id, storageId)).toMatchObject({
      ...{ status: 409, body: { code: 'unsupported_on_node' } },
    })
    await capable(`capabilities || '{container.relocation}'`)
    // A job may still write into the files that would be left.
    const { jobs, ...services } = lodge.controlPlane.services
    const about = { title: 'Archive all files on one', serverId: id } as const
    const archive = { serverId: id, nodeId: near.nodeId, userId: owner.id }
    const { id: archiving } = await jobs.sagas.enqueue(
      contextFor({ jobs, ...services }, { kind: 'system' } as const),
      archiveSaga,
      { ...archive, task: { do: 'archive', paths: ['/'], to: '/all.zip', format: 'zip' } },
      about,
      { runAt: new Date(Date.now() + 86_400_000) },
    )
    expect(await change(id, storageId)).toMatchObject({
      ...{ status: 409, body: { code: 'job_in_progress' } },
    })
    await admin.must('POST /api/jobs/{id}/cancel', { params: { id: archiving } })
    await jobEnd(admin, archiving, 'cancelled')
    // Its node still has to delete the copy that an earlier change has left.
    near.driver.knobs.copyDelayMs = 60_000
    const { jobId } = (await change(id, storageId)).body
    expect(await change(id, storageId)).toMatchObject({ body: { code: 'hold_active' } })
    await admin.must('POST /api/jobs/{id}/cancel', { params: { id: jobId } })
    await jobEnd(admin, jobId, 'cancelled')
    near.driver.knobs.copyDelayMs = 0
    await settled(id)
    expect([(await show(id)).storage, await isThere(id)]).toEqual([null, false])
    await pool.query(
      `insert into storage_copies (server_id, node_id, kind, storage_id, placement_generation, try_at)
       values ($1, $2, 'container', $3, 1, now() + interval '1 day')`,
      [id, near.nodeId, storageId],
    )
    expect(await change(id, storageId)).toMatchObject({
      ...{ status: 409, body: { code: 'part_left_behind' } },
    })
    await pool.query('update storage_copies set try_at = now()')
    await settled(id)
    // A deletion that comes late does not have the server lie where it was then.
    const late = { do: 'drop-copy', on: null, lies: storageId, placementGeneration: 1 } as const
    const task = { taskId: randomUUID(), serverId: id, work: taskOf(late) }
    const { fleet } = lodge.controlPlane.services
    await expect(fleet.runTask(near.nodeId, task, { timeoutMs: 10_000 })).rejects.toMatchObject({
      code: 'not_permitted',
    })
  })
})

test('only the host chooses a storage, of those that the node has, with room and agents that can', async () => {
  const id = await makeServer({ nodeId: plain.nodeId, start: false })
  expect(await move(id, { storageId }, owner)).toMatchObject({
    ...{ status: 403, body: { code: 'permission_required' } },
  })
  const { items } = await owner.must('GET /api/servers/{id}/migration-targets', { params: { id } })
  expect(items).toMatchObject([{ nodeName: 'near', possible: true, storages: [] }])
  expect(await move(id, { storageId: templateId })).toMatchObject({
    body: { code: 'unsupported_on_node', detail: 'near does not have this shared storage now' },
  })
  const { pool } = lodge.database
  const old = `update nodes set capabilities = array_remove(capabilities, 'agent.storage-changes')
    where id = $1`
  await pool.query(old, [near.nodeId])
  expect(await move(id, { storageId })).toMatchObject({
    body: { detail: 'The agent of near is too old to change the storage of servers: update it' },
  })
})

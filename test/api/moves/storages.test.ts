import { access, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { provisionDue } from '../../../control-plane/src/domains/billing/provision.ts'
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
}, 60_000)
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
const forgotten = ({ driver }: RealAgent, id: string) =>
  until(() => !driver.runtime.servers.has(id))

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

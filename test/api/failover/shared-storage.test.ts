import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { quickFolder } from '../../support/quick-folder.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { shareBackups } from '../../support/shared-backups.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { jobEnd, LINUX, natNetwork } from '../../support/vm-world.ts'
import { nodeOn } from './node-on.ts'

let lodge: Lodge
let admin: Caller
let owner: Caller
let templateId: string
/** The path at which both nodes have mounted the storage, and its identity. */
let storage: string
let storageId: string
let alpha: RealAgent
let beta: RealAgent
/** Without the storage, and with the most capacity. */
let plain: RealAgent
beforeAll(async () => {
  storage = await mkdtemp(path.join(quickFolder(), 'lodge-storage-'))
  // What an operator does if the file system cannot be distinguished from a disk.
  await mkdir(path.join(storage, 'lodge'))
  lodge = await startLodge()
  admin = await lodge.admin()
  owner = await lodge.customer()
  templateId = (await lodge.template()).id
  await natNetwork(lodge)
  plain = await startRealAgent(lodge, await lodge.joinedNode({ name: 'plain', memoryMb: 65_536 }))
  alpha = await join('alpha')
  beta = await join('beta')
  shareBackups([plain, alpha, beta])
  const [first, second] = await Promise.all([alpha, beta].map(storagesOf))
  storageId = first?.[0]?.id ?? ''
  expect(first).toMatchObject([{ name: 'fast', path: storage, why: null }])
  // Proven by its contents: both nodes see the same.
  expect(second).toEqual(first)
})
afterAll(async () => {
  for (const agent of [alpha, beta, plain]) await agent?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
  await rm(storage, { recursive: true, force: true })
})

/** The folders on the storage, visible to every node. */
const folders = new Map<string, string>()
const disks: RealAgent['driver']['runtime']['disks'] = new Map()
const join = (name: string) => nodeOn(lodge, { name, storage, folders, disks })
const nodeOf = ({ nodeId }: RealAgent) =>
  admin.must('GET /api/nodes/{id}', { params: { id: nodeId } })
const storagesOf = async (agent: RealAgent) => (await nodeOf(agent)).storages
const checkAgain = ({ nodeId: id }: RealAgent) =>
  admin.must('POST /api/nodes/{id}/checks', { params: { id } })
const create = (body: object) =>
  admin.call('POST /api/servers', {
    body: { name: 'one', ownerId: owner.id, templateId, start: true, storageId, ...body },
  })
async function makeServer(body: object = {}): Promise<string> {
  const { status, body: made } = await create(body)
  expect([status, made]).toMatchObject([202, {}])
  await jobEnd(admin, made.jobId, 'done')
  return made.serverId
}
/** Creates a machine with a changed disk and an earlier snapshot of it, both on the storage. */
async function makeMachine(nodeId: string): Promise<string> {
  const vm = { vcpus: 1, source: { kind: 'empty' } }
  const size = { memoryMb: 512, diskMb: 1024 }
  const id = await makeServer({
    ...{ name: 'machine', templateId: LINUX, start: false, ...size, vm, nodeId },
  })
  const params = { id }
  const taken = await owner.must('POST /api/servers/{id}/vm/snapshots', {
    ...{ params, body: { name: 'before' } },
  })
  await jobEnd(owner, taken.jobId, 'done')
  disks.get(dataOf(id))?.parts.set('system', 'the last block').set('firmware', 'the last key')
  await act(id, 'start')
  await isRunning(id)
  return id
}
const blockOf = (agent: RealAgent, id: string) =>
  agent.driver.runtime.machines.get(id)?.parts.get('system')
const vmOf = (id: string) => owner.must('GET /api/servers/{id}/vm', { params: { id } })
const snapshotsOf = async (id: string) => (await vmOf(id)).snapshots
const diskOn = async (agent: RealAgent) => (await nodeOf(agent)).allocated.diskMb

const show = (id: string) => admin.must('GET /api/servers/{id}', { params: { id } })
const act = (id: string, action: 'start' | 'stop') =>
  admin.must('POST /api/servers/{id}/actions', { params: { id }, body: { action } })
const dataOf = (id: string) => path.join(storage, 'lodge/servers', id, 'data')
const holderOf = async (id: string) =>
  JSON.parse(await readFile(path.join(storage, 'lodge/servers', id, 'holder.json'), 'utf8'))
const running = (agent: RealAgent, id: string) =>
  agent.driver.runtime.servers.get(id)?.workload?.running ?? false
const isRunning = (id: string) => until(async () => (await show(id)).status === 'running')

test('only nodes that have a storage get servers on it', async () => {
  const id = await makeServer()
  const { nodeId, storage: named } = await show(id)
  expect([alpha.nodeId, beta.nodeId]).toContain(nodeId)
  // Its people see the name, and its host finds all servers on it.
  expect(named).toEqual({ id: storageId, name: 'fast' })
  const found = async (filter: string) =>
    (await admin.must('GET /api/servers', { query: { filter } })).items.map((one) => one.id)
  expect(await found('storage:FA*')).toContain(id)
  expect(await found(`storage:${storageId}`)).toContain(id)
  expect(await found('storage:none storage:fast')).toEqual([])
  expect(await found('storage:slow')).toEqual([])
  const of = { params: { id: nodeId } }
  const { serversOnStorage } = await admin.must('GET /api/nodes/{id}/hardware', of)
  expect(serversOnStorage[storageId]).toBeGreaterThanOrEqual(1)
  expect(folders.get(dataOf(id)) ?? '').toBe('')
  const faults = async (body: object) => {
    const refused = await create(body)
    return [refused.status, refused.body]
  }
  expect(await faults({ nodeId: plain.nodeId })).toMatchObject([
    400,
    { errors: [{ pointer: '/nodeId' }] },
  ])
  expect(await faults({ storageId: templateId })).toMatchObject([
    400,
    { errors: [{ pointer: '/storageId' }] },
  ])
  // Customers cannot choose it.
  const own = await owner.call('POST /api/me/servers', {
    body: { name: 'mine', templateId, storageId } as never,
  })
  expect(own.status).toBe(400)
})

test('a server moves without copying between nodes that have its storage, and to no other node', async () => {
  const id = await makeServer({ nodeId: alpha.nodeId })
  folders.set(dataOf(id), 'written before')
  expect(await holderOf(id)).toEqual({ nodeId: alpha.nodeId, placementGeneration: 1 })
  const targets = await admin.must('GET /api/servers/{id}/migration-targets', { params: { id } })
  expect(targets.items.map(({ nodeName, possible }) => [nodeName, possible])).toEqual([
    ['beta', true],
    ['plain', false],
  ])
  const to = (nodeId: string) =>
    admin.call('POST /api/servers/{id}/migrate', { params: { id }, body: { nodeId } })
  const refused = await to(plain.nodeId)
  expect(refused).toMatchObject({ body: { code: 'unsupported_on_node' } })

  const { body } = await to(beta.nodeId)
  await jobEnd(admin, body.jobId, 'done')
  await isRunning(id)
  expect([running(alpha, id), running(beta, id)]).toEqual([false, true])
  expect(await holderOf(id)).toEqual({ nodeId: beta.nodeId, placementGeneration: 2 })
  // Its former node forgets the server, and leaves the files alone.
  await until(() => !alpha.driver.runtime.servers.has(id))
  expect(folders.get(dataOf(id))).toBe('written before')
  expect(alpha.driver.runtime.repositories.size).toBe(0)

  // If the start on the new node fails, the move is rolled back, with the current files.
  alpha.driver.knobs.startError = new Error('broken') as never
  const failed = await to(alpha.nodeId)
  await jobEnd(admin, failed.body.jobId, 'failed')
  alpha.driver.knobs.startError = null
  await isRunning(id)
  expect(running(beta, id)).toBe(true)
  await until(() => !alpha.driver.runtime.servers.has(id))
  expect(folders.get(dataOf(id))).toBe('written before')

  const { jobId } = await admin.must('DELETE /api/servers/{id}', { params: { id } })
  await jobEnd(admin, jobId, 'done')
  expect(folders.has(dataOf(id))).toBe(false)
})

test('a virtual machine moves with its disks and snapshots, and its former node deletes none', async () => {
  const [onAlpha, onBeta] = [await diskOn(alpha), await diskOn(beta)]
  const id = await makeMachine(alpha.nodeId)
  expect(await holderOf(id)).toEqual({ nodeId: alpha.nodeId, placementGeneration: 1 })
  expect((await vmOf(id)).storage).toBe('fast')
  const taken = (await diskOn(alpha)) - onAlpha
  expect(taken).toBeGreaterThan(1024)
  const params = { id }
  const targets = await admin.must('GET /api/servers/{id}/migration-targets', { params })
  expect(targets).toMatchObject({ bytes: 0 })
  expect(targets.items.filter(({ possible }) => possible)).toMatchObject([{ nodeName: 'beta' }])
  const to = async (nodeId: string) => {
    const body = { nodeId, stop: true }
    const { jobId } = await owner.must('POST /api/servers/{id}/migrate', { params, body })
    return await jobEnd(owner, jobId, 'done')
  }
  expect((await to(beta.nodeId)).steps.map(({ state }) => state)).toEqual(Array(8).fill('done'))
  await isRunning(id)
  expect([running(alpha, id), running(beta, id)]).toEqual([false, true])
  expect(blockOf(beta, id)).toBe('the last block')
  expect(await holderOf(id)).toEqual({ nodeId: beta.nodeId, placementGeneration: 2 })
  expect(await snapshotsOf(id)).toMatchObject([{ name: 'before', state: 'ready' }])
  // Once it has booted there, its former node forgets it, and its capacity is released.
  await until(() => !alpha.driver.runtime.servers.has(id))
  await until(async () => (await diskOn(alpha)) === onAlpha)
  expect(await diskOn(beta)).toBe(onBeta + taken)
  expect(disks.get(dataOf(id))?.parts.get('firmware')).toBe('the last key')
  await to(alpha.nodeId)
  await isRunning(id)
  expect(blockOf(alpha, id)).toBe('the last block')
  await until(() => !beta.driver.runtime.servers.has(id))

  // A clone is on that storage, too, with the disks of the original.
  const cloned = await admin.must('POST /api/servers/{id}/clone', {
    ...{ params, body: { name: 'copy', includeData: true } },
  })
  await jobEnd(admin, cloned.jobId, 'done')
  expect(disks.get(dataOf(cloned.serverId))?.parts.get('system')).toBe('the last block')
  const gone = await admin.must('DELETE /api/servers/{id}', { params: { id: cloned.serverId } })
  await jobEnd(admin, gone.jobId, 'done')
  const query = { confirm: 'true' as const }
  const { jobId } = await admin.must('DELETE /api/servers/{id}', { params, query })
  await jobEnd(admin, jobId, 'done')
  expect(disks.has(dataOf(id))).toBe(false)
  await until(async () => (await diskOn(alpha)) === onAlpha && (await diskOn(beta)) === onBeta)
})

test('a server is not started while its storage is unavailable, and starts once it is available', async () => {
  const id = await makeServer({ nodeId: beta.nodeId })
  await act(id, 'stop')
  await until(async () => (await show(id)).status === 'stopped')
  // The state of an unmounted storage: the mount point exists, and is empty.
  await rename(storage, `${storage}-away`)
  await mkdir(storage)
  await act(id, 'start')
  await until(async () => (await show(id)).failure !== null)
  expect((await show(id)).failure?.detail).toContain('storage with the files')
  expect(running(beta, id)).toBe(false)
  await checkAgain(beta)
  await until(async () => (await storagesOf(beta))[0]?.id === null)
  expect((await storagesOf(beta))[0]?.why).toContain('No shared storage is mounted')
  await rm(storage, { recursive: true })
  await rename(`${storage}-away`, storage)
  await isRunning(id)
  await checkAgain(beta)
  await until(async () => (await storagesOf(beta))[0]?.id === storageId)
})

test('a node puts new servers on its default storage, also those of customers, unless another is chosen', async () => {
  const params = { id: alpha.nodeId }
  const choose = (defaultStorageId: string | null, of = params) =>
    admin.call('PATCH /api/nodes/{id}', { params: of, body: { defaultStorageId } })
  expect(await choose(storageId, { id: plain.nodeId })).toMatchObject({
    ...{ status: 400, body: { errors: [{ pointer: '/defaultStorageId' }] } },
  })
  expect((await choose(storageId)).body.defaultStorageId).toBe(storageId)
  const isThere = (id: string) =>
    holderOf(id).then(
      () => true,
      () => false,
    )
  const on = { nodeId: alpha.nodeId, start: false }
  const [byDefault, onDisk] = [
    await makeServer({ ...on, storageId: undefined }),
    await makeServer({ ...on, storageId: null }),
  ]
  expect([await isThere(byDefault), await isThere(onDisk)]).toEqual([true, false])
  expect((await show(onDisk)).storage).toBeNull()
  const machine = { templateId: LINUX, vm: { vcpus: 1, source: { kind: 'empty' } } }
  const byDefaultToo = await makeServer({ ...on, ...machine, storageId: undefined })
  expect(await isThere(byDefaultToo)).toBe(true)
  expect((await vmOf(byDefaultToo)).storage).toBe('fast')
  // A clone is where its original is, not where new servers would be.
  const clone = await admin.must('POST /api/servers/{id}/clone', {
    params: { id: onDisk },
    body: { name: 'on disk', nodeId: alpha.nodeId },
  })
  await jobEnd(admin, clone.jobId, 'done')
  expect(await isThere(clone.serverId)).toBe(false)
  expect((await choose(null)).body.defaultStorageId).toBeNull()
  expect(await isThere(await makeServer({ ...on, storageId: undefined }))).toBe(false)
})

test('a clone is on the storage of the original, another one or the disk of its node, as chosen', async () => {
  const id = await makeServer({ nodeId: alpha.nodeId, start: false })
  folders.set(dataOf(id), 'to be copied')
  const clone = (body: object) =>
    admin.call('POST /api/servers/{id}/clone', {
      params: { id },
      body: { name: 'copy', includeData: true, ...body },
    })
  const cloned = async (body: object) => {
    const { body: made } = await clone(body)
    await jobEnd(admin, made.jobId, 'done')
    return made.serverId
  }
  const like = await cloned({})
  expect([alpha.nodeId, beta.nodeId]).toContain((await show(like)).nodeId)
  expect(folders.get(dataOf(like))).toBe('to be copied')
  const away = await cloned({ storageId: null, nodeId: plain.nodeId })
  const { driver } = plain
  expect(driver.runtime.folders.get(driver.dataFolder(away))).toBe('to be copied')
  expect(folders.has(dataOf(away))).toBe(false)
  expect(await clone({ nodeId: plain.nodeId })).toMatchObject({
    ...{ status: 400, body: { errors: [{ pointer: '/nodeId' }] } },
  })
  // From the disk of a node onto the storage.
  const back = await admin.must('POST /api/servers/{id}/clone', {
    params: { id: away },
    body: { name: 'back', includeData: true, storageId, nodeId: beta.nodeId },
  })
  await jobEnd(admin, back.jobId, 'done')
  expect(folders.get(dataOf(back.serverId))).toBe('to be copied')
})

test('a lost node’s servers on a storage start on another one with all their files', async () => {
  const lost = await join('lost')
  const id = await makeServer({ nodeId: lost.nodeId, name: 'whole' })
  const machine = await makeMachine(lost.nodeId)
  const bare = await makeServer({ nodeId: lost.nodeId, name: 'bare', storageId: undefined })
  folders.set(dataOf(id), 'the last byte')
  const plan = async (ofId = id) => {
    const { servers } = await admin.must('POST /api/failover/plan', {
      body: { nodeId: lost.nodeId },
    })
    return servers.find(({ serverId }) => serverId === ofId)
  }
  for (const one of [id, machine])
    expect(await plan(one)).toMatchObject({
      ...{ storage: 'fast', backup: null, why: null, starts: true },
    })
  expect([alpha.nodeId, beta.nodeId]).toContain((await plan())?.target?.nodeId)
  const { nodes } = await admin.must('GET /api/failover/status')
  expect(nodes.find((node) => node.id === lost.nodeId)).toMatchObject({
    ...{ servers: 3, shared: 2, storages: ['fast'], unprotected: 1 },
  })

  await lost.close()
  await until(async () => (await nodeOf(lost)).state === 'offline')
  const { jobId } = await admin.must('POST /api/failover/run', {
    body: { nodeId: lost.nodeId, confirm: 'lost' },
  })
  await jobEnd(admin, jobId, 'done')
  await isRunning(id)
  const { nodeId } = await show(id)
  const at = nodeId === alpha.nodeId ? alpha : beta
  expect(running(at, id)).toBe(true)
  expect(folders.get(dataOf(id))).toBe('the last byte')
  await isRunning(machine)
  const nextOf = (await show(machine)).nodeId === alpha.nodeId ? alpha : beta
  expect([running(nextOf, machine), blockOf(nextOf, machine)]).toEqual([true, 'the last block'])
  expect(await snapshotsOf(machine)).toMatchObject([{ name: 'before', state: 'ready' }])
  const { runs } = await admin.must('GET /api/failover/status')
  const restored = { state: 'restored', storage: 'fast', backupAt: null }
  expect(runs[0]?.servers).toMatchObject([
    { serverName: 'machine', ...restored },
    { serverName: 'whole', ...restored },
  ])
  const told = await owner.must('GET /api/notifications')
  const news = told.items.filter(({ type }) => type === 'server.brought-back')
  expect(news.map(({ title }) => title).toSorted()).toEqual([
    'machine was brought back on another machine',
    'whole was brought back on another machine',
  ])
  expect((await show(bare)).nodeId).toBe(lost.nodeId)
  const returned = (of: string) =>
    owner.must('GET /api/servers/{id}/return', { params: { id: of } })
  expect(await returned(id)).toEqual({ returned: { at: expect.any(String), filesOf: null } })
  expect(await returned(bare)).toEqual({ returned: null })

  // The node was alive all the time. Its copy of the server is no longer started, not even by an
  // agent without state.
  folders.set(dataOf(id), 'written since')
  expect(await holderOf(id)).toEqual({ nodeId, placementGeneration: 2 })
  await lost.connect()
  await until(() => !running(lost, id) && !running(lost, machine))
  await until(async () => {
    const { copies } = await admin.must('GET /api/failover/status')
    return copies.every(({ stoppedAt }) => stoppedAt !== null)
  })
  // After its retention the copy is deleted, but none of the files.
  await lodge.database.pool.query(
    `update superseded_copies set stopped_at = stopped_at - interval '8 days'`,
  )
  await until(async () => (await admin.must('GET /api/failover/status')).copies.length === 0)
  await until(() => ![id, machine].some((one) => lost.driver.runtime.servers.has(one)))
  expect(blockOf(nextOf, machine)).toBe('the last block')
  expect(await show(machine)).toMatchObject({ nodeId: nextOf.nodeId, status: 'running' })
  expect(folders.get(dataOf(id))).toBe('written since')
  expect(await show(id)).toMatchObject({ nodeId, status: 'running' })
  await lost[Symbol.asyncDispose]()
})

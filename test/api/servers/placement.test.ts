import { afterAll, beforeAll, expect, test } from 'vitest'
import { HELLO } from '../../../control-plane/src/fleet/fleet.fixture.ts'
import type { Caller } from '../../support/caller.ts'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

const SIZE = { memoryMb: 64, cpuPercent: 10, diskMb: 64 }
const BIG = 1_000_000
const SICK = [
  { kind: 'docker', healthy: false, version: '', why: 'The engine does not answer', warnings: [] },
]

let lodge: Lodge
let admin: Caller
let owner: Caller
let templateId: string
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  owner = await lodge.customer()
  templateId = (await lodge.template()).id
})
afterAll(() => lodge[Symbol.asyncDispose]())

const create = (more: { nodeId?: string; location?: string; force?: boolean } = {}, of = owner) =>
  admin.call('POST /api/servers', {
    body: { name: 'One', ownerId: of.id, templateId, start: false, ...SIZE, ...more },
  })
const nodeOf = async (id: string) =>
  (await admin.must('GET /api/servers/{id}', { params: { id } })).nodeId
const quota = (of: Caller, layer: object) =>
  admin.must('PATCH /api/customers/{id}', { params: { id: of.id }, body: { quota: layer } })

test('a container is placed only on a connected, schedulable node with a working driver', async () => {
  // Each of the others has more free memory, so it would be chosen first.
  const location = 'Everywhere'
  const away = await lodge.joinedNode({ memoryMb: BIG, location })
  const closed = await lodge.node({ memoryMb: BIG, location })
  await admin.must('POST /api/nodes/{id}/cordon', { params: { id: closed.id } })
  const sick = await lodge.joinedNode({ memoryMb: BIG, location })
  const agent = await lodge.standIn(sick, { drivers: SICK })
  const good = await lodge.node({ location })

  const { body } = await create({ location })
  expect(await nodeOf(body.serverId)).toBe(good.id)
  expect(await create({ nodeId: away.id })).toMatchObject({
    status: 503,
    body: { code: 'node_unavailable' },
  })
  expect(await create({ nodeId: closed.id })).toMatchObject({
    status: 409,
    body: { code: 'no_capacity', detail: expect.stringContaining('takes no new servers') },
  })
  expect(await create({ nodeId: sick.id })).toMatchObject({
    status: 409,
    body: {
      code: 'no_capacity',
      detail: expect.stringContaining(
        'cannot run container servers now: The engine does not answer',
      ),
    },
  })
  // Once a heartbeat reports that the engine is back, there is capacity again.
  agent.beat(HELLO.drivers)
  await until(async () => (await create({ nodeId: sick.id })).status === 202)
})

test('a node that stops responding gets no new servers until it is back', async () => {
  const node = await lodge.joinedNode()
  const agent = await lodge.standIn(node)
  expect((await create({ nodeId: node.id })).status).toBe(202)
  agent.close()
  await until(async () => (await create({ nodeId: node.id })).status === 503)
  await agent.connect()
  expect((await create({ nodeId: node.id })).status).toBe(202)
})

test('without a chosen location the limits choose among the locations', async () => {
  const customer = await lodge.customer()
  const [far, near] = [
    await lodge.node({ memoryMb: BIG, location: 'Far' }),
    await lodge.node({ memoryMb: 64, location: 'Near' }),
  ]
  await quota(customer, { allowedLocations: ['Near'] })
  const { body } = await create({}, customer)
  expect(await nodeOf(body.serverId)).toBe(near.id)
  // Near is full by now, and no other location is allowed.
  expect(await create({}, customer)).toMatchObject({ status: 409, body: { code: 'no_capacity' } })
  expect(await create({ location: 'Far' }, customer)).toMatchObject({
    status: 403,
    body: { code: 'not_allowed_by_limits' },
  })
  const forced = await create({ force: true }, customer)
  expect(await nodeOf(forced.body.serverId)).toBe(far.id)
})

test('a customer does not see the names of nodes', async () => {
  const settings = await admin.must('GET /api/limits/settings')
  await admin.must('PUT /api/limits/settings', { body: { ...settings, selfService: 'everyone' } })
  const answer = await owner.call('POST /api/me/servers', {
    body: { name: 'Mine', templateId, ...SIZE, memoryMb: 16_000_000 },
  })
  await admin.must('PUT /api/limits/settings', { body: settings })
  expect(answer).toMatchObject({ status: 409, body: { code: 'no_capacity' } })
  expect(JSON.stringify(answer.body)).not.toMatch(/node \d/)
})

async function startsOf(of: Caller) {
  const { items } = await of.must('GET /api/jobs', { query: { limit: 100 } })
  return items.filter(({ kind }) => kind === 'server.start')
}

async function standInNode(): Promise<JoinedNode> {
  const node = await lodge.joinedNode({ location: 'Waiting' })
  await lodge.standIn(node)
  return node
}
const createOn = (node: JoinedNode, of: Caller, more: object = {}) =>
  admin.must('POST /api/servers', {
    body: { name: 'One', ownerId: of.id, templateId, nodeId: node.id, ...SIZE, ...more },
  })
const act = (of: Caller, id: string, action: 'start' | 'stop' | 'kill') =>
  of.must('POST /api/servers/{id}/actions', { params: { id }, body: { action } })
const statusOf = async (id: string) =>
  (await admin.must('GET /api/servers/{id}', { params: { id } })).status

test('a server beyond the running limit waits with a job that says so, and starts when another stops', async () => {
  const node = await standInNode()
  const customer = await lodge.customer()
  await quota(customer, { runningServers: 1 })
  const first = await createOn(node, customer)
  const second = await createOn(node, customer)
  const [waiting] = await startsOf(customer)
  expect(waiting).toMatchObject({
    serverId: second.serverId,
    state: 'waiting',
    cancellable: true,
    waitsFor: 'Your limit of running servers is reached: the server starts when another one stops',
  })
  await until(async () => (await statusOf(first.serverId)) === 'running')
  expect(await statusOf(second.serverId)).toBe('stopped')
  await act(customer, first.serverId, 'stop')
  await until(async () => (await statusOf(second.serverId)) === 'running')
  await until(async () => (await startsOf(customer))[0]?.state === 'done')
})

test('a waiting start can be cancelled, and yields to a later action', async () => {
  const node = await standInNode()
  const customer = await lodge.customer()
  await quota(customer, { runningServers: 0 })
  const [one, other] = [await createOn(node, customer), await createOn(node, customer)]
  const jobOf = async ({ serverId }: { serverId: string }) =>
    (await startsOf(customer)).find((job) => job.serverId === serverId)
  await customer.must('POST /api/jobs/{id}/cancel', {
    params: { id: (await jobOf(one))?.id ?? '' },
  })
  expect(await jobOf(one)).toMatchObject({ state: 'cancelled', waitsFor: null })
  await customer.must('DELETE /api/me/servers/{id}', { params: { id: other.serverId } })
  expect(await jobOf(other)).toMatchObject({ state: 'superseded' })
  expect(await statusOf(one.serverId)).toBe('stopped')
})

test('force and warnings also apply to the start after creation', async () => {
  const node = await standInNode()
  const customer = await lodge.customer()
  await quota(customer, { runningServers: 0 })
  const forced = await createOn(node, customer, { force: true })
  await until(async () => (await statusOf(forced.serverId)) === 'running')
  const settings = await admin.must('GET /api/limits/settings')
  await admin.must('PUT /api/limits/settings', { body: { ...settings, onExceed: 'warn' } })
  const warned = await createOn(node, customer)
  await admin.must('PUT /api/limits/settings', { body: settings })
  await until(async () => (await statusOf(warned.serverId)) === 'running')
  const { items } = await customer.must('GET /api/notifications', { query: {} })
  expect(items.map(({ body }) => body)).toContain('You use 2 of 0 running servers.')
})

test('an agent receives the ports assigned to the servers of its node', async () => {
  const portRanges = [{ from: 26_000, to: 26_100 }]
  const agent = await lodge.standIn(await lodge.joinedNode({ portRanges }))
  expect((await agent.line?.next('welcome'))?.portRanges).toEqual(portRanges)
})

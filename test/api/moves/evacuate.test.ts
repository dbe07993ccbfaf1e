import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { startSharingNodes } from '../../support/sharing-nodes.ts'
import { until } from '../../support/until.ts'
import { jobEnd } from '../../support/vm-world.ts'
import { Gates } from './gates.ts'

const start = () =>
  startSharingNodes(
    { name: 'alpha', location: 'north' },
    { name: 'beta', location: 'north', memoryMb: 2_560 },
    { name: 'gamma', location: 'south' },
  )
let nodes: Awaited<ReturnType<typeof start>>
let admin: Caller
let owner: Caller
let alpha: RealAgent
let beta: RealAgent
let gamma: RealAgent
let gates: Gates
beforeAll(async () => {
  nodes = await start()
  gates = new Gates('server.migrate')
  ;({ admin, owner } = nodes)
  ;[alpha, beta, gamma] = nodes.agents
})
afterAll(async () => {
  gates?.restore()
  await nodes?.[Symbol.asyncDispose]()
})

const makeServer = (name: string, memoryMb: number) =>
  nodes.makeServer(alpha, { name, memoryMb }, () => `files of ${name}`)
const params = () => ({ id: alpha.nodeId })
const read = () => admin.must('GET /api/nodes/{id}/evacuation', { params: params() })
const evacuate = (body: object = {}, caller = admin) =>
  caller.call('POST /api/nodes/{id}/evacuate', { params: params(), body })
const nodeOf = async (id: string) => (await nodes.show(id)).nodeId

test('a node is planned, closed and emptied, with a result for each of its servers', async () => {
  const big = await makeServer('big', 2_048)
  const small = await makeServer('small', 1_024)
  const kept = await makeServer('kept', 256)
  await makeServer('held', 128)
  const made = await owner.must('POST /api/servers/{id}/backups', {
    params: { id: kept },
    body: {},
  })
  await jobEnd(owner, made.jobId, 'done')
  // Servers that fit in the same location go there, the largest first.
  const { plan, latest } = await read()
  expect(latest).toBeNull()
  expect(plan.map(({ serverName, target }) => [serverName, target?.nodeName])).toEqual([
    ['big', 'beta'],
    ['small', 'gamma'],
    ['kept', 'beta'],
    ['held', 'beta'],
  ])
  expect(plan.find(({ serverId }) => serverId === kept)?.backupsLeft).toBe(1)
  const { body } = await evacuate({ parallel: 2 })
  expect(await evacuate()).toMatchObject({ status: 409, body: { code: 'job_in_progress' } })
  await jobEnd(admin, body.jobId, 'done')
  const after = await read()
  expect(after.latest?.items.map(({ serverName, state }) => [serverName, state])).toEqual([
    ['big', 'moved'],
    ['small', 'moved'],
    ['kept', 'blocked'],
    ['held', 'moved'],
  ])
  expect(after.plan.map(({ serverName }) => serverName)).toEqual(['kept'])
  expect(after.latest?.items[2]?.detail).toContain('confirmBackupsLeft')
  expect([await nodeOf(big), await nodeOf(small)]).toEqual([beta.nodeId, gamma.nodeId])
  expect(gamma.driver.runtime.folders.get(gamma.driver.dataFolder(small))).toBe('files of small')
  expect(await admin.must('GET /api/nodes/{id}', { params: params() })).toMatchObject({
    state: 'cordoned',
    cordon: { because: 'evacuation' },
  })
  const job = await admin.must('GET /api/jobs/{id}', { params: { id: body.jobId } })
  expect(job.steps.at(-1)?.detail).toBe('3 of 4 servers moved')
  const told = async () =>
    (await admin.must('GET /api/notifications', { query: {} })).items
      .filter(({ type }) => type === 'node.evacuated')
      .map(({ title, body }) => `${title}. ${body}`)
  expect(await told()).toEqual([
    'Not all servers of alpha moved. 3 servers moved, one stayed. The page of the evacuation says why.',
  ])
  // The rest goes too, once staying behind was confirmed for the others.
  const again = await evacuate({ confirmBackupsLeft: true })
  await jobEnd(admin, again.body.jobId, 'done')
  expect(await nodeOf(kept)).toBe(beta.nodeId)
  expect((await told())[0]).toMatch(/^alpha is evacuated\. One server moved\.$/)
  await until(
    async () =>
      (await admin.must('GET /api/nodes/{id}', { params: params() })).allocated.servers === 0,
  )
  expect(await evacuate()).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  expect((await evacuate({}, owner)).status).toBe(403)
})

const isOffline = (agent: RealAgent) =>
  until(async () => (await nodes.nodeOf(agent)).state === 'offline')
const items = async () => (await read()).latest?.items ?? []
const statesOf = async () => (await items()).map(({ state }) => state)
/** The node that the job waits for. */
const awaitedBy = async (jobId: string) => {
  const asked = 'select parked_node from sagas where job_id = $1'
  const { rows } = await nodes.lodge.database.pool.query<{ parked_node: string | null }>(asked, [
    jobId,
  ])
  return rows[0]?.parked_node
}

test('an evacuation waits for nodes that lose their connection for a moment', async () => {
  await admin.must('POST /api/nodes/{id}/uncordon', { params: params() })
  const first = await makeServer('first', 192)
  await makeServer('second', 128)
  // The agent of the node restarts as a move ends.
  gates.before(first, 'Finish', async () => {
    await alpha.close()
    await isOffline(alpha)
  })
  const { body } = await evacuate({ parallel: 1 })
  await until(async () => (await awaitedBy(body.jobId)) === alpha.nodeId)
  expect(await statesOf()).toEqual(['moved', 'waiting'])
  // And so do those of the nodes that could take the next server.
  for (const agent of [beta, gamma]) await agent.close()
  for (const agent of [beta, gamma]) await isOffline(agent)
  await alpha.connect()
  await until(async () => (await awaitedBy(body.jobId)) === beta.nodeId)
  expect(await statesOf()).toEqual(['moved', 'waiting'])
  for (const agent of [beta, gamma]) await agent.connect()
  await jobEnd(admin, body.jobId, 'done')
  expect(await statesOf()).toEqual(['moved', 'moved'])
})

test('a cancelled evacuation cancels all of its moves at once, and what has moved stays moved', async () => {
  await admin.must('POST /api/nodes/{id}/uncordon', { params: params() })
  const ids = [
    await makeServer('one', 192),
    await makeServer('two', 160),
    await makeServer('three', 128),
    await makeServer('four', 96),
  ]
  const [, two = '', three = ''] = ids
  const isCancelled = Promise.withResolvers<void>()
  for (const id of [two, three])
    gates.before(id, 'Copy while it goes on', () => isCancelled.promise)
  const { body } = await evacuate({ parallel: 2 })
  await until(async () => (await statesOf()).join() === 'moved,moving,moving,waiting')
  await admin.must('POST /api/jobs/{id}/cancel', { params: { id: body.jobId } })
  await until(async () => {
    const asked = `select from jobs where kind = 'server.migrate' and cancel_requested and ended_at is null`
    return (await nodes.lodge.database.pool.query(asked)).rows.length === 2
  })
  isCancelled.resolve()
  await jobEnd(admin, body.jobId, 'cancelled')
  expect(await statesOf()).toEqual(['moved', 'cancelled', 'cancelled', 'cancelled'])
  for (const { serverId, state } of await items())
    expect((await nodeOf(serverId)) === alpha.nodeId).toBe(state !== 'moved')
  expect((await items()).map(({ serverId }) => serverId)).toEqual(ids)
})

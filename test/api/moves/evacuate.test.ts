import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { startSharingNodes } from '../../support/sharing-nodes.ts'
import { until } from '../../support/until.ts'
import { jobEnd } from '../../support/vm-world.ts'

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
beforeAll(async () => {
  nodes = await start()
  ;({ admin, owner } = nodes)
  ;[alpha, beta, gamma] = nodes.agents
})
afterAll(() => nodes?.[Symbol.asyncDispose]())

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

test('a cancelled evacuation ends its moves, and what has moved stays moved', async () => {
  await admin.must('POST /api/nodes/{id}/uncordon', { params: params() })
  const ids = [await makeServer('one', 128), await makeServer('two', 128)]
  const { body } = await evacuate({ parallel: 1 })
  await until(async () =>
    (await read()).latest?.items.some(({ state }) => state === 'moving' || state === 'moved'),
  )
  await admin.must('POST /api/jobs/{id}/cancel', { params: { id: body.jobId } })
  await jobEnd(admin, body.jobId, 'cancelled')
  const items = (await read()).latest?.items ?? []
  expect(items.filter(({ state }) => state === 'waiting' || state === 'moving')).toEqual([])
  for (const { serverId, state } of items)
    expect((await nodeOf(serverId)) === alpha.nodeId).toBe(state !== 'moved')
  expect(items.map(({ serverId }) => serverId).toSorted()).toEqual(ids.toSorted())
})

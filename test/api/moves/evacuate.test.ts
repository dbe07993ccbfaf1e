import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { startSharingAgents } from '../../support/shared-backups.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { jobEnd } from '../../support/vm-world.ts'

let lodge: Lodge
let admin: Caller
let owner: Caller
let templateId: string
let alpha: RealAgent
let beta: RealAgent
let gamma: RealAgent
beforeAll(async () => {
  lodge = await startLodge()
  ;[alpha, beta, gamma] = await startSharingAgents(
    lodge,
    { name: 'alpha', location: 'north' },
    { name: 'beta', location: 'north', memoryMb: 2_560 },
    { name: 'gamma', location: 'south' },
  )
  admin = await lodge.admin()
  owner = await lodge.customer()
  templateId = (await lodge.template()).id
}, 60_000)
afterAll(async () => {
  for (const agent of [alpha, beta, gamma]) await agent?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

async function makeServer(name: string, memoryMb: number): Promise<string> {
  const { serverId, jobId } = await admin.must('POST /api/servers', {
    body: {
      ...{ name, ownerId: owner.id, templateId, nodeId: alpha.nodeId, start: false },
      memoryMb,
    },
  })
  await jobEnd(admin, jobId, 'done')
  alpha.driver.runtime.folders.set(alpha.driver.dataFolder(serverId), `files of ${name}`)
  return serverId
}
const params = () => ({ id: alpha.nodeId })
const read = () => admin.must('GET /api/nodes/{id}/evacuation', { params: params() })
const evacuate = (body: object = {}, caller = admin) =>
  caller.call('POST /api/nodes/{id}/evacuate', { params: params(), body })
const nodeOf = async (id: string) =>
  (await admin.must('GET /api/servers/{id}', { params: { id } })).nodeId

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
}, 60_000)

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
}, 60_000)

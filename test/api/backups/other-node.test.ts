import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { startSharingNodes } from '../../support/sharing-nodes.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { connected, jobEnd } from '../../support/vm-world.ts'

const start = () => startSharingNodes({ name: 'alpha' }, { name: 'beta' }, { name: 'gamma' })
let nodes: Awaited<ReturnType<typeof start>>
let lodge: Lodge
let admin: Caller
let owner: Caller
/**
 * The servers are on the first node; the second one stores their backups; the third one takes over.
 */
let alpha: RealAgent
let beta: RealAgent
let gamma: RealAgent
beforeAll(async () => {
  nodes = await start()
  ;({ lodge, admin, owner } = nodes)
  ;[alpha, beta, gamma] = nodes.agents
  await keepOn([beta.nodeId])
})
afterAll(() => nodes?.[Symbol.asyncDispose]())

const settings = {
  place: 'other-node' as const,
  downloads: true,
  keepScheduled: 7,
  s3: null,
}
const save = (storageNodeIds: string[]) =>
  admin.call('PUT /api/settings/backups', { body: { ...settings, storageNodeIds } })
const keepOn = async (ids: string[]) => expect((await save(ids)).status).toBe(200)
const makeServer = (on: RealAgent) => nodes.makeServer(on, {}, () => 'first')
const ask = (id: string) =>
  owner.call('POST /api/servers/{id}/backups', { params: { id }, body: {} })
async function backUp(id: string): Promise<string> {
  const { body } = await ask(id)
  await jobEnd(owner, body.jobId, 'done')
  return body.backupId
}
const list = (id: string) =>
  owner.must('GET /api/servers/{id}/backups', { params: { id }, query: {} })
const refused = (status: number, code: string, words: string) => ({
  status,
  body: { code, detail: expect.stringContaining(words) },
})

test('a backup is stored on another node, restored to a server of a third, browsed and deleted', async () => {
  const id = await makeServer(alpha)
  const backupId = await backUp(id)
  const { items, standing } = await list(id)
  expect(items).toMatchObject([{ state: 'good', place: 'other-node', keptOnNode: 'beta' }])
  expect(standing).toMatchObject({ place: 'other-node', keptOnNode: 'beta' })
  const params = { id, backupId }
  const browsed = await owner.must('GET /api/servers/{id}/backups/{backupId}/files', {
    params,
    query: {},
  })
  expect(browsed.items).toMatchObject([{ name: 'contents' }])
  const other = await makeServer(gamma)
  gamma.driver.runtime.folders.set(gamma.driver.dataFolder(other), 'other')
  const back = await owner.must('POST /api/servers/{id}/backups/{backupId}/restore', {
    params,
    body: { serverId: other, confirm: true },
  })
  await jobEnd(owner, back.jobId, 'done')
  expect(gamma.driver.runtime.folders.get(gamma.driver.dataFolder(other))).toBe('first')
  const gone = await owner.must('DELETE /api/servers/{id}/backups/{backupId}', { params })
  await jobEnd(owner, gone.jobId, 'done')
  expect((await list(id)).items).toEqual([])
})

test('a node never stores the backups of its own servers', async () => {
  const id = await makeServer(beta)
  expect(await ask(id)).toMatchObject(refused(409, 'invalid_state', 'second node keeps backups'))
  expect((await list(id)).standing.whyNot.create).toContain('second node keeps backups')
  expect(await save([beta.nodeId, beta.nodeId])).toMatchObject({ status: 400 })
  expect(await save(['7b8a4f0a-1b7e-4c7d-9a51-0d5c1a7f1a09'])).toMatchObject({ status: 400 })
  expect(await save([])).toMatchObject({ status: 400 })
  await keepOn([beta.nodeId, gamma.nodeId])
  await backUp(id)
  expect((await list(id)).items).toMatchObject([{ keptOnNode: 'gamma' }])
  const theirs = await makeServer(alpha)
  await backUp(theirs)
  expect((await list(theirs)).items).toMatchObject([{ keptOnNode: 'beta' }])
})

test('while the node that stores them is away none is begun, and one under way fails with a clear message', async () => {
  const id = await makeServer(alpha)
  await beta.close()
  const away = 'beta, which keeps the backups, is not connected'
  await until(async () => (await list(id)).standing.whyNot.create?.includes(away))
  expect(await ask(id)).toMatchObject(refused(503, 'node_unavailable', away))
  await beta.connect()
  await until(async () => (await list(id)).standing.whyNot.create === null)
  await backUp(id)
})

test('backups of a removed node’s servers stay restorable, and another node deletes them', async () => {
  const node = await lodge.joinedNode({ name: 'delta' })
  const delta = await startRealAgent(lodge, node)
  await connected(lodge, node.id)
  Object.assign(delta.driver.runtime, { repositories: alpha.driver.runtime.repositories })
  const [id, other] = [await makeServer(delta), await makeServer(alpha)]
  const [backupId, second] = [await backUp(id), await backUp(id)]
  await delta[Symbol.asyncDispose]()
  // As if the server had moved before.
  await lodge.database.pool.query(
    `with moved as (update servers set node_id = $2 where id = $1),
       ports as (delete from server_ports where server_id = $1)
     update nodes set allocated_servers = 0 where id = $3`,
    [id, gamma.nodeId, delta.nodeId],
  )
  await admin.must('DELETE /api/nodes/{id}', { params: { id: delta.nodeId }, query: {} })
  expect((await list(id)).items).toHaveLength(2)
  const back = await owner.must('POST /api/servers/{id}/backups/{backupId}/restore', {
    params: { id, backupId },
    body: { serverId: other, confirm: true },
  })
  await jobEnd(owner, back.jobId, 'done')
  const gone = await owner.must('DELETE /api/servers/{id}/backups/{backupId}', {
    params: { id, backupId },
  })
  await jobEnd(owner, gone.jobId, 'done')
  expect((await list(id)).items).toMatchObject([{ id: second }])
  await backUp(id)
})

test('a node that stores backups of others is removed only once their loss is confirmed', async () => {
  const params = { id: beta.nodeId }
  const mine = await makeServer(alpha)
  await backUp(mine)
  const drop = (query: { confirm?: 'true' }) =>
    admin.call('DELETE /api/nodes/{id}', { params, query })
  expect(await drop({})).toMatchObject(refused(409, 'node_not_empty', 'servers'))
  const { rows } = await lodge.database.pool.query<{ id: string }>(
    'select id from servers where node_id = $1',
    [beta.nodeId],
  )
  for (const { id } of rows) {
    const { jobId } = await admin.must('DELETE /api/servers/{id}', { params: { id }, query: {} })
    await jobEnd(admin, jobId, 'done')
  }
  expect(await drop({})).toMatchObject(refused(409, 'in_use', 'settings of backups'))
  await keepOn([gamma.nodeId])
  expect(await drop({})).toMatchObject(refused(400, 'confirmation_required', 'beta keeps'))
  expect((await drop({ confirm: 'true' })).status).toBe(204)
  expect((await list(mine)).items).toEqual([])
})

import { snapshotOf } from '@lodge/driver-fake/backup-store.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { connected, jobEnd } from '../../support/vm-world.ts'

let lodge: Lodge
let agent: RealAgent
let admin: Caller
let owner: Caller
let serverId: string
beforeAll(async () => {
  lodge = await startLodge()
  const node = await lodge.joinedNode()
  agent = await startRealAgent(lodge, node)
  await connected(lodge, node.id)
  admin = await lodge.admin()
})
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  owner = await lodge.customer()
  serverId = await makeServer((await lodge.template()).id)
})

async function makeServer(templateId: string): Promise<string> {
  const made = await admin.must('POST /api/servers', {
    body: { name: 'One', ownerId: owner.id, templateId, nodeId: agent.nodeId, start: false },
  })
  await jobEnd(admin, made.jobId, 'done')
  agent.driver.runtime.folders.set(agent.driver.dataFolder(made.serverId), 'first')
  return made.serverId
}
const of = (id: string) => ({ params: { id } })
const choose = (patterns: string[] | null, by = owner, id = serverId) =>
  by.call('PUT /api/servers/{id}/backups/ignored', { ...of(id), body: { patterns } })
const list = (id = serverId) =>
  owner.must('GET /api/servers/{id}/backups', { ...of(id), query: {} })
async function backUp(body: { ignore?: string[] } = {}, id = serverId) {
  const made = await owner.must('POST /api/servers/{id}/backups', { ...of(id), body })
  await jobEnd(owner, made.jobId, 'done')
  return {
    backupId: made.backupId,
    leftOut: agent.driver.runtime.leftOut.get(snapshotOf(made.backupId)),
  }
}

test('backups exclude the chosen files and list them, and a restore keeps those on the server', async () => {
  expect((await choose(['cache/', '*.log', 'cache/'])).body).toEqual({
    ...{ patterns: ['cache/', '*.log'], byServer: true, template: [] },
  })
  const { backupId, leftOut } = await backUp()
  expect(leftOut).toEqual(['cache/', '*.log'])
  // A later choice does not affect backups made before.
  await choose([])
  const { items, standing } = await list()
  expect(items[0]).toMatchObject({ id: backupId, ignored: ['cache/', '*.log'] })
  expect(standing.ignored).toEqual({ patterns: [], byServer: true, template: [] })
  const { jobId } = await owner.must('POST /api/servers/{id}/actions', {
    ...of(serverId),
    body: { action: 'restore', backupId, confirm: true },
  })
  await jobEnd(owner, jobId, 'done')
  expect(agent.driver.runtime.carried.get(serverId)).toEqual(['cache/', '*.log'])
})

test('a single backup can exclude other files, or none', async () => {
  await choose(['cache/'])
  expect((await backUp({ ignore: ['world/'] })).leftOut).toEqual(['world/'])
  expect((await backUp({ ignore: [] })).leftOut).toEqual([])
  expect((await list()).items.map(({ ignored }) => ignored)).toEqual([[], ['world/']])
})

test('a server follows its template until something is chosen for it', async () => {
  const { id: templateId } = await lodge.template({ backupIgnore: ['tmp/'] })
  const id = await makeServer(templateId)
  const template = ['tmp/']
  expect((await list(id)).standing.ignored).toEqual({
    ...{ patterns: template, byServer: false, template },
  })
  expect((await backUp({}, id)).leftOut).toEqual(template)
  await choose([], owner, id)
  expect((await backUp({}, id)).leftOut).toEqual([])
  expect((await choose(null, owner, id)).body).toMatchObject({ patterns: template })
})

test('patterns that lead out of the folder, match everything or are too many are refused, each with its position', async () => {
  const refused = async (patterns: string[], pointer: string) =>
    expect(await choose(patterns)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } })
  await refused(['ok', '../../etc'], '/patterns/1')
  await refused(['**'], '/patterns/0')
  await refused(
    Array.from({ length: 51 }, (_, at) => `file-${at}`),
    '/patterns',
  )
  expect(
    await owner.call('POST /api/servers/{id}/backups', {
      ...of(serverId),
      body: { ignore: ['*'] },
    }),
  ).toMatchObject({ status: 400, body: { errors: [{ pointer: '/ignore/0' }] } })
  expect((await list()).standing.ignored.patterns).toEqual([])
})

test('a collaborator who may make backups but not delete them cannot set the server’s exclusions', async () => {
  const guest = await lodge.customer()
  await lodge.database.pool.query(
    `insert into server_collaborators (server_id, user_id, permissions)
     values ($1, $2, $3)`,
    [serverId, guest.id, ['backups.view', 'backups.create']],
  )
  expect(await choose(['world/'], guest)).toMatchObject({ status: 403 })
  expect((await choose(['world/'], await lodge.customer())).status).toBe(404)
})

test('an agent of an earlier version backs up all files, and is not sent restores of backups with exclusions', async () => {
  await choose(['cache/'])
  const { backupId } = await backUp()
  const set = (change: string) =>
    lodge.database.pool.query(
      `update nodes set capabilities = ${change}(capabilities, 'agent.backup-ignore') where id = $1`,
      [agent.nodeId],
    )
  await set('array_remove')
  try {
    expect((await backUp()).leftOut).toEqual([])
    expect((await list()).items[0]?.ignored).toEqual([])
    expect(
      await owner.call('POST /api/servers/{id}/actions', {
        ...of(serverId),
        body: { action: 'restore', backupId, confirm: true },
      }),
    ).toMatchObject({ status: 409, body: { code: 'unsupported_on_node' } })
  } finally {
    await set('array_append')
  }
})

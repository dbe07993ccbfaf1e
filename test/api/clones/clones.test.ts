import type { CrashPolicy } from '@lodge/shared/servers.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { filesOn, startSharingNodes } from '../../support/sharing-nodes.ts'
import type { Lodge } from '../../support/stack.ts'
import { openTransferPort } from '../../support/transfer-port.ts'
import { until } from '../../support/until.ts'
import { jobEnd } from '../../support/vm-world.ts'

const start = () => startSharingNodes({ name: 'alpha' }, { name: 'beta' })
let nodes: Awaited<ReturnType<typeof start>>
let lodge: Lodge
let admin: Caller
let owner: Caller
let alpha: RealAgent
let beta: RealAgent
beforeAll(async () => {
  nodes = await start()
  ;({ lodge, admin, owner } = nodes)
  ;[alpha, beta] = nodes.agents
  await openTransferPort(admin, beta.nodeId)
})
afterAll(() => nodes?.[Symbol.asyncDispose]())

const makeServer = () => nodes.makeServer(alpha, {}, () => 'first')
const clone = (id: string, body: object = {}, caller = admin) =>
  caller.call('POST /api/servers/{id}/clone', { params: { id }, body: { name: 'Two', ...body } })
async function cloned(id: string, body: object) {
  const { body: made } = await clone(id, body)
  const { steps } = await jobEnd(admin, made.jobId, 'done')
  const way = steps.find(({ name }) => name === 'Back up the original')?.detail
  return { copy: made.serverId, way }
}

test.each([
  ['the same node', () => alpha],
  ['another node', () => beta],
])(
  'a clone on %s has the files, settings and schedules, its own port, and is off',
  async (_, to) => {
    const id = await makeServer()
    const policy: CrashPolicy = {
      mode: 'never',
      maxRestarts: 1,
      windowMinutes: 5,
      backoffSeconds: [7],
    }
    await owner.must('PUT /api/servers/{id}/crash-policy', { params: { id }, body: policy })
    await owner.must('POST /api/servers/{id}/schedules', {
      params: { id },
      body: { cron: '0 4 * * *', tasks: [{ action: 'wait', seconds: 1 }] },
    })
    const { copy, way } = await cloned(id, { includeData: true, nodeId: to().nodeId })
    if (to() === beta) expect(way).toBe('The data went directly from alpha to beta')
    expect(filesOn(to(), copy)).toBe('first')
    const [was, is] = [await nodes.show(id), await nodes.show(copy)]
    expect(is).toMatchObject({
      name: 'Two',
      ownerId: owner.id,
      nodeId: to().nodeId,
      status: 'stopped',
      holds: [],
      memoryMb: was.memoryMb,
      templateVersion: was.templateVersion,
    })
    if (to() === alpha) expect(is.port).not.toBe(was.port)
    const params = { id: copy }
    expect(await owner.must('GET /api/servers/{id}/crash-policy', { params })).toMatchObject(policy)
    expect((await owner.must('GET /api/servers/{id}/schedules', { params })).items).toMatchObject([
      { cron: '0 4 * * *' },
    ])
    // The backup that carried the files is deleted, and the original is unchanged.
    expect(await nodes.backupsOf(id)).toEqual([])
    expect(was).toMatchObject({ holds: [], status: 'stopped' })
  },
)

test('a clone of a backup has the files of the backup, for another owner within their limits', async () => {
  const id = await makeServer()
  const { jobId, backupId } = await owner.must('POST /api/servers/{id}/backups', {
    params: { id },
    body: {},
  })
  await jobEnd(owner, jobId, 'done')
  alpha.driver.runtime.folders.set(alpha.driver.dataFolder(id), 'second')
  const other = await lodge.customer()
  const { copy } = await cloned(id, { backupId, ownerId: other.id, nodeId: alpha.nodeId })
  expect(filesOn(alpha, copy)).toBe('first')
  expect(await nodes.show(copy)).toMatchObject({ ownerId: other.id })
  expect(await nodes.backupsOf(id)).toMatchObject([{ id: backupId, state: 'good' }])
  expect(await clone(id, { backupId, nodeId: beta.nodeId })).toMatchObject({
    status: 409,
    body: { code: 'unsupported_on_node' },
  })
  await admin.must('PATCH /api/customers/{id}', {
    params: { id: other.id },
    body: { quota: { maxServers: 1 } },
  })
  expect(await clone(id, { backupId, ownerId: other.id, nodeId: alpha.nodeId })).toMatchObject({
    status: 409,
    body: { code: 'limit_exceeded' },
  })
})

test('without files a clone is installed from its template, and a person who may not read files copies none', async () => {
  const id = await makeServer()
  const { copy } = await cloned(id, { nodeId: alpha.nodeId })
  expect(filesOn(alpha, copy)).not.toBe('first')
  const builder = await lodge.limitedAdmin(['servers.view', 'servers.create'])
  expect(await clone(id, { includeData: true }, builder)).toMatchObject({
    status: 403,
    body: { code: 'permission_required' },
  })
  expect((await clone(id, {}, owner)).status).toBe(403)
})

test('a clone takes no backup of another server, and goes to no owner or node that does not exist', async () => {
  const [id, other] = [await makeServer(), await makeServer()]
  const { jobId, backupId } = await owner.must('POST /api/servers/{id}/backups', {
    params: { id: other },
    body: {},
  })
  await jobEnd(owner, jobId, 'done')
  const nothing = '00000000-0000-4000-8000-000000000000'
  const answers = []
  for (const body of [{ backupId }, { ownerId: nothing }, { nodeId: nothing }])
    answers.push(await clone(id, { name: 'Taken', nodeId: alpha.nodeId, ...body }))
  expect(answers).toMatchObject([
    { status: 404, body: { code: 'not_found' } },
    { status: 400, body: { code: 'validation_failed' } },
    { status: 409, body: { code: 'no_capacity' } },
  ])
  const { items } = await admin.must('GET /api/servers', { query: { filter: 'Taken' } })
  expect(items).toEqual([])
})

test('a cancelled clone leaves neither a server nor a backup', async () => {
  const id = await makeServer()
  const before = (await admin.must('GET /api/servers', { query: {} })).items.length
  const { body } = await clone(id, { includeData: true, nodeId: alpha.nodeId })
  await admin.must('POST /api/jobs/{id}/cancel', { params: { id: body.jobId } })
  await jobEnd(admin, body.jobId, 'cancelled')
  expect((await admin.must('GET /api/servers', { query: {} })).items).toHaveLength(before)
  await until(async () => (await nodes.show(id)).holds.length === 0)
})

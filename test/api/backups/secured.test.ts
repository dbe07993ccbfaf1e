import { DriverError } from '@lodge/driver/driver.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { expireWait } from '../../support/expired-wait.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { jobEnd } from '../../support/vm-world.ts'
import { Gates } from '../moves/gates.ts'
import { type BackupWorld, backupWorld } from './backup-world.ts'

let world: BackupWorld
let lodge: Lodge
let agent: RealAgent
let admin: Caller
let owner: Caller
beforeAll(async () => {
  world = await backupWorld()
  ;({ lodge, agent, admin } = world)
})
afterAll(() => world?.[Symbol.asyncDispose]())
beforeEach(async () => {
  owner = await lodge.customer()
  Object.assign(agent.driver.knobs, {
    backupError: null,
    backupIsLost: false,
    startError: null,
  })
})

const contents = (id: string) => world.contents(id)
const write = (id: string, text: string) => world.write(id, text)
const makeServer = (start = false) => world.makeServer(owner, start)
const backUp = (id: string, body: { name?: string } = {}) => world.backUp(owner, id, body)
const list = (id: string) =>
  owner.must('GET /api/servers/{id}/backups', { params: { id }, query: {} })
const restore = (id: string, backupId: string) =>
  owner.call('POST /api/servers/{id}/actions', {
    params: { id },
    body: { action: 'restore', backupId, confirm: true },
  })
/** The same with a backup of what the server has now before it. */
const secured = (id: string, backupId: string, by = owner) =>
  by.call('POST /api/servers/{id}/actions', {
    params: { id },
    body: { action: 'restore', backupId, confirm: true, backUpFirst: true },
  })
const refused = (status: number, code: string, words = '') => ({
  status,
  body: { code, detail: expect.stringContaining(words) },
})

test('a restore backs up what the server has now first, checks that, and keeps it', async () => {
  const id = await makeServer(true)
  const backupId = await backUp(id, { name: 'Old' })
  write(id, 'newer')
  const back = await secured(id, backupId)
  const job = await jobEnd(owner, back.body.jobId, 'done')
  expect(job.steps.map(({ name }) => name)).toEqual([
    'Back up the present state',
    'Verify that backup',
    'Restore beside the present files',
    'Stop the server',
    'Exchange the files',
    'Start',
    'Finish',
  ])
  expect(contents(id)).toBe('first')
  const { items, standing } = await list(id)
  expect(items).toMatchObject([
    { name: 'Before restoring Old', state: 'good', locked: false, scheduled: false },
    { name: 'Old' },
  ])
  expect(standing.used).toMatchObject({ serverBackups: 2 })
  const again = await restore(id, items[0]?.id ?? '')
  await jobEnd(owner, again.body.jobId, 'done')
  expect(contents(id)).toBe('newer')
})

test('it keeps that backup when it is taken back', async () => {
  const id = await makeServer(true)
  const backupId = await backUp(id)
  write(id, 'newer')
  const back = await secured(id, backupId)
  agent.driver.knobs.startError = new DriverError('start_failed', 'It does not start.')
  await until(() => contents(id) === 'first')
  await until(async () => contents(id) === 'newer')
  agent.driver.knobs.startError = null
  await jobEnd(owner, back.body.jobId, 'failed')
  expect((await list(id)).items.map(({ state }) => state)).toEqual(['good', 'good'])
})

test('a restore keeps what it restored although its node or the control plane was away for hours', async () => {
  const id = await makeServer(true)
  const backupId = await backUp(id)
  write(id, 'newer')
  using gates = new Gates('backup.restore')
  gates.before(id, 'Start', () => agent.close())
  const { body } = await restore(id, backupId)
  await expireWait(lodge, body.jobId)
  await agent.connect()
  await jobEnd(owner, body.jobId, 'done')
  expect(contents(id)).toBe('first')
})

test('it restores nothing when that backup fails or cannot be read back', async () => {
  const id = await makeServer(true)
  const backupId = await backUp(id)
  write(id, 'newer')
  agent.driver.knobs.backupError = new DriverError('disk_full', 'There is no room left.')
  const nothing = 'The present state could not be backed up, so nothing was restored: '
  const full = await secured(id, backupId)
  const failed = await jobEnd(owner, full.body.jobId, 'failed')
  expect(failed.failure).toEqual({
    code: 'disk_full',
    detail: `${nothing}There is no room left.`,
  })
  agent.driver.knobs.backupError = null
  agent.driver.knobs.backupIsLost = true
  const lost = await secured(id, backupId)
  const unread = await jobEnd(owner, lost.body.jobId, 'failed')
  agent.driver.knobs.backupIsLost = false
  expect(unread.failure).toMatchObject({
    code: 'copy_damaged',
    detail: expect.stringContaining(nothing),
  })
  expect(contents(id)).toBe('newer')
  expect((await list(id)).items.map(({ state }) => state)).toEqual(['failed', 'failed', 'good'])
  const { status, holds } = await owner.must('GET /api/servers/{id}', { params: { id } })
  expect([status, holds]).toEqual(['running', []])
  expect((await list(id)).standing).toMatchObject({ used: { serverBackups: 1 }, former: null })
})

test('it is refused without room, the right or an agent that can', async () => {
  const id = await makeServer()
  const backupId = await backUp(id)
  const { pool } = lodge.database
  const able = (change: string) =>
    pool.query(
      `update nodes set capabilities = ${change}(capabilities, 'agent.backup-verify') where id = $1`,
      [agent.nodeId],
    )
  await able('array_remove')
  expect(await secured(id, backupId)).toMatchObject(
    refused(409, 'unsupported_on_node', 'too old to verify a backup'),
  )
  await able('array_append')
  await admin.must('PATCH /api/customers/{id}', {
    params: { id: owner.id },
    body: { quota: { maxBackups: 1 } },
  })
  expect(await secured(id, backupId)).toMatchObject(
    refused(409, 'limit_exceeded', 'the limit of 1 backups (1 in use, 1 requested)'),
  )
  expect((await list(id)).items).toHaveLength(1)
  const friend = await lodge.customer()
  await pool.query(
    'insert into server_collaborators (server_id, user_id, permissions) values ($1, $2, $3)',
    [id, friend.id, ['backups.view', 'backups.restore']],
  )
  expect(await secured(id, backupId, friend)).toMatchObject(
    refused(403, 'permission_required', 'backups.create'),
  )
  const other = await makeServer()
  const onOther = await owner.call('POST /api/servers/{id}/backups/{backupId}/restore', {
    params: { id, backupId },
    body: { serverId: other, confirm: true, backUpFirst: true },
  })
  expect(onOther).toMatchObject(refused(409, 'limit_exceeded'))
})

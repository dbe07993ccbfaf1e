import { DriverError } from '@lodge/driver/driver.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, requestOf } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { jobEnd } from '../../support/vm-world.ts'
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
    backupDelayMs: 0,
    backupBytes: null,
    startError: null,
  })
})

const contents = (id: string) => world.contents(id)
const write = (id: string, text: string) => world.write(id, text)
const makeServer = (start = false) => world.makeServer(owner, start)
const ask = (id: string, body: { name?: string; locked?: boolean } = {}, by = owner) =>
  by.call('POST /api/servers/{id}/backups', { params: { id }, body })
const backUp = (id: string, body: { name?: string; locked?: boolean } = {}) =>
  world.backUp(owner, id, body)
const list = (id: string, by = owner) =>
  by.must('GET /api/servers/{id}/backups', { params: { id }, query: {} })
const restore = (id: string, backupId: string, confirm = true) =>
  owner.call('POST /api/servers/{id}/actions', {
    params: { id },
    body: { action: 'restore', backupId, confirm },
  })
const refused = (status: number, code: string, words = '') => ({
  status,
  body: { code, detail: expect.stringContaining(words) },
})

describe('a backup', () => {
  test('is made while the server runs, listed, and restores its files', async () => {
    const id = await makeServer(true)
    const { jobId } = await owner.must('POST /api/servers/{id}/actions', {
      params: { id },
      body: { action: 'backup' },
    })
    await jobEnd(owner, jobId, 'done')
    const { items, standing } = await list(id)
    expect(items).toMatchObject([
      {
        state: 'good',
        locked: false,
        scheduled: false,
        place: 'node',
        sizeBytes: 5,
        takenWhileRunning: true,
        createdBy: expect.any(String),
      },
    ])
    expect(standing).toMatchObject({
      used: { serverBackups: 1, backups: 1, storageMb: 1 },
      whyNot: { create: null, browse: null, restore: null, download: null },
      former: null,
    })
    write(id, 'ruined')
    const backupId = items[0]?.id ?? ''
    expect(await restore(id, backupId, false)).toMatchObject(refused(400, 'confirmation_required'))
    const back = await restore(id, backupId)
    expect(back.status).toBe(202)
    await jobEnd(owner, back.body.jobId, 'done')
    expect(contents(id)).toBe('first')
    const { status } = await owner.must('GET /api/servers/{id}', { params: { id } })
    expect(status).toBe('running')
    // The successful start has verified the restore, so the previous files are deleted.
    await until(async () => !agent.driver.runtime.exchanges.has(id))
    await until(async () => (await list(id)).standing.former === null)
  })

  test('is neither made, restored nor deleted while another job of its kind is under way', async () => {
    const id = await makeServer()
    const backupId = await backUp(id)
    agent.driver.knobs.backupDelayMs = 60_000
    const { jobId, backupId: running } = await owner.must('POST /api/servers/{id}/backups', {
      params: { id },
      body: {},
    })
    expect(await ask(id)).toMatchObject(refused(409, 'job_in_progress'))
    expect(await restore(id, backupId)).toMatchObject(refused(409, 'job_in_progress'))
    const drop = (one: string) =>
      owner.call('DELETE /api/servers/{id}/backups/{backupId}', { params: { id, backupId: one } })
    expect(await drop(backupId)).toMatchObject(refused(409, 'job_in_progress'))
    expect(await drop(running)).toMatchObject(refused(409, 'job_in_progress', 'cancel that job'))
    const reinstall = await owner.call('POST /api/servers/{id}/actions', {
      params: { id },
      body: { action: 'reinstall', confirm: true },
    })
    expect(reinstall).toMatchObject(refused(409, 'hold_active', 'backed up'))
    await owner.must('POST /api/jobs/{id}/cancel', { params: { id: jobId } })
    await jobEnd(owner, jobId, 'cancelled')
    expect((await list(id)).items).toMatchObject([{ state: 'failed' }, { state: 'good' }])
    expect((await list(id)).standing.used).toMatchObject({ serverBackups: 1 })
  })

  test('that fails reports why, counts towards no limit and leaves the server unchanged', async () => {
    const id = await makeServer()
    agent.driver.knobs.backupError = new DriverError(
      'disk_full',
      'There is no room left to write to.',
    )
    const { jobId } = await owner.must('POST /api/servers/{id}/backups', {
      params: { id },
      body: {},
    })
    await jobEnd(owner, jobId, 'failed')
    const { items, standing } = await list(id)
    expect(items).toMatchObject([
      {
        state: 'failed',
        failure: { code: 'disk_full', detail: 'There is no room left to write to.' },
      },
    ])
    expect(standing.used).toEqual({ serverBackups: 0, backups: 0, storageMb: 0 })
    expect(await restore(id, items[0]?.id ?? '')).toMatchObject(refused(409, 'backup_incomplete'))
    const { holds } = await owner.must('GET /api/servers/{id}', { params: { id } })
    expect(holds).toEqual([])
    await until(async () => {
      const { items: told } = await owner.must('GET /api/notifications', { query: {} })
      return told.some(({ type }) => type === 'backup.failed')
    })
  })

  test('a locked one is kept until it is unlocked', async () => {
    const id = await makeServer()
    const backupId = await backUp(id, { name: 'Before the update', locked: true })
    const params = { id, backupId }
    const drop = () => owner.call('DELETE /api/servers/{id}/backups/{backupId}', { params })
    expect(await drop()).toMatchObject(refused(409, 'backup_locked', 'unlock it'))
    const edited = await owner.must('PATCH /api/servers/{id}/backups/{backupId}', {
      params,
      body: { name: 'Old', locked: false },
    })
    expect(edited).toMatchObject({ name: 'Old', locked: false })
    const gone = await drop()
    await jobEnd(owner, gone.body.jobId, 'done')
    expect((await list(id)).items).toEqual([])
    expect(await drop()).toMatchObject(refused(404, 'not_found'))
  })

  test('of a schedule is rotated out by newer ones as configured, unless it is locked', async () => {
    const id = await makeServer()
    await backUp(id, { name: 'By hand' })
    const settings = await admin.must('GET /api/settings/backups')
    await admin.must('PUT /api/settings/backups', {
      body: { ...settings, s3: null, keepScheduled: 2 },
    })
    const { id: scheduleId } = await owner.must('POST /api/servers/{id}/schedules', {
      params: { id },
      body: { cron: '0 3 1 1 *', timezone: 'UTC', tasks: [{ action: 'backup', name: 'Night' }] },
    })
    const run = async () => {
      const { jobId } = await owner.must('POST /api/servers/{id}/schedules/{scheduleId}/run', {
        params: { id, scheduleId },
      })
      await jobEnd(owner, jobId, 'done')
    }
    await run()
    const locked = (await list(id)).items[0]?.id ?? ''
    await owner.must('PATCH /api/servers/{id}/backups/{backupId}', {
      params: { id, backupId: locked },
      body: { locked: true },
    })
    for (let runs = 0; runs < 3; runs++) await run()
    // A backup that was rotated out is shown until the node has deleted it.
    await until(async () => (await list(id)).items.every(({ state }) => state === 'good'))
    const { items } = await list(id)
    expect(items.map(({ scheduled, locked }) => [scheduled, locked])).toEqual([
      [true, false],
      [true, false],
      [true, true],
      [false, false],
    ])
  })

  test('is downloaded unless the host does not offer it', async () => {
    const id = await makeServer()
    const backupId = await backUp(id, { name: 'Before / after' })
    const download = (by: Caller, path = '/') =>
      by.send(
        requestOf('GET /api/servers/{id}/backups/{backupId}/download', {
          params: { id, backupId },
          query: { format: 'tar', path },
        }),
      )
    const answer = await download(owner)
    expect([answer.statusCode, answer.body]).toEqual([200, 'first'])
    expect(answer.headers).toMatchObject({
      'content-disposition':
        'attachment; filename="Before - after.tar"; filename*=UTF-8\'\'Before%20-%20after.tar',
      'content-type': 'application/x-tar',
    })
    const file = await download(owner, '/contents')
    expect([file.statusCode, file.body]).toEqual([200, 'first'])
    expect(file.headers).toMatchObject({
      'content-disposition': expect.stringContaining('filename="contents"'),
      'content-type': 'application/octet-stream',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    expect((await download(owner, '/nowhere')).json()).toMatchObject({ code: 'not_found' })
    const settings = await admin.must('GET /api/settings/backups')
    await admin.must('PUT /api/settings/backups', {
      body: { ...settings, s3: null, downloads: false },
    })
    expect((await download(owner)).json()).toMatchObject({
      code: 'permission_required',
      detail: expect.stringContaining('does not offer'),
    })
    expect((await download(admin)).statusCode).toBe(200)
    await admin.must('PUT /api/settings/backups', { body: { ...settings, s3: null } })
    const away = 'The storage of the backups does not answer.'
    agent.driver.knobs.backupError = new DriverError('runtime_unavailable', away)
    expect((await download(owner)).json()).toMatchObject({
      code: 'node_unavailable',
      detail: away,
    })
    agent.driver.knobs.backupError = null
    for (const repository of agent.driver.runtime.repositories.values()) repository.clear()
    expect((await download(owner)).json()).toMatchObject({ code: 'backup_damaged' })
  })

  test('of somebody else does not exist, and neither does one of another server', async () => {
    const id = await makeServer()
    const backupId = await backUp(id)
    const other = await makeServer()
    expect(await restore(other, backupId)).toMatchObject(refused(404, 'not_found'))
    const stranger = await lodge.customer()
    expect(await ask(id, {}, stranger)).toMatchObject(refused(404, 'not_found'))
  })
})

describe('a restore', () => {
  test('whose server does not start afterwards is rolled back', async () => {
    const id = await makeServer(true)
    const backupId = await backUp(id)
    write(id, 'newer')
    const back = await restore(id, backupId)
    agent.driver.knobs.startError = new DriverError('start_failed', 'It does not start.')
    await until(() => contents(id) === 'first')
    await until(async () => contents(id) === 'newer')
    agent.driver.knobs.startError = null
    await jobEnd(owner, back.body.jobId, 'failed')
    expect(contents(id)).toBe('newer')
    expect(agent.driver.runtime.exchanges.has(id)).toBe(false)
    const { holds } = await owner.must('GET /api/servers/{id}', { params: { id } })
    expect(holds).toEqual([])
  })

  test('of a damaged backup changes nothing and does not stop the server', async () => {
    const id = await makeServer(true)
    const backupId = await backUp(id)
    write(id, 'newer')
    for (const repository of agent.driver.runtime.repositories.values()) repository.clear()
    const back = await restore(id, backupId)
    const job = await jobEnd(owner, back.body.jobId, 'failed')
    expect(job.failure).toMatchObject({ code: 'copy_damaged' })
    expect(contents(id)).toBe('newer')
    const { status } = await owner.must('GET /api/servers/{id}', { params: { id } })
    expect(status).toBe('running')
  })

  test('goes to another server of the same owner, and to no other', async () => {
    const id = await makeServer()
    const backupId = await backUp(id)
    const other = await makeServer()
    write(other, 'other')
    const to = (serverId: string) =>
      owner.call('POST /api/servers/{id}/backups/{backupId}/restore', {
        params: { id, backupId },
        body: { serverId, confirm: true, backUpFirst: true },
      })
    const back = await to(other)
    await jobEnd(owner, back.body.jobId, 'done')
    expect(contents(other)).toBe('first')
    expect((await list(other)).items).toMatchObject([{ state: 'good' }])
    const mine = owner
    owner = await lodge.customer()
    const foreign = await makeServer()
    owner = mine
    expect(await to(foreign)).toMatchObject(refused(404, 'not_found'))
  })

  test('is refused to a collaborator to whom folders are closed', async () => {
    const id = await makeServer()
    const backupId = await backUp(id)
    const friend = await lodge.customer()
    await lodge.database.pool.query(
      `insert into server_collaborators (server_id, user_id, permissions, files)
       values ($1, $2, $3, $4)`,
      [
        id,
        friend.id,
        ['backups.view', 'backups.restore'],
        JSON.stringify([{ path: '/secret', access: 'none' }]),
      ],
    )
    const answer = await friend.call('POST /api/servers/{id}/actions', {
      params: { id },
      body: { action: 'restore', backupId, confirm: true },
    })
    expect(answer).toMatchObject(refused(403, 'permission_required', 'closed to you'))
    const { standing } = await list(id, friend)
    expect(standing.whyNot.browse).toContain('closed to you')
  })
})

test('is made no more often than the limits allow in a hundred concurrent requests', async () => {
  const ids = [await makeServer(), await makeServer(), await makeServer(), await makeServer()]
  await admin.must('PATCH /api/customers/{id}', {
    params: { id: owner.id },
    body: { quota: { maxBackups: 2 } },
  })
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, at) => ask(ids[at % ids.length] ?? '')),
  )
  const passed = answers.filter(({ status }) => status === 202)
  expect(passed).toHaveLength(2)
  for (const { body } of passed) await jobEnd(owner, body.jobId, 'done')
  expect(await ask(ids[3] ?? '')).toMatchObject(
    refused(
      409,
      'limit_exceeded',
      'This would exceed the limit of 2 backups (2 in use, 1 requested)',
    ),
  )
})

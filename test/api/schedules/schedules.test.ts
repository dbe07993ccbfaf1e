import type { ServerPermission } from '@lodge/shared/server-permissions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { share } from '../support/share.ts'
import { makeSchedule, type ScheduleWorld, scheduleWorld, WAIT } from './world.ts'

let world: ScheduleWorld
beforeAll(async () => {
  world = await scheduleWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const create = (body: object) =>
  world.owner.call('POST /api/servers/{id}/schedules', {
    params: { id: world.id },
    body: { tasks: [WAIT], ...body } as never,
  })

test('a schedule is due in the time zone of its owner, and a change recalculates its next time', async () => {
  const { owner, id } = world
  await owner.must('PATCH /api/auth/me', { body: { timeZone: 'Asia/Kolkata' } })
  const made = await create({ name: 'Nightly', cron: '30 4 * * *' })
  expect(made.body).toMatchObject({
    name: 'Nightly',
    timezone: 'Asia/Kolkata',
    author: owner.email,
  })
  expect(made.body.nextRunAt).toMatch(/T23:00:00.000Z$/)
  const params = { id, scheduleId: made.body.id }
  const path = 'PATCH /api/servers/{id}/schedules/{scheduleId}'
  const moved = await owner.must(path, { params, body: { timezone: 'UTC' } })
  expect(moved.nextRunAt).toMatch(/T04:30:00.000Z$/)
  const stale = { name: 'Older', revision: made.body.revision }
  expect(await owner.call(path, { params, body: stale })).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  })
  const every = await owner.must(path, { params, body: { intervalMinutes: 30 } })
  expect(every).toMatchObject({ cron: null, intervalMinutes: 30 })
  const ms = Date.parse(every.nextRunAt ?? '') - Date.now()
  expect(ms).toBeGreaterThan(29 * 60_000)
  const off = await owner.must(path, { params, body: { enabled: false } })
  expect(off).toMatchObject({ nextRunAt: null, enabled: false })
  await owner.must('DELETE /api/servers/{id}/schedules/{scheduleId}', { params })
  expect(await owner.call(path, { params, body: {} })).toMatchObject({ status: 404 })
})

test.each([
  [{ cron: '61 4 * * *' }, '/cron', 'has a minute that is not understood, 61'],
  [{ cron: '0 0 30 2 *' }, '/cron', 'never occurs'],
  [{ cron: '0 4 * * *', intervalMinutes: 5 }, '/cron', 'either a cron expression or an interval'],
  [{}, '/cron', 'either a cron expression or an interval'],
  [{ cron: '0 4 * * *', timezone: '+02:00' }, '/timezone', 'is not a time zone'],
  [{ intervalMinutes: 0 }, '/intervalMinutes', ''],
  [{ intervalMinutes: 5, tasks: [] }, '/tasks', ''],
])('%j is refused with the field that is wrong', async (body, pointer, detail) => {
  const refused = await create(body)
  expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  const { errors } = refused.body as unknown as { errors: { pointer: string; detail: string }[] }
  expect(errors[0]?.pointer).toBe(pointer)
  expect(errors[0]?.detail).toContain(detail)
})

test('tasks that this server does not support are refused, and the list marks them beforehand', async () => {
  const refused = await create({ cron: '0 4 * * *', tasks: [WAIT, { action: 'snapshot' }] })
  expect(refused).toMatchObject({ status: 400, body: { code: 'task_not_available' } })
  const { options } = await world.owner.must('GET /api/servers/{id}/schedules', {
    params: { id: world.id },
  })
  const unavailable = Object.fromEntries(
    options.actions.map((one) => [one.action, one.unavailable]),
  )
  expect(unavailable).toMatchObject({ power: null, command: null, wait: null, notify: null })
  expect(unavailable).toMatchObject({ deleteFiles: null, archiveFiles: null })
  expect(unavailable.snapshot).toContain('virtual machines only')
})

test('the next occurrences are shown with changes of daylight saving time', async () => {
  const preview = await world.owner.must('GET /api/cron/preview', {
    query: { cron: '30 2 28 3 *', timezone: 'Europe/Berlin', count: 3 },
  })
  expect(preview.timezone).toBe('Europe/Berlin')
  expect(preview.occurrences).toHaveLength(3)
  const inGap = preview.occurrences.find(({ local }) => local.startsWith('2027'))
  expect(inGap).toEqual({
    at: '2027-03-28T01:00:00.000Z',
    local: '2027-03-28T03:00:00+02:00',
    daylight: { change: 'moved', clock: '02:30', date: '2027-03-28' },
    note: '02:30 does not exist on 28 March 2027: runs at 03:00',
  })
  const interval = await world.owner.must('GET /api/cron/preview', {
    query: { intervalMinutes: 90, count: 2 },
  })
  const [first, second] = interval.occurrences
  expect(Date.parse(second?.at ?? '') - Date.parse(first?.at ?? '')).toBe(90 * 60_000)
})

test('nobody can create tasks that they may not do themselves', async () => {
  const { lodge, admin, id } = world
  const with_ = async (...permissions: ServerPermission[]) => {
    const guest = await lodge.customer()
    await share(lodge, id, world.owner, guest, permissions)
    return guest
  }
  const starter = await with_('schedules.manage', 'schedules.view', 'power.start')
  const path = 'POST /api/servers/{id}/schedules'
  const withTask = (task: object) => ({
    params: { id },
    body: { cron: '0 0 1 1 *', tasks: [task] as never, enabled: false },
  })
  const ofStart = withTask({ action: 'power', power: 'start' })
  const made = await starter.must(path, ofStart)
  for (const [task, permission] of [
    [{ action: 'power', power: 'kill' }, 'power.kill'],
    [{ action: 'command', command: 'stop' }, 'console.write'],
    [{ ...WAIT, conditions: [{ about: 'output', contains: 'password' }] }, 'console.read'],
  ] as const)
    expect(await starter.call(path, withTask(task))).toMatchObject({
      status: 403,
      body: { code: 'permission_required', permission },
    })
  const viewer = await with_('schedules.view')
  expect(await viewer.call(path, ofStart)).toMatchObject({ status: 403 })
  const scheduleId = made.id
  const patch = 'PATCH /api/servers/{id}/schedules/{scheduleId}'
  // Another server's schedule does not exist here.
  const other = await lodge.customer()
  expect(await other.call(patch, { params: { id, scheduleId }, body: {} })).toMatchObject({
    status: 404,
  })
  // The person who changes the tasks becomes their author; the host is not named to customers.
  const params = { id, scheduleId }
  await admin.must(patch, { params, body: { name: 'By the host' } })
  const list = 'GET /api/servers/{id}/schedules'
  const shown = async () =>
    (await world.owner.must(list, { params: { id } })).items.find((one) => one.id === scheduleId)
  expect(await shown()).toMatchObject({ author: starter.email })
  await admin.must(patch, { params, body: { tasks: [WAIT] } })
  expect(await shown()).toMatchObject({ author: 'The host' })
  await world.owner.must('DELETE /api/servers/{id}/schedules/{scheduleId}', { params })
})

test('of a hundred concurrent requests, as many succeed as the limit has left', async () => {
  const { owner, id, lodge } = world
  const limits = (quota: object) =>
    lodge.database.pool.query('update users set quota = $2 where id = $1', [owner.id, quota])
  await limits({ maxServerSchedules: 3 })
  const all = await Promise.all(Array.from({ length: 100 }, () => create({ cron: '0 0 1 1 *' })))
  expect(all.filter(({ status }) => status === 201)).toHaveLength(3)
  expect(all.find(({ status }) => status !== 201)).toMatchObject({
    status: 409,
    body: {
      code: 'limit_exceeded',
      detail: 'This would exceed the limit of 3 scheduled tasks per server (3 in use, 1 requested)',
    },
  })
  const { limits: shown } = await owner.must('GET /api/limits/me')
  expect(shown.find(({ key }) => key === 'maxServerSchedules')).toMatchObject({ used: 3 })
  await limits({ maySchedules: false })
  expect(await create({ cron: '0 0 1 1 *' })).toMatchObject({
    status: 403,
    body: { code: 'capability_denied', detail: 'Scheduled tasks is not allowed for this account' },
  })
  await limits({})
  const rest = await Promise.all(Array.from({ length: 30 }, () => create({ cron: '0 0 1 1 *' })))
  expect(rest.filter(({ status }) => status === 201)).toHaveLength(17)
  expect(rest.find(({ status }) => status !== 201)?.body).toMatchObject({
    code: 'conflict',
    detail: 'A server has at most 20 schedules: delete one first',
  })

  const { items } = await owner.must('GET /api/servers/{id}/schedules', { params: { id } })
  for (const { id: scheduleId } of items)
    await owner.must('DELETE /api/servers/{id}/schedules/{scheduleId}', {
      params: { id, scheduleId },
    })
  await makeSchedule(world, [WAIT])
})

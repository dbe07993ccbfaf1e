import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { openEvents } from '../support/event-stream.ts'
import { share } from '../support/share.ts'
import {
  ended,
  makeDue,
  makeSchedule,
  run,
  runsOf,
  type ScheduleWorld,
  scheduleWorld,
  settled,
  WAIT,
} from './world.ts'

let world: ScheduleWorld
beforeAll(async () => {
  world = await scheduleWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  // A server can have at most twenty schedules.
  await world.lodge.database.pool.query('delete from schedules')
})

const power = async (action: 'start' | 'stop') => {
  // Refused if the server is in that state already.
  await world.owner.call('POST /api/servers/{id}/actions', {
    params: { id: world.id },
    body: { action },
  })
  await settled(world.lodge)
}
const observed = async () =>
  (await world.owner.must('GET /api/servers/{id}', { params: { id: world.id } })).observedState
const notices = async (type: string) =>
  (await world.owner.must('GET /api/notifications', { query: {} })).items.filter(
    (one) => one.type === type,
  )

test('due tasks run in order, each waits for the effect of the previous one, and the times are recorded', async () => {
  await power('start')
  const id = await makeSchedule(world, [
    { action: 'power', power: 'stop' },
    { action: 'power', power: 'start', conditions: [{ about: 'state', in: ['stopped'] }] },
    { action: 'command', command: 'say hello', conditions: [{ about: 'state', in: ['running'] }] },
    WAIT,
    { action: 'notify', message: 'The restart is done' },
  ])
  await makeDue(world.lodge, id)
  const done = await ended(world, id)
  expect(done).toMatchObject({ state: 'done', detail: null, startedBy: null })
  expect(done.dueAt).not.toBeNull()
  expect(done.tasks.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done', 'done'])
  const times = done.tasks.flatMap((task) => [task.startedAt, task.endedAt])
  expect(times.toSorted()).toEqual(times)
  const [, , , waited] = done.tasks
  const tookMs = Date.parse(waited?.endedAt ?? '') - Date.parse(waited?.startedAt ?? '')
  expect(tookMs).toBeGreaterThanOrEqual(1_000)
  expect(await observed()).toBe('running')
  expect(await notices('schedule.notified')).toMatchObject([{ body: 'The restart is done' }])
  const { items } = await world.owner.must('GET /api/servers/{id}/schedules', {
    params: { id: world.id },
  })
  expect(items[0]?.lastRun).toMatchObject({ id: done.id, state: 'done' })
  expect(Date.parse(items[0]?.nextRunAt ?? '')).toBeGreaterThan(Date.now())
})

test('a failed task ends the run unless the schedule continues on failure, and the owner is notified', async () => {
  await power('stop')
  const id = await makeSchedule(world, [
    { action: 'command', command: 'save', continueOnFailure: true },
    WAIT,
    { action: 'power', power: 'start' },
    { action: 'notify', message: 'never reached' },
  ])
  world.agent.failing = () => ({ code: 'driver_failed', detail: 'The engine says no.' })
  await run(world, world.owner, id)
  const failed = await ended(world, id)
  world.agent.failing = () => undefined
  expect(failed.tasks.map(({ state }) => state)).toEqual(['done', 'done', 'failed', 'skipped'])
  expect(failed).toMatchObject({ state: 'failed', detail: 'Task 3: The engine says no.' })
  const [notice] = await notices('schedule.failed')
  expect(notice).toMatchObject({ severity: 'error', body: 'Task 3: The engine says no.' })
  const params = { id: failed.jobId ?? '' }
  const job = await until(async () => {
    const found = await world.owner.must('GET /api/jobs/{id}', { params })
    return found.endedAt !== null && found
  })
  expect(job).toMatchObject({ state: 'failed', failure: { detail: failed.detail } })
})

test('a power task whose target state is reached already does nothing, and records that', async () => {
  await power('stop')
  const id = await makeSchedule(world, [
    { action: 'power', power: 'stop' },
    { action: 'power', power: 'start' },
    { action: 'power', power: 'start' },
  ])
  await run(world, world.owner, id)
  const { tasks } = await ended(world, id)
  expect(tasks.map(({ state, detail, jobId }) => [state, detail, jobId !== null])).toEqual([
    ['done', 'The server is stopped', false],
    ['done', null, true],
    ['done', 'The server is running', false],
  ])
})

test('conditions skip a task or end the run, with the reason', async () => {
  await power('start')
  const { rows } = await world.lodge.database.pool.query<{ key: number }>(
    'select metric_key as key from servers where id = $1',
    [world.id],
  )
  await world.lodge.database.pool.query(
    `insert into server_usage (key, at, cpu, memory, rx, tx, disk, players)
     values ($1, now(), 1, 1024 * 1024, 0, 0, 1024 * 1024, $2)
     on conflict (key) do update set memory = excluded.memory, disk = excluded.disk,
       players = excluded.players`,
    [rows[0]?.key, { at: new Date().toISOString(), online: 3, most: 20, names: [] }],
  )
  const id = await makeSchedule(world, [
    { ...WAIT, conditions: [{ about: 'state', in: ['stopped'] }] },
    { ...WAIT, conditions: [{ about: 'players', compare: 'atMost', count: 2 }] },
    { ...WAIT, conditions: [{ about: 'disk', compare: 'atLeast', percent: 90 }] },
    { ...WAIT, conditions: [{ about: 'memory', compare: 'atLeast', percent: 90 }] },
    { ...WAIT, conditions: [{ about: 'output', contains: 'Saved the game' }] },
    { ...WAIT, conditions: [{ about: 'players', compare: 'atLeast', count: 3 }] },
    { ...WAIT, conditions: [{ about: 'state', in: ['stopped'] }], otherwise: 'end' },
    WAIT,
  ])
  await run(world, world.owner, id)
  const done = await ended(world, id)
  expect(done.tasks.map(({ state, detail }) => detail ?? state)).toEqual([
    'The server is running',
    '3 players are on the server',
    expect.stringMatching(/^\d+ % of the disk is in use$/),
    expect.stringMatching(/^\d+ % of the memory is in use$/),
    'The output does not contain “Saved the game”',
    'done',
    'The server is running',
    'skipped',
  ])
  expect(done).toMatchObject({ state: 'done', detail: 'Ended at task 7: The server is running' })
})

test('a run that has not ended delays the next one', async () => {
  const id = await makeSchedule(world, [{ action: 'wait', seconds: 3_600 }])
  await makeDue(world.lodge, id)
  await until(async () => (await runsOf(world, id)).some(({ state }) => state === 'running'))
  await makeDue(world.lodge, id)
  const skipped = await until(async () =>
    (await runsOf(world, id)).find((one) => one.state === 'skipped'),
  )
  expect(skipped.detail).toBe('The previous run was still going')
  const again = await world.owner.call('POST /api/servers/{id}/schedules/{scheduleId}/run', {
    params: { id: world.id, scheduleId: id },
  })
  expect(again).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  const going = (await runsOf(world, id)).find((one) => one.state === 'running')
  // Parked: no worker holds it.
  const { rows } = await until(async () => {
    const found = await world.lodge.database.pool.query(
      `select due_at > now() + interval '50 minutes' as later from job_dispatch
       where job_id = $1 and worker is null`,
      [going?.jobId],
    )
    return found.rowCount === 1 && found
  })
  expect(rows).toEqual([{ later: true }])
  await world.owner.must('POST /api/jobs/{id}/cancel', { params: { id: going?.jobId ?? '' } })
  const cancelled = await until(async () =>
    (await runsOf(world, id)).find((one) => one.state === 'cancelled'),
  )
  expect(cancelled.tasks).toMatchObject([{ state: 'skipped' }])
})

test('a run by hand works while the schedule is off, with the rights of its author', async () => {
  const guest = await world.lodge.customer()
  await share(world.lodge, world.id, world.owner, guest, ['schedules.view', 'schedules.run'])
  const id = await makeSchedule(world, [{ action: 'power', power: 'start' }], { enabled: false })
  await power('stop')
  await run(world, guest, id)
  expect(await ended(world, id)).toMatchObject({
    state: 'done',
    dueAt: null,
    startedBy: guest.email,
  })
  expect(await observed()).toBe('running')
})

test('a schedule does nothing that its author is no longer permitted to do', async () => {
  const guest = await world.lodge.customer()
  await share(world.lodge, world.id, world.owner, guest, ['schedules.manage', 'power.stop'])
  const scheduleId = await makeSchedule({ owner: guest, id: world.id }, [
    { action: 'power', power: 'stop' },
  ])
  await power('start')
  await world.owner.must('DELETE /api/servers/{id}/collaborators/{userId}', {
    params: { id: world.id, userId: guest.id },
  })
  await makeDue(world.lodge, scheduleId)
  const failed = await ended(world, scheduleId)
  expect(failed).toMatchObject({
    state: 'failed',
    detail:
      'Task 1: Whoever chose this task may not do it any more: save the tasks again, to run them with your rights',
  })
  expect(await observed()).toBe('running')
  // A suspended account is permitted nothing either, and a deleted one has no author.
  const tasks = [{ action: 'power' as const, power: 'stop' as const }]
  const params = { id: world.id, scheduleId }
  const patch = 'PATCH /api/servers/{id}/schedules/{scheduleId}'
  await world.owner.must(patch, { params, body: { tasks } })
  await world.lodge.database.pool.query('update schedules set author_id = null where id = $1', [
    scheduleId,
  ])
  await run(world, world.owner, scheduleId)
  expect((await ended(world, scheduleId)).detail).toContain('cannot sign in any more')
  await world.owner.must(patch, { params, body: { tasks } })
  await run(world, world.owner, scheduleId)
  expect(await ended(world, scheduleId)).toMatchObject({ state: 'done' })
  expect(await observed()).toBe('stopped')
})

test('the owner’s capability is checked at every run, and may be lost in between', async () => {
  const id = await makeSchedule(world, [WAIT])
  const quota = (value: object) =>
    world.lodge.database.pool.query('update users set quota = $2 where id = $1', [
      world.owner.id,
      value,
    ])
  await quota({ maySchedules: false })
  await makeDue(world.lodge, id)
  expect(await ended(world, id)).toMatchObject({
    state: 'failed',
    detail: 'Task 1: Scheduled tasks is not allowed for this account',
  })
  const params = { id: world.id, scheduleId: id }
  const patch = 'PATCH /api/servers/{id}/schedules/{scheduleId}'
  expect(await world.owner.call(patch, { params, body: { name: 'x' } })).toMatchObject({
    status: 403,
  })
  await world.owner.must(patch, { params, body: { enabled: false } })
  await quota({})
})

test('a suspended server skips its runs, and records why', async () => {
  const id = await makeSchedule(world, [WAIT])
  const act = (action: 'suspend' | 'unsuspend') =>
    world.admin.must('POST /api/servers/{id}/actions', {
      params: { id: world.id },
      body: { action },
    })
  await act('suspend')
  await makeDue(world.lodge, id)
  expect(await ended(world, id)).toMatchObject({
    state: 'skipped',
    detail: 'The server is suspended',
  })
  const byHand = await world.owner.call('POST /api/servers/{id}/schedules/{scheduleId}/run', {
    params: { id: world.id, scheduleId: id },
  })
  expect(byHand).toMatchObject({ status: 409, body: { code: 'hold_active' } })
  await act('unsuspend')
})

test('deleting a schedule ends its run, and open panels receive every change', async () => {
  const stream = openEvents(world.lodge, world.owner)
  await stream.opened
  const id = await makeSchedule(world, [{ action: 'wait', seconds: 3_600 }])
  const { jobId } = await run(world, world.owner, id)
  await world.owner.must('DELETE /api/servers/{id}/schedules/{scheduleId}', {
    params: { id: world.id, scheduleId: id },
  })
  const job = await until(async () => {
    const found = await world.owner.must('GET /api/jobs/{id}', { params: { id: jobId } })
    return found.endedAt !== null && found
  })
  expect(job.state).toBe('cancelled')
  // Changes in quick succession are announced together.
  const told = await stream.next(({ event }) => event === 'schedules')
  expect(told.data).toEqual({ serverId: world.id })
  stream.close()
})

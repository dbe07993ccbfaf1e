import { setTimeout as delay } from 'node:timers/promises'
import type { GivenScheduleTask } from '@lodge/shared/schedules.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../agent/src/clock.ts'
import { anyOf, drawn } from '../../../drivers/contract/src/suite/chance.ts'
import { lengthOf } from '../../run/lengths.ts'
import { BreakingLine } from '../../support/breaking-line.ts'
import type { Caller } from '../../support/caller.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { makeSchedule, runsOf, settled } from './world.ts'

const ALONE_AFTER_MS = 400
let lodge: Lodge
let line: BreakingLine
let agent: RealAgent
let world: { owner: Caller; id: string }
/** How far the clock of the node is ahead, in ms. */
let aheadMs = 0

beforeAll(async () => {
  lodge = await startLodge()
  const owner = await lodge.customer()
  const node = await lodge.joinedNode()
  line = await BreakingLine.open(lodge.controlPlane.services.fleet.port)
  const clock = { ...systemClock, nowMs: () => Date.now() + aheadMs }
  const alone = { aloneAfterMs: ALONE_AFTER_MS, clock, fleetAddress: line.address }
  agent = await startRealAgent(lodge, node, {}, {}, alone)
  await connected(true)
  const template = await lodge.template()
  const id = await lodge.server({ ownerId: owner.id, templateId: template.id, nodeId: node.id })
  world = { owner, id }
  await settled(lodge)
  await is('running')
})
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await line[Symbol.asyncDispose]()
  await lodge[Symbol.asyncDispose]()
})

const connected = (isIt: boolean) =>
  until(async () => lodge.controlPlane.services.fleet.isConnected(agent.nodeId) === isIt)
const status = async () =>
  (await world.owner.must('GET /api/servers/{id}', { params: { id: world.id } })).status
const is = (wanted: string) => until(async () => (await status()) === wanted)
const typed = (command: string) =>
  agent.driver.inputs(world.id).filter((one) => one === command).length
const command = (text: string): GivenScheduleTask => ({ action: 'command', command: text })

/** An hourly schedule that is next due after this time, once its node has received it. */
async function dueIn(
  ms: number,
  tasks: readonly GivenScheduleTask[],
  missed: 'skip' | 'all' = 'skip',
) {
  const { id } = world
  const scheduleId = await makeSchedule(world, tasks, { intervalMinutes: 60, missed })
  const due = new Date(Date.now() + ms)
  await lodge.database.pool.query(
    `update schedules set next_at = $2, anchored_at = $2::timestamptz - interval '60 minutes'
     where id = $1`,
    [scheduleId, due],
  )
  const body = { name: `Due ${due.toISOString()}` }
  await world.owner.must('PATCH /api/servers/{id}/schedules/{scheduleId}', {
    params: { id, scheduleId },
    body,
  })
  return { scheduleId, due }
}

/**
 * Cuts the connection until the work is done, and restores it. A moment before, only the clock of the
 * node shows that a schedule is almost due: whatever runs then, the node runs.
 */
async function whileAlone(due: Date, work: () => Promise<unknown>): Promise<void> {
  line.break()
  aheadMs = due.getTime() - Date.now() - 1_000
  try {
    await connected(false)
    await work()
  } finally {
    line.mend()
  }
  await connected(true)
}

/** A schedule that is due in an hour. */
async function dueLater(tasks: readonly GivenScheduleTask[]) {
  const { id } = world
  const made = await world.owner.must('POST /api/servers/{id}/schedules', {
    params: { id },
    body: { intervalMinutes: 60, tasks: [...tasks] },
  })
  if (made.runsAlone) await until(() => agent.knowsSchedule(id, made.id))
  return { scheduleId: made.id, due: new Date(made.nextRunAt ?? ''), runsAlone: made.runsAlone }
}

const ended = (scheduleId: string) =>
  until(async () => (await runsOf(world, scheduleId)).find((run) => run.endedAt))

test('a disconnected node runs commands and power actions, and reports them when it is back', async () => {
  const { scheduleId, due, runsAlone } = await dueLater([
    { ...command('say good night'), conditions: [{ about: 'state', in: ['running'] }] },
    { ...command('never'), conditions: [{ about: 'state', in: ['stopped'] }] },
    { action: 'power', power: 'stop' },
    { action: 'wait', seconds: 1 },
  ])
  const other = await dueLater([command('not alone'), { action: 'notify', message: 'Hello' }])
  expect([runsAlone, other.runsAlone]).toEqual([true, false])
  await whileAlone(due, () => until(async () => typed('say good night') === 1))
  const run = await ended(scheduleId)
  expect(run).toMatchObject({
    ...{ state: 'done', byNode: true, jobId: null, dueAt: due.toISOString() },
    tasks: [
      { action: 'command', state: 'done' },
      { action: 'command', state: 'skipped', detail: 'The server is running' },
      { action: 'power', state: 'done' },
      { action: 'wait', state: 'done' },
    ],
  })
  // The state that the schedule caused is kept.
  await is('stopped')
  aheadMs = 0
  expect(await runsOf(world, scheduleId)).toHaveLength(1)
  expect([typed('say good night'), typed('never'), typed('not alone')]).toEqual([1, 0, 0])
  const { items: done } = await world.owner.must('GET /api/servers/{id}/activity', {
    params: { id: world.id },
    query: {},
  })
  expect(JSON.stringify(done)).toContain('on its node, which was not connected')
  await world.owner.must('POST /api/servers/{id}/actions', {
    params: { id: world.id },
    body: { action: 'start' },
  })
  await is('running')
})

test('a schedule restarts a server while disconnected, and a later start by its owner is not lost', async () => {
  const { scheduleId, due } = await dueLater([{ action: 'power', power: 'restart' }])
  const before = agent.driver.runtime.servers.get(world.id)?.workload?.startedAt
  const started = () => agent.driver.runtime.servers.get(world.id)?.workload?.startedAt
  await whileAlone(due, () => until(async () => started() !== before))
  expect(await ended(scheduleId)).toMatchObject({ state: 'done', byNode: true })
  aheadMs = 0
  const alone = started()
  await is('running')
  await world.owner.must('POST /api/servers/{id}/actions', {
    params: { id: world.id },
    body: { action: 'restart' },
  })
  await until(async () => started() !== alone && (await status()) === 'running')
})

test('occurrences due while the node was disconnected and not run by it count as missed', async () => {
  // The node is stopped, so neither side can run it.
  const { scheduleId } = await dueIn(700, [command('too late')])
  await agent.close()
  await connected(false)
  await lodge.database.pool.query(
    `update schedules set next_at = now() - interval '10 minutes',
       anchored_at = now() - interval '70 minutes' where id = $1`,
    [scheduleId],
  )
  const { rows } = await lodge.database.pool.query(
    'select from schedule_runs where schedule_id = $1',
    [scheduleId],
  )
  expect(rows).toEqual([])
  await agent.connect()
  await connected(true)
  expect(await ended(scheduleId)).toMatchObject({ state: 'missed', byNode: false })
  expect(typed('too late')).toBe(0)
})

test('a disconnected node runs nothing for a suspended server or a deleted schedule', async () => {
  const admin = await lodge.admin()
  const gone = await dueLater([command('gone')])
  await world.owner.must('DELETE /api/servers/{id}/schedules/{scheduleId}', {
    params: { id: world.id, scheduleId: gone.scheduleId },
  })
  const kept = await dueLater([command('suspended')])
  const actions = (action: 'suspend' | 'unsuspend' | 'start') =>
    admin.must('POST /api/servers/{id}/actions', { params: { id: world.id }, body: { action } })
  await actions('suspend')
  await until(() => !agent.knowsSchedule(world.id, kept.scheduleId))
  await whileAlone(kept.due, () => delay(1_000 + 3 * ALONE_AFTER_MS))
  aheadMs = 0
  expect([typed('gone'), typed('suspended')]).toEqual([0, 0])
  expect(await runsOf(world, kept.scheduleId)).toEqual([])
  await actions('unsuspend')
  await is('running')
})

test('an occurrence runs once wherever the connection breaks and whatever the clocks show', {
  timeout: 600_000,
}, async () => {
  for (let round = 0; round < lengthOf('LODGE_ALONE_ROUNDS'); round += 1) {
    const text = `round ${round}`
    aheadMs = anyOf([0, 0, -1_500, 1_500])
    const { scheduleId, due } = await dueIn(1_500, [
      command(text),
      { action: 'wait', seconds: 1 },
      command(`${text} again`),
    ])
    const breaks = drawn(0, 3_000)
    await delay(breaks)
    line.break()
    await delay(drawn(0, 2_500))
    line.mend()
    await connected(true)
    const run = await ended(scheduleId)
    const story = JSON.stringify({ aheadMs, breaks, run, due })
    expect(run.dueAt, story).toBe(due.toISOString())
    const times = [typed(text), typed(`${text} again`)]
    if (run.state === 'done') expect(times, story).toEqual([1, 1])
    else if (run.state === 'missed') expect(times, story).toEqual([0, 0])
    else expect(Math.max(...times), story).toBeLessThanOrEqual(1)
    expect((await runsOf(world, scheduleId)).length, story).toBe(1)
    await world.owner.must('DELETE /api/servers/{id}/schedules/{scheduleId}', {
      params: { id: world.id, scheduleId },
    })
  }
  aheadMs = 0
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong, lengthOf } from '../../run/lengths.ts'
import { until } from '../../support/until.ts'
import {
  ended,
  makeDue,
  makeSchedule,
  runsOf,
  type ScheduleWorld,
  scheduleWorld,
  WAIT,
} from './world.ts'

let world: ScheduleWorld
beforeAll(async () => {
  world = await scheduleWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const schedule = (missed: 'skip' | 'once' | 'all') =>
  makeSchedule(world, [{ action: 'notify', message: 'ran' }], { missed, intervalMinutes: 60 })
const states = async (id: string) => (await runsOf(world, id)).map(({ state }) => state)
const nextAt = async (id: string) =>
  (
    await world.owner.must('GET /api/servers/{id}/schedules', { params: { id: world.id } })
  ).items.find((one) => one.id === id)?.nextRunAt ?? ''

test('missed occurrences are skipped, run once, or all run in order', async () => {
  const [skip, once, all] = [await schedule('skip'), await schedule('once'), await schedule('all')]
  // Due an hour and a half ago, and half an hour ago.
  for (const id of [skip, once, all]) await makeDue(world.lodge, id, '90 minutes')
  await until(async () => (await states(all)).filter((one) => one === 'done').length === 2)
  await ended(world, once)
  expect(await states(skip)).toEqual(['missed', 'missed'])
  expect((await states(once)).toSorted()).toEqual(['done', 'missed'])
  const due = (await runsOf(world, all)).map(({ dueAt }) => dueAt)
  expect(due).toEqual(due.toSorted().reverse())
  for (const id of [skip, once, all])
    expect(Date.parse(await nextAt(id))).toBeGreaterThan(Date.now() + 29 * 60_000)
  const { items } = await world.owner.must('GET /api/notifications', { query: {} })
  expect(items.filter(({ type }) => type === 'schedule.missed')).toMatchObject([
    { body: expect.stringContaining('It was due 2 times while the panel was not running') },
  ])
})

test('a broken schedule is marked with its error and delays no other', async () => {
  const broken = {
    zone: `timezone = 'Mars/Base', cron = '0 4 * * *', interval_minutes = null`,
    cron: `cron = 'every night', interval_minutes = null`,
    tasks: `tasks = '[{"action": "dance"}]'`,
    fault: `missed = 'skip'`,
  }
  const ids: string[] = []
  for (const change of Object.values(broken)) {
    const id = await schedule('skip')
    await world.lodge.database.pool.query(`update schedules set ${change} where id = $1`, [id])
    ids.push(id)
  }
  const sound = await schedule('skip')
  for (const id of ids) await makeDue(world.lodge, id, '4 seconds')
  // A date that the panel cannot continue from, as after a bug of ours.
  await world.lodge.database.pool.query(
    `update schedules set next_at = '-infinity', anchored_at = '-infinity' where id = $1`,
    [ids.at(-1)],
  )
  await makeDue(world.lodge, sound)
  expect(await ended(world, sound)).toMatchObject({ state: 'done' })
  const { rows } = await world.lodge.database.pool.query<{ problem: string; next: null }>(
    'select problem, next_at as next from schedules where id = any($1) order by id',
    [ids],
  )
  expect(rows.map(({ next }) => next)).toEqual([null, null, null, null])
  expect(rows.map(({ problem }) => problem)).toEqual([
    'The time zone Mars/Base is not known any more: choose another one',
    'The cron expression every night is not understood any more: change it',
    'Its tasks are not understood any more: choose them again',
    'It could not be run because of a fault of the panel: save it to try again',
  ])
  const { items } = await world.owner.must('GET /api/notifications', { query: {} })
  expect(items.filter(({ type }) => type === 'schedule.failed')).toHaveLength(4)
  await world.lodge.database.pool.query('delete from schedules')
})

test('three control planes run every occurrence exactly once', async () => {
  await using _second = await world.lodge.beside()
  await using _third = await world.lodge.beside()
  const count = lengthOf('LODGE_DUE_SCHEDULES')
  const { pool } = world.lodge.database
  const task = {
    ...WAIT,
    seconds: 86_400,
    conditions: [],
    otherwise: 'skip',
    continueOnFailure: false,
  }
  await pool.query(
    `insert into schedules (id, server_id, cron, timezone, anchored_at, tasks, missed, enabled, author_id)
     select gen_random_uuid(), $1, (at % 60)::text || ' 3 1 1 *', 'Europe/Berlin', now(), $2, 'skip', true, $3
     from generate_series(1, $4) at`,
    [world.id, JSON.stringify([task]), world.owner.id, count],
  )
  const startedMs = performance.now()
  await pool.query(`update schedules set next_at = date_trunc('minute', now())`)
  const found = async () => {
    const { rows } = await pool.query<{ runs: number; schedules: number; jobs: number }>(
      `select count(*)::int as runs, count(distinct r.schedule_id)::int as schedules,
         count(distinct j.id)::int as jobs
       from schedule_runs r join jobs j on j.id = r.job_id join sagas s on s.job_id = j.id`,
    )
    return rows[0]
  }
  await until(async () => ((await found())?.runs ?? 0) >= count)
  if (isLong) expect(performance.now() - startedMs).toBeLessThan(10_000)
  const { rows } = await pool.query('select from schedules where next_at <= now()')
  expect(rows).toEqual([])
  expect(await found()).toEqual({ runs: count, schedules: count, jobs: count })
  await pool.query('delete from job_dispatch')
  await pool.query('update jobs set ended_at = now() where ended_at is null')
})

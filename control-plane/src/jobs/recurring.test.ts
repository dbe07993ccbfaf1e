import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import { defineRecurringJob, removeRecurringJob } from './recurring.ts'
import { EFFECTS_TABLE, openWorkshop, threeSteps, type Workshop } from './worker.fixture.ts'

let database: FreshDatabase
let here: Workshop
let there: Workshop
beforeEach(async () => {
  database = await freshDatabase()
  await database.pool.query(EFFECTS_TABLE)
  here = await openWorkshop(database.url)
  there = await openWorkshop(database.url)
})
afterEach(async () => {
  await Promise.all([here.stop(), there.stop()])
  await database.drop()
})

const jobs = async () =>
  (
    await database.pool.query<{ id: string; state: string; waits: string | null; group: string }>(
      'select id, state, waits_for as waits, concurrency_group as group from jobs order by id',
    )
  ).rows
const due = (id: string) =>
  database.pool.query(
    `update recurring_jobs set next_at = now() - interval '3 days' where id = $1`,
    [id],
  )
const define = (id: string, cron = '30 4 * * *') =>
  defineRecurringJob(
    here.ctx,
    id,
    threeSteps(),
    { fails: false },
    { title: 'Start nightly' },
    {
      cron,
      zone: 'Europe/Berlin',
    },
  )

test('an occurrence becomes exactly one job, however many instances check at once', async () => {
  const ids = Array.from({ length: 30 }, () => randomUUID())
  for (const id of ids) {
    await define(id)
    await due(id)
  }
  const looks = [here, there].flatMap((one) =>
    Array.from({ length: 5 }, () => one.recur(threeSteps())),
  )
  const counts = await Promise.all(looks)
  expect(counts.reduce((sum, did) => sum + (did.enqueued ?? 0), 0)).toBe(30)
  await Promise.all([here.work(threeSteps()), there.work(threeSteps())])
  await until(async () => (await jobs()).every(({ state }) => state === 'done'))
  expect(await jobs()).toHaveLength(30)
  // Three nights were missed and one is caught up: the next is in the future.
  const { rows } = await database.pool.query(
    'select count(*)::int as count from recurring_jobs where next_at > now()',
  )
  expect(rows).toEqual([{ count: 30 }])
  expect(await here.recur(threeSteps())).toEqual({ enqueued: 0 })
})

test('a definition is updated in place, and removing it keeps the jobs it made', async () => {
  const id = randomUUID()
  await define(id)
  await define(id, '0 12 * * *')
  await due(id)
  await here.recur(threeSteps())
  await removeRecurringJob(here.ctx.db, id)
  expect(await here.recur(threeSteps())).toEqual({ enqueued: 0 })
  expect(await jobs()).toHaveLength(1)
})

test('a scheduled job excludes nothing until it begins, and then waits for its turn', async () => {
  const serverId = randomUUID()
  const about = { title: 'Start later', serverId } as const
  const runAt = new Date(Date.now() + 1_200)
  const { sagas } = here.jobs
  const put = await sagas.enqueue(here.ctx, threeSteps(), { fails: false }, about, { runAt })
  expect(put).toMatchObject({ concurrencyGroup: null, waitsFor: expect.stringContaining('UTC') })
  const held = Promise.withResolvers<void>()
  const now = await sagas.enqueue(here.ctx, threeSteps(), { fails: false }, about)
  await here.work(threeSteps(() => held.promise))
  await until(async () => (await jobs())[0]?.waits === 'Another job of this server is running')
  expect((await jobs())[0]?.state).toBe('waiting')
  held.resolve()
  await until(async () => (await jobs()).every(({ state }) => state === 'done'))
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from jobs order by ended_at',
  )
  expect(rows.map(({ id }) => id)).toEqual([now.id, put.id])
})

test('a scheduled job is dispatched again after a database crash lost its dispatch', async () => {
  const runAt = new Date(Date.now() + 3_600_000)
  await here.jobs.sagas.enqueue(
    here.ctx,
    threeSteps(),
    { fails: false },
    { title: 'Start later' },
    { runAt },
  )
  await database.pool.query('truncate job_dispatch')
  expect(await here.redispatch(threeSteps())).toEqual({ waiting: 1 })
  const { rows } = await database.pool.query('select due_at as at from job_dispatch')
  expect(rows[0].at).toEqual(runAt)
})

test('a job that has not begun is cancelled without running a step', async () => {
  const runAt = new Date(Date.now() + 3_600_000)
  const { id } = await here.jobs.sagas.enqueue(
    here.ctx,
    threeSteps(),
    { fails: false },
    { title: 'Start later' },
    { runAt },
  )
  await here.work(threeSteps())
  await here.jobs.sagas.cancel(here.ctx.db, id)
  await until(async () => (await jobs())[0]?.state === 'cancelled')
  expect((await database.pool.query('select from effects')).rowCount).toBe(0)
})

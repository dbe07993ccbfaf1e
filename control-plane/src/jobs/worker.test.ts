import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts'
import { EFFECTS_TABLE, openWorkshop, threeSteps, type Workshop } from './worker.fixture.ts'

let database: FreshDatabase
let workshop: Workshop
let child: ChildProcess | undefined
beforeEach(async () => {
  database = await freshDatabase()
  await database.pool.query(EFFECTS_TABLE)
  workshop = await openWorkshop(database.application.url)
})
afterEach(async () => {
  child?.kill('SIGKILL')
  await workshop.stop()
  await database.drop()
})

const enqueue = (fails: boolean, serverId?: string) =>
  workshop.jobs.sagas.enqueue(
    workshop.ctx,
    threeSteps(),
    { fails },
    { title: 'Start three steps', ...(serverId && { serverId }) },
  )

async function ended(id: string) {
  const job = async () =>
    (await database.pool.query('select * from jobs where id = $1', [id])).rows[0]
  await expect.poll(async () => (await job()).ended_at).not.toBeNull()
  return job()
}

const effects = async () =>
  (await database.pool.query('select step, attempts from effects order by step')).rows

/** Another process that takes the job and never finishes its second step. */
async function stuckProcess(): Promise<void> {
  const file = path.join(import.meta.dirname, 'worker.fixture.ts')
  child = spawn(process.execPath, [file, database.application.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout?.on('data', (text) => {
    said += text
  })
  while (!said.includes('ready')) if (child.stdout) await once(child.stdout, 'data')
  const { id } = await enqueue(false)
  while (!said.includes('in the middle')) if (child.stdout) await once(child.stdout, 'data')
  jobId = id
}
let jobId = ''

test('a job runs through its steps and reports progress', async () => {
  await workshop.work(threeSteps())
  const { id } = await enqueue(false)
  expect(await ended(id)).toMatchObject({ state: 'done', failure: null })
  const { steps } = await ended(id)
  expect(steps.map((step: { state: string }) => step.state)).toEqual(['done', 'done', 'done'])
  // A finished step shows no progress detail.
  expect(steps[1]).toMatchObject({ percent: 100, detail: null })
  expect(await effects()).toEqual(
    ['First', 'Second', 'Third'].map((step) => ({ step, attempts: 1 })),
  )
})

test('an impossible job leaves nothing behind but its failure', async () => {
  await workshop.work(threeSteps())
  const { id } = await enqueue(true)
  expect(await ended(id)).toMatchObject({
    state: 'failed',
    failure: { code: 'broken', detail: 'It cannot be done' },
  })
  expect(await effects()).toEqual([])
  expect((await database.pool.query('select 1 from job_steps')).rows).toEqual([])
})

test('a step that fails temporarily is retried where it was', async () => {
  let failures = 2
  await workshop.work(
    threeSteps(async () => {
      if (failures-- > 0) throw new Error('the network is away')
    }),
  )
  const { id } = await enqueue(false)
  expect(await ended(id)).toMatchObject({ state: 'done' })
  expect(await effects()).toEqual([
    { step: 'First', attempts: 1 },
    { step: 'Second', attempts: 3 },
    { step: 'Third', attempts: 1 },
  ])
})

test('the job of a killed process is taken over by another and done once', async () => {
  await stuckProcess()
  child?.kill('SIGKILL')
  const killedMs = performance.now()
  await workshop.work(threeSteps())
  expect(await ended(jobId)).toMatchObject({ state: 'done' })
  expect(performance.now() - killedMs).toBeLessThan(30_000)
  expect(await effects()).toEqual([
    { step: 'First', attempts: 1 },
    { step: 'Second', attempts: 2 },
    { step: 'Third', attempts: 1 },
  ])
})

test('a cancelled job undoes what it made', async () => {
  const { promise: inMiddle, resolve: reached } = Promise.withResolvers<void>()
  await workshop.work(
    threeSteps(async (signal) => {
      reached()
      await once(signal, 'abort')
    }),
  )
  const { id } = await enqueue(false)
  await inMiddle
  await database.pool.query('update jobs set cancel_requested = true where id = $1', [id])
  expect(await ended(id)).toMatchObject({ state: 'cancelled', failure: { code: 'cancelled' } })
  expect(await effects()).toEqual([])
})

test('a server has one such job at a time', async () => {
  const serverId = crypto.randomUUID()
  const attempts = await Promise.allSettled(
    Array.from({ length: 10 }, () => enqueue(false, serverId)),
  )
  const taken = attempts.filter((attempt) => attempt.status === 'fulfilled')
  expect(taken).toHaveLength(1)
  for (const attempt of attempts.filter((one) => one.status === 'rejected'))
    expect(attempt.reason).toMatchObject({ code: 'job_in_progress' })
  await workshop.work(threeSteps())
  await ended(taken[0]?.value.id ?? '')
  await expect(enqueue(false, serverId)).resolves.toMatchObject({ state: 'waiting' })
})

test('a failed undo is retried as an undo, and the job shows it', async () => {
  let failures = 2
  const forward: string[] = []
  await workshop.work(
    threeSteps(
      async () => void forward.push('Second'),
      async () => {
        if (failures-- > 0) throw new Error('the node is away')
      },
    ),
  )
  const { id } = await enqueue(true)
  const told = async () =>
    (await database.pool.query('select state, steps from jobs where id = $1', [id])).rows[0]
  await expect
    .poll(async () => (await told()).steps[2]?.detail)
    .toBe('Undoing “Second”: it failed and is tried again')
  expect((await told()).state).toBe('running')
  expect(await ended(id)).toMatchObject({ state: 'failed', failure: { code: 'broken' } })
  expect((await told()).steps.map((step: { state: string }) => step.state)).toEqual([
    'done',
    'done',
    'failed',
  ])
  expect(forward).toEqual(['Second'])
  expect(await effects()).toEqual([])
})

test('the rollback of a killed process continues, although the reason has passed', async () => {
  const { id } = await enqueue(true)
  const reached = Promise.withResolvers<void>()
  await workshop.work(
    threeSteps(undefined, async (signal) => {
      reached.resolve()
      await once(signal, 'abort')
      signal.throwIfAborted()
    }),
  )
  await reached.promise
  await workshop.stopWorking()
  await database.pool.query(`update jobs set input = '{"fails": false}' where id = $1`, [id])
  await workshop.work(threeSteps())
  expect(await ended(id)).toMatchObject({ state: 'failed', failure: { code: 'broken' } })
  expect(await effects()).toEqual([])
})

test('a cancel that comes after the last step takes nothing back', async () => {
  const { id } = await enqueue(false)
  await workshop.work(
    threeSteps(undefined, undefined, async (signal) => {
      await database.pool.query('update jobs set cancel_requested = true where id = $1', [id])
      await once(signal, 'abort')
    }),
  )
  expect(await ended(id)).toMatchObject({ state: 'done' })
  expect(await effects()).toHaveLength(3)
})

test('a job of a rolled-back transaction does not exist', async () => {
  await workshop.work(threeSteps())
  await expect(
    workshop.ctx.transaction(async (ctx) => {
      await workshop.jobs.sagas.enqueue(
        ctx,
        threeSteps(),
        { fails: false },
        { title: 'Start never' },
      )
      throw new Error('something else went wrong')
    }),
  ).rejects.toThrow('something else')
  const { id } = await enqueue(false)
  await ended(id)
  expect((await database.pool.query('select id from jobs')).rows).toEqual([{ id }])
  expect(await effects()).toHaveLength(3)
})

test('a job is dispatched again after a database crash lost its dispatch', async () => {
  const { id } = await enqueue(false)
  expect(await workshop.redispatch(threeSteps())).toEqual({ waiting: 0 })
  await database.pool.query('truncate job_dispatch')
  expect(await workshop.redispatch(threeSteps())).toEqual({ waiting: 1 })
  await workshop.work(threeSteps())
  expect(await ended(id)).toMatchObject({ state: 'done' })
  expect(await effects()).toHaveLength(3)
})

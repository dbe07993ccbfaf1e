import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts'
import { type Channels, openChannels } from '../db/channels.ts'
import { type Db, inOneTransaction, openDatabase, openPool } from '../db/database.ts'
import { dispatch } from './dispatch/dispatch-store.ts'
import { type Dispatcher, startDispatcher } from './dispatch/dispatcher.ts'

let database: FreshDatabase
let pool: pg.Pool
let db: Db
let channels: Channels
let workers: Dispatcher[]
const log = pino({ level: 'silent' })
beforeEach(async () => {
  database = await freshDatabase()
  pool = openPool({ connectionString: database.application.url }, { max: 6, log })
  db = openDatabase(pool)
  channels = openChannels({ connectionString: database.application.url }, log)
  workers = []
})
afterEach(async () => {
  for (const worker of workers) await worker.stop()
  await channels.stop()
  await pool.end()
  await database.drop()
})

function work(
  run: (jobId: string, signal: AbortSignal) => Promise<void>,
  its: Pick<pg.Pool, 'query'> = pool,
): Dispatcher {
  const worker = startDispatcher({
    pool: its,
    channels,
    log,
    run,
  })
  workers.push(worker)
  return worker
}
const waiting = async () =>
  (await database.pool.query('select job_id as id, worker, attempts from job_dispatch')).rows

test('each job goes to one of several processes, and finished jobs are removed', async () => {
  const ids = Array.from({ length: 300 }, () => randomUUID())
  const runs: string[] = []
  for (let count = 0; count < 3; count++) work(async (id) => void runs.push(id))
  await inOneTransaction(db, async (tx) => {
    for (const id of ids) await dispatch(tx, id)
    for (const id of ids) await dispatch(tx, id)
  })
  await expect.poll(waiting).toEqual([])
  expect(runs.toSorted()).toEqual(ids.toSorted())
})

test('a job of a rolled-back transaction is never dispatched', async () => {
  const runs: string[] = []
  work(async (id) => void runs.push(id))
  const failed = inOneTransaction(db, async (tx) => {
    await dispatch(tx, randomUUID())
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  const id = randomUUID()
  await dispatch(db, id)
  await expect.poll(waiting).toEqual([])
  expect(runs).toEqual([id])
})

test('a failed run is retried after a pause, without delaying others', async () => {
  const [bad, good] = [randomUUID(), randomUUID()]
  const runs: { id: string; ms: number }[] = []
  work(async (id) => {
    runs.push({ id, ms: performance.now() })
    if (id === bad && runs.filter((run) => run.id === bad).length < 3) throw new Error('not now')
  })
  await dispatch(db, bad)
  await dispatch(db, good)
  await expect.poll(waiting).toEqual([])
  const [first, second, third] = runs.filter((run) => run.id === bad).map(({ ms }) => ms)
  expect(second! - first!).toBeGreaterThan(700)
  expect(third! - second!).toBeGreaterThan(1500)
  const firstGood = runs.find((run) => run.id === good)
  expect(firstGood!.ms).toBeLessThan(second!)
})

test('a stopping process returns its jobs, and another continues at once', async () => {
  const reached = Promise.withResolvers<void>()
  const leaving = work(async (_id, signal) => {
    reached.resolve()
    await once(signal, 'abort')
    throw new Error('the process ends')
  })
  const id = randomUUID()
  await dispatch(db, id)
  await reached.promise
  await leaving.stop()
  expect(await waiting()).toMatchObject([{ id, worker: null }])
  const runs: string[] = []
  work(async (job) => void runs.push(job))
  await expect.poll(waiting).toEqual([])
  expect(runs).toEqual([id])
})

test('a stopping process does not claim again the job that it returns', async () => {
  const claiming = Promise.withResolvers<void>()
  const returned = Promise.withResolvers<void>()
  let runs = 0
  // The second claim reaches the database only once the job has been returned.
  const late = {
    async query(statement: pg.QueryConfig) {
      if (statement.name === 'jobs-claim' && runs > 0) {
        claiming.resolve()
        await Promise.race([returned.promise, pause(1_000)])
      }
      const result = await pool.query(statement)
      if (statement.name === 'jobs-put-back') returned.resolve()
      return result
    },
  } as Pick<pg.Pool, 'query'>
  const leaving = work(async (_id, signal) => {
    runs += 1
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    throw new Error('the process ends')
  }, late)
  const id = randomUUID()
  await dispatch(db, id)
  await claiming.promise
  await leaving.stop()
  expect(runs).toBe(1)
  expect(await waiting()).toMatchObject([{ id, worker: null }])
})

test('a worker that loses its lease is aborted', async () => {
  const reached = Promise.withResolvers<void>()
  const told = Promise.withResolvers<void>()
  work(async (_id, signal) => {
    reached.resolve()
    await once(signal, 'abort')
    told.resolve()
  })
  const id = randomUUID()
  await dispatch(db, id)
  await reached.promise
  await database.pool.query('update job_dispatch set worker = $1', [randomUUID()])
  await told.promise
  await expect.poll(waiting).toMatchObject([{ id }])
})

test('dispatching resumes after a database outage', async () => {
  const runs: string[] = []
  work(async (id) => void runs.push(id))
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'lodge%'`,
  )
  const id = randomUUID()
  await database.pool.query('insert into job_dispatch (job_id) values ($1)', [id])
  await expect.poll(waiting).toEqual([])
  expect(runs).toEqual([id])
})

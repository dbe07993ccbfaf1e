import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts'
import { openDatabase, openPool } from '../db/database.ts'
import type { Services } from '../services.ts'
import { startPeriodicTasks, watcher } from './periodic-task.ts'

const log = pino({ level: 'silent' })
let fresh: FreshDatabase
let pool: ReturnType<typeof openPool>
let services: Services

beforeAll(async () => {
  fresh = await freshDatabase()
  pool = openPool({ connectionString: fresh.application.url }, { max: 3, log })
  services = { db: openDatabase(pool), log } as Services
  await fresh.pool.query('create table pieces (of text)')
})

afterAll(async () => {
  await pool.end()
  await fresh.drop()
})

test('a watcher runs when there is work, even while another is slow or fails', async () => {
  const done = Promise.withResolvers<void>()
  const slow = Promise.withResolvers<void>()
  const runs: string[] = []
  const when = (of: string) => `select from pieces where of = '${of}'`
  const tasks = startPeriodicTasks(
    [
      watcher('idle', when('idle'), async () => {
        runs.push('idle')
        return {}
      }),
      watcher('slow', when('slow'), async () => {
        runs.push('slow')
        await slow.promise
        return {}
      }),
      watcher('faulty', when('faulty'), async () => {
        runs.push('faulty')
        throw new Error('it fails')
      }),
      watcher('due', when('due'), async () => {
        await pool.query(`delete from pieces where of = 'due'`)
        runs.push('due')
        if (runs.filter((one) => one === 'due').length === 2) done.resolve()
        else await pool.query(`insert into pieces values ('due')`)
        return { done: 1 }
      }),
    ],
    services,
    log,
  )
  await pool.query(`insert into pieces values ('slow'), ('faulty'), ('due')`)
  await done.promise
  let ended = false
  const stopping = tasks.stop().then(() => {
    ended = true
  })
  await pool.query('select 1')
  expect(ended, 'what runs is waited for').toBe(false)
  slow.resolve()
  await stopping

  expect(runs).not.toContain('idle')
  expect(runs.filter((one) => one === 'slow')).toHaveLength(1)
  expect(runs).toContain('faulty')
})

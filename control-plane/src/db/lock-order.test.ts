import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeFindings } from '../../../test/run/lock-order.ts'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts'
import { type Db, openDatabase, openPool } from './database.ts'
import { LOCK_ORDER } from './lock-order.ts'

let database: FreshDatabase
let pool: pg.Pool
let db: Db
beforeAll(async () => {
  database = await freshDatabase()
  const log = pino({ level: 'silent' })
  pool = openPool({ connectionString: database.application.url }, { max: 1, log })
  db = openDatabase(pool)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

test('a transaction that locks rows against the declared order is noticed', async () => {
  const lockServers = sql`select id from servers for no key update`
  const renameUsers = sql`update users set name = name`
  await db.transaction(async (tx) => {
    await tx.execute(renameUsers)
    await tx.execute(lockServers)
    // They are locked already.
    await tx.execute(renameUsers)
  })
  expect(takeFindings()).toEqual([])
  await db.transaction(async (tx) => {
    await tx.execute(lockServers)
    await tx.execute(renameUsers)
  })
  expect(takeFindings()).toEqual(['users after servers: update users set name = name'])
})

test('the declared order names existing tables, each once', async () => {
  const named = LOCK_ORDER.flat()
  const { rows } = await db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(named))
  expect(new Set(named).size).toBe(named.length)
})

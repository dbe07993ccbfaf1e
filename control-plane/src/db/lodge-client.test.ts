import { sql } from 'drizzle-orm'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import { Problem } from '../problem.ts'
import {
  type Db,
  inOneTransaction,
  isDuplicate,
  later,
  notify,
  openDatabase,
  openPool,
} from './database.ts'

let database: FreshDatabase
let pool: pg.Pool
let db: Db
beforeAll(async () => {
  database = await freshDatabase()
  pool = openPool(
    { connectionString: database.application.url },
    { max: 2, log: pino({ level: 'silent' }) },
  )
  db = openDatabase(pool)
  await database.pool.query('create table notes (id int primary key, words text not null)')
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const insert = (id: number, words: string | null = 'x') => ({
  text: 'insert into notes (id, words) values ($1, $2)',
  values: [id, words],
})
const notes = async (from: Db, id: number) => {
  const { rows } = await from.execute<{ words: string }>(
    sql`select words from notes where id = ${id}`,
  )
  return rows.length
}

test('a deferred statement is visible to the next one and committed', async () => {
  await inOneTransaction(db, async (tx) => {
    await later(tx, insert(1))
    expect(await notes(tx, 1)).toBe(1)
    expect(await notes(db, 1)).toBe(0)
    await later(tx, insert(2))
  })
  expect([await notes(db, 1), await notes(db, 2)]).toEqual([1, 1])
})

test('a deferred statement that fails, fails the transaction with its own error', async () => {
  const late = inOneTransaction(db, async (tx) => {
    await tx.execute(sql`insert into notes values (10, 'not kept')`)
    await later(tx, insert(11, null))
  })
  await expect(late).rejects.toMatchObject({ cause: { code: '23502' } })
  const early = inOneTransaction(db, async (tx) => {
    await later(tx, insert(12, null))
    await notes(tx, 12)
  })
  await expect(early).rejects.toMatchObject({ cause: { code: '23502' } })
  expect(await notes(db, 10)).toBe(0)
  await inOneTransaction(db, (tx) => later(tx, insert(13)))
  expect(await notes(db, 13)).toBe(1)
})

test('a rollback discards all statements, sent or not', async () => {
  for (const sent of [true, false]) {
    const given = inOneTransaction(db, async (tx) => {
      if (sent) await notes(tx, 20)
      await later(tx, insert(20))
      await notify(tx, 'given_up', 'x')
      throw new Error('given up')
    })
    await expect(given).rejects.toThrow('given up')
  }
  await inOneTransaction(db, async (tx) => void (await notes(tx, 20)))
  expect(await notes(db, 20)).toBe(0)
})

test('an empty transaction sends nothing to the database', async () => {
  const client = await pool.connect()
  await client.query(`select 'the last one that was sent'`)
  for (const end of ['commit', 'rollback']) {
    await client.query('begin')
    await client.query(end)
  }
  const { rows } = await database.pool.query(
    `select 1 from pg_stat_activity where query = $1 and datname = current_database()`,
    [`select 'the last one that was sent'`],
  )
  expect(rows).toHaveLength(1)
  client.release()
})

test('a listener is notified once, and only of what was committed', async () => {
  const heard: string[] = []
  const listener = new pg.Client({ connectionString: database.application.url })
  listener.on('notification', ({ payload }) => heard.push(payload ?? ''))
  await listener.connect()
  await listener.query('listen news')
  await inOneTransaction(db, async (tx) => {
    await notify(tx, 'news', 'lost')
    throw new Error('no')
  }).catch(() => undefined)
  await inOneTransaction(db, async (tx) => {
    await notify(tx, 'news', 'one')
    await notes(tx, 1)
    await notify(tx, 'news', 'one')
    await notify(tx, 'news', 'two')
  })
  await notify(db, 'news', 'three')
  await until(() => heard.length === 3)
  expect(heard).toEqual(['one', 'two', 'three'])
  await listener.end()
})

test('a connection lost in a transaction rejects the pending query', async () => {
  const lost = inOneTransaction(db, async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await later(tx, insert(30))
    await notes(tx, 30)
  })
  await expect(lost).rejects.toThrow()
  expect(await notes(db, 30)).toBe(0)
})

test('a deferred statement can explain its failure', async () => {
  const explain = (fault: unknown) =>
    isDuplicate(fault, 'notes_pkey') ? new Problem('duplicate', 'There is one already') : undefined
  const given = inOneTransaction(db, (tx) => later(tx, { ...insert(1), explain }))
  await expect(given).rejects.toMatchObject({ code: 'duplicate' })
})

import { sql } from 'drizzle-orm'
import pino from 'pino'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database.ts'
import { type Db, inOneTransaction, openDatabase, openPool } from './database.ts'

test('two deadlocked transactions both commit', async () => {
  const fresh = await freshDatabase()
  const pool = openPool(
    { connectionString: fresh.application.url },
    { max: 4, log: pino({ level: 'silent' }) },
  )
  const db = openDatabase(pool)
  await fresh.pool.query('create table two (id int primary key, count int not null)')
  await db.execute(sql`insert into two values (1, 0), (2, 0)`)

  const bothHold = Promise.withResolvers<void>()
  let holding = 0
  const raise = (tx: Db, id: number) =>
    tx.execute(sql`update two set count = count + 1 where id = ${id}`)
  const cross = (first: number, second: number) =>
    inOneTransaction(db, async (tx) => {
      await raise(tx, first)
      if (++holding === 2) bothHold.resolve()
      await bothHold.promise
      await raise(tx, second)
    })
  await Promise.all([cross(1, 2), cross(2, 1)])

  // One was retried, on a busy machine perhaps more than once.
  expect(holding).toBeGreaterThan(2)
  const { rows } = await db.execute<{ count: number }>(sql`select count from two`)
  expect(rows.map((row) => row.count)).toEqual([2, 2])
  await pool.end()
  await fresh.drop()
})

import { sql } from 'drizzle-orm'
import pino from 'pino'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import { openDatabase, openPool } from '../db/database.ts'
import { defineBudgets } from './budgets.ts'
import { take } from './throttle.ts'

test('concurrent requests cannot exceed a fresh budget', async () => {
  const fresh = await freshDatabase()
  const pool = openPool(
    { connectionString: fresh.application.url },
    { max: 4, log: pino({ level: 'silent' }) },
  )
  const db = openDatabase(pool)
  const others = await pool.connect()
  await others.query('begin')
  const { signIn } = defineBudgets({ signIn: { secondsEach: 60, burst: 10 } })
  const { burst, secondsEach } = signIn
  await others.query(
    `insert into rate_limits values ('signIn:fresh', clock_timestamp() + make_interval(secs => $1))`,
    [burst * secondsEach],
  )
  const taken = take(db, signIn, 'fresh').then(
    () => 'let in',
    (refused: { code?: string }) => refused.code,
  )
  await until(async () => {
    const { rows } = await db.execute<{
      pid: number
    }>(sql`select pid from pg_locks natural join pg_stat_activity
      where datname = current_database() and not granted`)
    return rows.length > 0
  })
  await others.query('commit')
  others.release()
  expect(await taken).toBe('rate_limited')
  await pool.end()
  await fresh.drop()
})

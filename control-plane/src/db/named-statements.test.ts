import { eq } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts'
import { users } from '../domains/customers/tables.ts'
import { openDatabase, openPool } from './database.ts'
import { statementNames } from './named-statements.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('a statement has a name from its third use on, always the same one', () => {
  const nameOf = statementNames()
  expect([1, 2].map(() => nameOf('select $1', 1))).toEqual([undefined, undefined])
  const name = nameOf('select $1', 1)
  expect(name).toBeDefined()
  expect(nameOf('select $1', 1)).toBe(name)
})

test('statements without parameters or with very many get no name, and the number of names is bounded', () => {
  const nameOf = statementNames()
  const thrice = (text: string, parameters: number) =>
    [1, 2, 3].map(() => nameOf(text, parameters)).at(-1)
  expect(thrice('begin', 0)).toBeUndefined()
  expect(thrice('select 1 where 1 in (...)', 61)).toBeUndefined()
  const names = Array.from({ length: 1000 }, (_, at) => thrice(`select ${at} + $1`, 1))
  expect(new Set(names.filter((name) => name !== undefined)).size).toBe(300)
})

test('PostgreSQL keeps the plan of a frequent statement, with the same results', async () => {
  const pool = openPool(
    { connectionString: database.application.url },
    { max: 1, log: pino({ level: 'silent' }) },
  )
  const db = openDatabase(pool)
  const sums: unknown[] = []
  for (let n = 0; n < 5; n++) {
    const { rows } = await pool.query({ text: 'select $1::int + 1 as sum', values: [n] })
    sums.push(rows[0]?.sum)
    await db.transaction((tx) =>
      tx
        .select()
        .from(users)
        .where(eq(users.email, `${n}`)),
    )
  }
  expect(sums).toEqual([1, 2, 3, 4, 5])
  const { rows } = await pool.query('select statement from pg_prepared_statements')
  const kept = rows.map((row) => row.statement)
  expect(kept).toContain('select $1::int + 1 as sum')
  expect(kept.filter((text) => text.includes('"users"."email" = $1'))).toHaveLength(1)
  await pool.end()
})

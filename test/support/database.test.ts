import { expect, test } from 'vitest'
import { freshDatabase } from './database.ts'

test('every test gets its own database', async () => {
  const [one, two] = await Promise.all([freshDatabase(), freshDatabase()])
  await one.pool.query('create table only_here (n integer)')
  await expect(two.pool.query('select * from only_here')).rejects.toThrow('does not exist')
  await Promise.all([one.drop(), two.drop()])
})

test('a fresh database has the newest schema', async () => {
  const { pool, drop } = await freshDatabase()
  const { rows } = await pool.query("select to_regclass('servers') as servers")
  expect(rows).toEqual([{ servers: 'servers' }])
  await drop()
})

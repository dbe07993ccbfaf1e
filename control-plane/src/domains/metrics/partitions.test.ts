import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/support/database.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import { keepPartitions } from './partitions.ts'

let database: FreshDatabase
let db: Db
beforeAll(async () => {
  database = await freshDatabase()
  db = openDatabase(database.application.pool)
})
afterAll(() => database.drop())

const partitions = async (table: string) => {
  const { rows } = await database.pool.query<{ name: string; kind: string }>(
    `select c.relname as name, c.relpersistence as kind from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::regclass order by 1`,
    [table],
  )
  return rows
}
const day = (text: string) => new Date(`${text}T10:00:00Z`)

test('partitions exist from yesterday to the day after tomorrow, created once by many instances', async () => {
  await Promise.all([1, 2, 3].map(() => keepPartitions(db, day('2026-03-10'))))
  const samples = await partitions('server_samples')
  expect(samples.map(({ name }) => name)).toEqual(
    ['09', '10', '11', '12'].map((date) => `server_samples_202603${date}`),
  )
  expect(new Set(samples.map(({ kind }) => kind))).toEqual(new Set(['u']))
  expect(new Set((await partitions('server_rollups_5m')).map(({ kind }) => kind))).toEqual(
    new Set(['p']),
  )
  expect(await keepPartitions(db, day('2026-03-10'))).toEqual({ made: 0, dropped: 0 })
})

test('samples are deleted after a day, five-minute rows after eight days, hours after ninety', async () => {
  for (let at = 0; at < 120; at++) {
    const now = new Date(day('2026-03-10').getTime() + at * 86_400_000)
    await keepPartitions(db, now)
    await database.pool.query(
      `insert into server_rollups_1h (key, at, samples, cpu, cpu_max, memory, memory_max, rx, rx_max, tx, tx_max) values (1, $1, 1, 0, 0, 0, 0, 0, 0, 0, 0)`,
      [now],
    )
  }
  const names = async (table: string) => (await partitions(table)).map(({ name }) => name.slice(-8))
  expect(await names('server_samples')).toEqual(['20260706', '20260707', '20260708', '20260709'])
  expect((await names('node_rollups_5m'))[0]).toBe('20260629')
  expect((await names('node_rollups_5m')).length).toBe(11)
  const { rows } = await database.pool.query(
    `select count(*) filter (where at > '2026-04-08T10:00:00Z') as kept, min(at) as oldest from server_rollups_1h`,
  )
  expect(rows[0].kept).toBe(90)
  expect(rows[0].oldest.getTime()).toBeGreaterThan(Date.UTC(2026, 3, 1))
  expect((await partitions('server_rollups_1h')).length).toBeLessThanOrEqual(15)
})

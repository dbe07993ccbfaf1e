import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts'
import { migrate } from './migrate.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const applied = async () =>
  (await database.pool.query('select name from drizzle.__drizzle_migrations order by id')).rows

const insertMigration = (name: string) =>
  database.pool.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at, name) values ('', 1, $1)`,
    [name],
  )

test('instances that start at once apply each migration once', async () => {
  const before = await applied()
  expect(before.length).toBeGreaterThan(0)
  await Promise.all([migrate(database.pool), migrate(database.pool), migrate(database.pool)])
  expect(await applied()).toEqual(before)
})

test('a database that a newer version has migrated is served', async () => {
  await insertMigration('29990101000000_newer')
  await expect(migrate(database.pool)).resolves.toBeUndefined()
})

test('a database of another line of versions is refused, with a way out', async () => {
  await insertMigration('20260101000000_elsewhere')
  await expect(migrate(database.pool)).rejects.toThrow(
    /20260101000000_elsewhere is unknown here.*Start the version that made it, or give this one an empty/,
  )
})

import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sourceFiles } from '../../../test/house/source-files.ts'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts'
import {
  ADVISORY_LOCKS,
  type AdvisoryLock,
  lock,
  lockScope,
  tryLock,
  tryLockSession,
} from './advisory-locks.ts'
import { openDatabase } from './database.ts'

const names = Object.keys(ADVISORY_LOCKS) as AdvisoryLock[]
let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('each lock can be held while all the others are, and only once', async () => {
  const clients = names.map(() => new pg.Client(database.application.url))
  await Promise.all(clients.map((client) => client.connect()))
  const got = await Promise.all(
    names.map((name, at) => tryLockSession(clients[at] as pg.Client, name)),
  )
  expect(got).toEqual(names.map(() => true))
  await openDatabase(database.application.pool).transaction(async (tx) => {
    for (const name of names) expect(await tryLock(tx, name)).toBe(false)
    // Scopes are in another key space, whatever their hash.
    for (const name of names) await lockScope(tx, name)
  })
  await Promise.all(clients.map((client) => client.end()))
})

test('a lock that ends with the transaction is refused outside one', async () => {
  const db = openDatabase(database.application.pool)
  await expect(lock(db, 'auditSeal')).rejects.toThrow(/transaction/)
  await expect(lockScope(db, 'cap servers')).rejects.toThrow(/transaction/)
})

test('no other file takes an advisory lock', () => {
  const taking = sourceFiles()
    .filter(({ path, text }) => !path.includes('.test.') && /pg_(try_)?advisory/.test(text))
    .map(({ path }) => path)
  expect(taking).toEqual(['control-plane/src/db/advisory-locks.ts'])
})

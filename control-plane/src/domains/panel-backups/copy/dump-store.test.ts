import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDatabase, type FreshDatabase } from '../../../../../test/support/database.ts'
import { lockSession } from '../../../db/advisory-locks.ts'
import { dumpDatabase, tableFile } from './dump-store.ts'

let database: FreshDatabase
let folder: string
beforeAll(async () => {
  database = await emptyDatabase()
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-dump-'))
  await database.pool.query(`create schema drizzle;
    create table drizzle.__drizzle_migrations (id serial, name text, hash text);
    create table large as select repeat('x', 1000) as content from generate_series(1, 20000)`)
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test('a table that cannot be written ends the dump and releases every lock', async () => {
  // Nothing can be written there, as on a full disk.
  await mkdir(tableFile(folder, 'large'), { recursive: true })
  const client = new pg.Client(database.url)
  await client.connect()
  const work = { onProgress: () => undefined, signal: new AbortController().signal }
  await expect(dumpDatabase(client, folder, work)).rejects.toThrow('EISDIR')
  await client.end()
  // Samples can be written and partitions changed again.
  const other = new pg.Client(database.url)
  await other.connect()
  await lockSession(other, 'metricsPartitions')
  await other.end()
})

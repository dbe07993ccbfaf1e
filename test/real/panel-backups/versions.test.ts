import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { placesOf, readConfig } from '../../../control-plane/src/config.ts'
import { knownMigrations } from '../../../control-plane/src/db/migrate.ts'
import { makeCopy } from '../../../control-plane/src/domains/panel-backups/copy/make-copy.ts'
import { makeRecoveryKey } from '../../../control-plane/src/domains/panel-backups/recovery-key.ts'
import { emptyDatabase } from '../../support/database.ts'
import { runLodge } from '../../support/run-lodge.ts'
import { startLodge } from '../../support/stack.ts'

// Backups of other versions, made of databases with fewer or more migrations than ours.

const recoveryKey = makeRecoveryKey()
const BLOB = `ab/ab${'0'.repeat(62)}`
let place: string
let dataFolder: string
beforeEach(async () => {
  place = await mkdtemp(path.join(os.tmpdir(), 'lodge-panel-versions-'))
  dataFolder = await mkdtemp(path.join(os.tmpdir(), 'lodge-restored-'))
})
afterEach(async () => {
  for (const folder of [place, dataFolder]) await rm(folder, { recursive: true, force: true })
})

/** Backs up a panel with one administrator, of the version that has these migrations. */
async function backUpVersion(
  migrations: readonly { name: string; hash: string; sql: readonly string[] }[],
) {
  const database = await emptyDatabase()
  const client = new pg.Client(database.url)
  await client.connect()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-other-version-'))
  try {
    await client.query(`create schema drizzle; create table drizzle.__drizzle_migrations
      (id serial primary key, hash text, created_at bigint, name text)`)
    for (const { name, hash, sql } of migrations) {
      for (const statement of sql) await client.query(statement)
      await client.query(
        'insert into drizzle.__drizzle_migrations (hash, created_at, name) values ($1, 0, $2)',
        [hash, name],
      )
    }
    await client.query(
      `insert into users (id, email, role, permissions, password_hash, preferences)
       values ($1, 'root@example.com', 'admin', '{}', 'x', '{"mode":null}')`,
      [randomUUID()],
    )
    await mkdir(path.join(folder, 'secrets'), { mode: 0o700 })
    await writeFile(path.join(folder, 'secrets/master.key'), randomBytes(32).toString('base64'), {
      mode: 0o600,
    })
    await mkdir(path.join(folder, 'other disk/ab'), { recursive: true })
    await writeFile(path.join(folder, 'other disk', BLOB), 'large')
    await symlink(path.join(folder, 'other disk'), path.join(folder, 'blobs'))
    await makeCopy({
      places: placesOf(readConfig({ LODGE_DATA: folder, DATABASE_URL: database.url })),
      repository: { recoveryKey, location: { kind: 'folder', folder: place } },
      ...{ backupId: randomUUID(), media: true, isKnown: false, client, caFile: undefined },
      ...{ signal: new AbortController().signal, onProgress: () => undefined },
    })
  } finally {
    await client.end()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
}

const ours = knownMigrations().map(({ name = '', hash, sql }) => ({ name, hash, sql }))

test('a backup of an older version is restored completely and migrated by the next start', async () => {
  await backUpVersion(ours.slice(0, -1))
  const database = await emptyDatabase()
  const environment = {
    LODGE_DATA: dataFolder,
    DATABASE_URL: database.url,
    LODGE_RECOVERY_KEY: recoveryKey,
  }
  const ended = await runLodge(['restore', '--from', place], environment)
  expect(ended).toMatchObject({ code: 0 })
  const applied = () =>
    database.pool.query('select name from drizzle.__drizzle_migrations order by id')
  expect((await applied()).rows).toHaveLength(ours.length - 1)
  // Large files were behind a symbolic link.
  expect(await readFile(path.join(dataFolder, 'blobs', BLOB), 'utf8')).toBe('large')
  const lodge = await startLodge({ database, environment: { LODGE_DATA: dataFolder } })
  expect((await applied()).rows.map(({ name }) => name)).toEqual(ours.map(({ name }) => name))
  expect((await database.pool.query('select email from users')).rows).toEqual([
    { email: 'root@example.com' },
  ])
  await lodge.controlPlane.stop()
  await database.drop()
})

test('a backup of a newer version is refused with an explanation', async () => {
  await backUpVersion([...ours, { name: '29990101000000_later', hash: '0'.repeat(64), sql: [] }])
  const database = await emptyDatabase()
  const ended = await runLodge(['restore', '--from', place], {
    LODGE_DATA: dataFolder,
    DATABASE_URL: database.url,
    LODGE_RECOVERY_KEY: recoveryKey,
  })
  expect(ended.said).toContain('from a newer version of Lodge')
  expect(ended.code).toBe(1)
  await database.drop()
})

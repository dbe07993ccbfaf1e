import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Pool } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../../db/database.ts'
import {
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from '../../../embedded-postgres/supervisor.ts'
import { whySetBack } from './lineage.ts'
import { identityOf, lookAtLineage, recordIdentity } from './lineage-store.ts'

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../../migrations')
const log = { info: () => undefined, warn: () => undefined }
let folder: string
let server: EmbeddedDatabase | undefined
let pool: Pool | undefined

beforeEach(async () => {
  folder = await mkdtemp('/tmp/lodge-promoted-')
  await chmod(folder, 0o755)
})
afterEach(async () => {
  await stop()
  await rm(folder, { recursive: true, force: true })
})

async function start(): Promise<Pool> {
  server = await startEmbeddedDatabase({ folder, log })
  pool = new Pool(server.connection)
  pool.on('error', () => undefined)
  return pool
}
async function stop(): Promise<void> {
  await pool?.end()
  await server?.stop()
  pool = undefined
  server = undefined
}

/** The statement of the migration that makes the table. */
async function makeTable(on: Pool): Promise<void> {
  const names = await readdir(MIGRATIONS)
  const name = names.find((one) => one.endsWith('_database_lineage')) ?? ''
  const text = await readFile(path.join(MIGRATIONS, name, 'migration.sql'), 'utf8')
  await on.query(text.split('--> statement-breakpoint')[0] ?? '')
}

/** From its next start, the server is a standby of another one until it is promoted. */
async function makeStandby(): Promise<void> {
  const data = path.join(folder, 'data')
  const { uid, gid } = await stat(data)
  const signal = path.join(data, 'standby.signal')
  await writeFile(signal, '')
  await chown(signal, uid, gid)
}

test('a promoted standby counts as set back, a restarted server does not', async () => {
  const first = await start()
  await makeTable(first)
  const db = openDatabase(first)
  await recordIdentity(db, await identityOf(db))
  const before = await lookAtLineage(db, await identityOf(db))
  expect(before?.recorded).toMatchObject({ timeline: 1, setBacks: 0, agoMs: null })
  expect(before?.recorded.systemIdentifier).toMatch(/^\d{15,}$/)
  expect(before?.now).toEqual({
    systemIdentifier: before?.recorded.systemIdentifier,
    timeline: 1,
  })
  await stop()

  await makeStandby()
  const standby = await start()
  const same = await lookAtLineage(openDatabase(standby), await identityOf(openDatabase(standby)))
  expect(same && whySetBack(same.recorded, same.now, 0)).toBeUndefined()

  await standby.query('select pg_promote()')
  const promoted = openDatabase(standby)
  // Immediately, before the first checkpoint on the new timeline.
  const look = await lookAtLineage(promoted, await identityOf(promoted))
  expect(look?.now.timeline).toBe(2)
  expect(look && whySetBack(look.recorded, look.now, 0)).toBe('another_timeline')
})

test('a role that may not query PostgreSQL gets no identity, and nothing fails', async () => {
  const owner = await start()
  await makeTable(owner)
  await owner.query('revoke execute on function pg_control_system() from public')
  await owner.query('revoke execute on function pg_walfile_name(pg_lsn) from public')
  await owner.query('create role lodge_asking login')
  await owner.query('grant select, insert, update on database_lineage to lodge_asking')
  const asking = new Pool({ ...server?.connection, user: 'lodge_asking' })
  try {
    const db = openDatabase(asking)
    const identity = await identityOf(db)
    await recordIdentity(db, identity)
    const look = await lookAtLineage(db, identity)
    expect(look?.now).toEqual({ systemIdentifier: null, timeline: null })
    expect(look && whySetBack(look.recorded, look.now, look.recorded.mark)).toBeUndefined()
  } finally {
    await asking.end()
  }
})

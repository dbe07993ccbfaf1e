import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isAlive } from './cluster.ts'
import { type EmbeddedDatabase, startEmbeddedDatabase } from './supervisor.ts'

const said: string[] = []
const log = { info: (line: string) => said.push(line), warn: (line: string) => said.push(line) }
let folder: string
let running: EmbeddedDatabase[]

beforeEach(async () => {
  folder = await mkdtemp('/tmp/lodge-embedded-')
  await chmod(folder, 0o755)
  running = []
  said.length = 0
})

afterEach(async () => {
  for (const database of running) await database.stop()
  await rm(folder, { recursive: true, force: true })
})

async function start(at = folder): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedDatabase({ folder: at, log })
  running.push(database)
  return database
}

function open(database: EmbeddedDatabase): Pool {
  const pool = new Pool(database.connection)
  pool.on('error', () => undefined)
  return pool
}

/** Repeats a query until the server answers; only the test's timeout ends it. */
async function patiently(pool: Pool, sql: string, values: unknown[] = []) {
  for (;;) {
    try {
      return await pool.query(sql, values)
    } catch {
      await pause(20)
    }
  }
}

test('a stopped database starts again with its rows', async () => {
  const first = await start()
  const pool = open(first)
  await pool.query('create table notes (words text)')
  await pool.query("insert into notes values ('kept')")
  await pool.end()
  await first.stop()
  expect(isAlive(first.pid)).toBe(false)

  const again = open(await start())
  expect((await again.query('select words from notes')).rows).toEqual([{ words: 'kept' }])
  await again.end()
})

test('a killed postmaster comes back and no acknowledged row is lost', async () => {
  const database = await start()
  const pool = open(database)
  await pool.query('create table marks (n integer primary key)')

  const acknowledged: number[] = []
  let next = 0
  let writing = true
  const writers = Array.from({ length: 4 }, async () => {
    while (writing) {
      const n = next++
      await pool.query('insert into marks values ($1)', [n]).then(
        () => acknowledged.push(n),
        () => pause(5),
      )
    }
  })
  while (acknowledged.length < 200) await pause(5)
  const killed = database.pid
  process.kill(killed, 'SIGKILL')
  const before = acknowledged.length
  // Sessions outlive their postmaster for a moment, and go on writing.
  while (database.pid === killed || acknowledged.length < before + 200) await pause(5)
  writing = false
  await Promise.all(writers)

  expect(database.pid).not.toBe(killed)
  const { rows } = await patiently(pool, 'select n from marks')
  const stored = new Set(rows.map((row) => row.n))
  expect(acknowledged.filter((n) => !stored.has(n))).toEqual([])
  expect(said.join('\n')).toContain(`PostgreSQL (pid ${killed}) exited unexpectedly`)
  await pool.end()
})

test('a database that outlived its killed owner is taken over', async () => {
  const owner = fork(new URL('./supervisor.owner.ts', import.meta.url), [folder])
  const [{ pid }] = (await once(owner, 'message')) as [{ pid: number }]
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  expect(isAlive(pid)).toBe(true)

  const database = await start()
  expect(database.pid).toBe(pid)
  await database.stop()
  expect(isAlive(pid)).toBe(false)
})

test('two starts in one folder share one server', async () => {
  const first = await start()
  const second = await start()
  expect(second.pid).toBe(first.pid)
})

test('nothing listens on the network', async () => {
  const pool = open(await start())
  const { rows } = await pool.query('show listen_addresses')
  expect(rows).toEqual([{ listen_addresses: '' }])
  await pool.end()
})

test.runIf(process.getuid?.() === 0)('a folder closed to its account is named', async () => {
  await chmod(folder, 0o700)
  await expect(start(path.join(folder, 'inner'))).rejects.toThrow(`may not enter ${folder}`)
})

test('a folder too deep for a socket address works', async () => {
  const deep = path.join(folder, 'a'.repeat(60), 'b'.repeat(60))
  const database = await start(deep)
  const pool = open(database)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await pool.end()
  await database.stop()
  await rm(database.connection.host, { recursive: true })
})

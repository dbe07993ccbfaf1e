import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { emptyDatabase, type FreshDatabase } from '../../support/database.ts'
import { runLodge, startLodgeCommand } from '../../support/run-lodge.ts'
import { type JoinedNode, type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { jobEnd } from '../../support/vm-world.ts'

// One panel is backed up and restored on empty machines: another data folder, database and ports.

let lodge: Lodge
let admin: Caller
let node: JoinedNode
let place: string
let recoveryKey: string
let backupId: string
const machines: AsyncDisposable[] = []

beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  node = await lodge.joinedNode({ name: 'First' })
  place = await mkdtemp(path.join(os.tmpdir(), 'lodge-panel-backups-'))
  const body = {
    schedule: null,
    place: 'folder',
    folder: place,
    keep: 2,
    media: true,
    s3: null,
  } as const
  await admin.must('PUT /api/settings/panel-backups', { body })
  backupId = await backUp()
  recoveryKey = (await admin.must('POST /api/panel-backups/recovery-key')).recoveryKey
})

afterAll(async () => {
  for (const machine of machines) await machine[Symbol.asyncDispose]()
  await lodge[Symbol.asyncDispose]()
  await rm(place, { recursive: true, force: true })
})

async function backUp(): Promise<string> {
  const made = await admin.must('POST /api/panel-backups')
  await jobEnd(admin, made.jobId, 'done')
  return made.backupId
}

interface Machine {
  readonly database: FreshDatabase
  readonly dataFolder: string
  readonly environment: Record<string, string>
}

async function emptyMachine(): Promise<Machine> {
  const database = await emptyDatabase()
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'lodge-restored-'))
  machines.push({
    async [Symbol.asyncDispose]() {
      await database.drop()
      await rm(dataFolder, { recursive: true, force: true })
    },
  })
  const environment = {
    LODGE_DATA: dataFolder,
    DATABASE_URL: database.url,
    LODGE_RECOVERY_KEY: recoveryKey,
  }
  return { database, dataFolder, environment }
}

const restore = ({ environment }: Machine, ...more: string[]) =>
  runLodge(['restore', '--from', place, ...more], environment)

/** Starts the restored panel. */
async function start({ database, dataFolder }: Machine): Promise<Lodge> {
  const restored = await startLodge({ database, environment: { LODGE_DATA: dataFolder } })
  machines.unshift({ [Symbol.asyncDispose]: () => restored.controlPlane.stop() })
  return restored
}

const signIn = (panel: Lodge) =>
  panel.anonymous().must('POST /api/auth/login', {
    body: { email: 'root@example.com', password: PASSWORD },
  })

test('an empty machine becomes the panel: people sign in, nodes connect, secrets can be decrypted', async () => {
  const machine = await emptyMachine()
  const done = await restore(machine)
  expect(done.said).toContain('The panel is restored')
  expect(done.code).toBe(0)
  const restored = await start(machine)
  await signIn(restored)
  // The same authority, which agents pin, and the same credentials.
  const { caCertificate } = restored.controlPlane.services.fleet
  expect(caCertificate).toBe(lodge.controlPlane.services.fleet.caCertificate)
  const agent = await restored.standIn(node)
  agent.close()
  // Secrets in the database can be decrypted, such as the recovery key.
  const back = await restored.session(admin.id)
  expect(await back.must('POST /api/panel-backups/recovery-key')).toEqual({ recoveryKey })
  const { items } = await back.must('GET /api/panel-backups')
  expect(items.find(({ id }) => id === backupId)).toMatchObject({ state: 'good' })
  // Its job ends there without making another one.
  await until(async () =>
    (await back.must('GET /api/jobs', { query: {} })).items.every(
      ({ endedAt }) => endedAt !== null,
    ),
  )
  expect((await restored.controlPlane.services.auditHead.read())?.lost).toEqual([])
  const { rows } = await machine.database.pool.query(
    `select count(*)::int as count from pg_constraint where contype = 'f' and not convalidated`,
  )
  expect(rows).toEqual([{ count: 0 }])
})

test('a machine whose panel has accounts is unchanged unless the operator confirms replacing it', async () => {
  const machine = await emptyMachine()
  expect((await restore(machine)).code).toBe(0)
  await machine.database.pool.query(`update users set email = 'other@example.com'`)
  const refused = await restore(machine)
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.said).toContain('--replace')
  const { rows } = await machine.database.pool.query('select email from users')
  expect(rows).toEqual([{ email: 'other@example.com' }])
  expect((await restore(machine, '--replace')).code).toBe(0)
  await signIn(await start(machine))
})

test('a wrong recovery key opens nothing and changes nothing', async () => {
  const machine = await emptyMachine()
  const wrong = { ...machine.environment, LODGE_RECOVERY_KEY: 'ABCDE-'.repeat(8).slice(0, -1) }
  const ended = await runLodge(['restore', '--from', place], wrong)
  expect(ended.code).toBe(1)
  expect(ended.said).toContain('The recovery key does not open these backups')
  expect(await readdir(machine.dataFolder)).not.toContain('secrets')
})

test('a change during a backup is in it completely or not at all', async () => {
  const { pool } = lodge.database
  const stop = new AbortController()
  const writing = (async () => {
    for (let at = 1; !stop.signal.aborted; at++) {
      const client = await pool.connect()
      await client.query('begin')
      await client.query(
        `update users set preferences = jsonb_build_object('mode', null, 'at', $1::int)`,
        [at],
      )
      await client.query(
        `insert into settings (area, value) values ('counted', jsonb_build_object('at', $1::int))
         on conflict (area) do update set value = excluded.value`,
        [at],
      )
      await client.query('commit').finally(() => client.release())
    }
  })()
  await backUp().finally(() => stop.abort())
  await writing
  const machine = await emptyMachine()
  expect(await restore(machine)).toMatchObject({ code: 0 })
  const { rows } = await machine.database.pool.query<{ one: string; other: string }>(
    `select (select preferences ->> 'at' from users) as one,
       (select value ->> 'at' from settings where area = 'counted') as other`,
  )
  expect(Number(rows[0]?.one)).toBeGreaterThan(0)
  expect(rows[0]?.one).toBe(rows[0]?.other)
})

test('a killed restore has changed nothing or everything, and can be run again', async () => {
  const machine = await emptyMachine()
  for (const moment of ['Restoring', 'Fetching', 'Writing the database']) {
    const run = startLodgeCommand(['restore', '--from', place], machine.environment)
    await until(async () => run.said().includes(moment) || undefined)
    run.child.kill('SIGKILL')
    await run.ended
    const { rows } = await machine.database.pool.query<{ made: boolean }>(
      `select to_regclass('public.users') is not null as made`,
    )
    const secrets = (await readdir(machine.dataFolder)).includes('secrets')
    expect([rows[0]?.made, secrets]).toEqual([false, false])
  }
  expect(await restore(machine)).toMatchObject({ code: 0 })
  expect(await readdir(machine.dataFolder)).not.toContain('restoring')
  await signIn(await start(machine))
})

/**
 * A machine in the state that a kill leaves once the database has changed and the first of the files
 * was placed.
 */
async function halfRestored(): Promise<Machine> {
  const machine = await emptyMachine()
  expect(await restore(machine)).toMatchObject({ code: 0 })
  const { rows } = await machine.database.pool.query<{ mark: string }>(
    `select obj_description('public'::regnamespace, 'pg_namespace') as mark`,
  )
  const { items } = await admin.must('GET /api/panel-backups')
  const newest = items.find(({ address, state }) => address === place && state === 'good')
  const restoring = path.join(machine.dataFolder, 'restoring')
  await mkdir(path.join(restoring, 'files'), { recursive: true })
  await rename(path.join(machine.dataFolder, 'secrets'), path.join(restoring, 'files/secrets'))
  await mkdir(path.join(machine.dataFolder, 'secrets'))
  await writeFile(path.join(machine.dataFolder, 'secrets/master.key'), 'of an empty panel')
  const journal = {
    restoreId: rows[0]?.mark.split(' ').at(-1),
    backupId: newest?.id,
    files: ['authority', 'secrets'],
  }
  await writeFile(path.join(restoring, 'journal.json'), JSON.stringify(journal))
  return machine
}

test('a start completes a restore that was killed after the database had changed', async () => {
  const machine = await halfRestored()
  const restored = await start(machine)
  const back = await restored.session(admin.id)
  expect(await back.must('POST /api/panel-backups/recovery-key')).toEqual({ recoveryKey })
  expect(await readdir(machine.dataFolder)).not.toContain('restoring')
})

test('so does running it again, which needs no confirmation to replace its own result', async () => {
  const machine = await halfRestored()
  const again = await restore(machine)
  expect(again.said).toContain('The panel is restored')
  expect(again.code).toBe(0)
  const key = await readFile(path.join(machine.dataFolder, 'secrets/master.key'), 'utf8')
  expect(key).toBe(await readFile(path.join(lodge.dataFolder, 'secrets/master.key'), 'utf8'))
})

test('no backup is stored in the folder of Lodge’s own files', async () => {
  const own = path.join(lodge.dataFolder, 'blobs/backups')
  await mkdir(own, { recursive: true })
  const environment = { LODGE_DATA: lodge.dataFolder, DATABASE_URL: lodge.database.url }
  const refused = await runLodge(['backup', '--to', own], environment)
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('choose another folder') })
  expect(await readdir(own)).toEqual([])
  await rm(own, { recursive: true })
})

test('a backup whose program is killed does not block the next one', async () => {
  const elsewhere = await mkdtemp(path.join(os.tmpdir(), 'lodge-panel-elsewhere-'))
  const environment = { LODGE_DATA: lodge.dataFolder, DATABASE_URL: lodge.database.url }
  const run = startLodgeCommand(['backup', '--to', elsewhere], environment)
  await until(async () => {
    const { items } = await admin.must('GET /api/panel-backups')
    return items.some(({ state, jobId }) => state === 'running' && jobId === null) || undefined
  })
  run.child.kill('SIGKILL')
  await run.ended
  await until(async () => {
    const made = await runLodge(['backup', '--to', elsewhere], environment)
    // PostgreSQL may take a moment to notice that the former one is gone.
    return made.code === 0 ? made : undefined
  })
  const { items } = await admin.must('GET /api/panel-backups')
  expect(items.slice(0, 2).map(({ state, address }) => [state, address])).toEqual([
    ['good', elsewhere],
    ['failed', elsewhere],
  ])
  const listed = await runLodge(['restore', '--from', elsewhere, '--list'], {
    ...environment,
    LODGE_RECOVERY_KEY: recoveryKey.toLowerCase().replaceAll('-', ' '),
  })
  expect(listed.said.trim().split('\n')).toHaveLength(1)
  await rm(elsewhere, { recursive: true, force: true })
})

test('only the configured number of backups is kept, and these can be restored', async () => {
  for (let made = 0; made < 2; made++) await backUp()
  const { items } = await admin.must('GET /api/panel-backups')
  const here = items.filter(({ address, state }) => address === place && state === 'good')
  expect(here).toHaveLength(2)
  const machine = await emptyMachine()
  const listed = (await restore(machine, '--list')).said.trim().split('\n')
  expect(listed).toHaveLength(2)
  const older = here[1]?.snapshotId?.slice(0, 8) ?? ''
  expect(listed[1]).toContain(older)
  expect((await restore(machine, '--backup', older)).said).toContain(`Restoring ${older}`)
})

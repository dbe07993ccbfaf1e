import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

let lodge: Lodge
let file: string
beforeAll(async () => {
  lodge = await startLodge()
  file = path.join(lodge.dataFolder, 'audit-head.json')
})
afterAll(() => lodge[Symbol.asyncDispose]())

const verify = async () => (await lodge.admin()).must('GET /api/audit/verify')
const keptNumber = async (): Promise<number> => {
  const text = await readFile(file, 'utf8').catch(() => '{"head":null}')
  return (JSON.parse(text) as { head: { number: number } | null }).head?.number ?? 0
}

/** Changes something. @returns the number of the seal that covers it, once its head is stored */
async function recorded(): Promise<number> {
  const admin = await lodge.admin()
  await admin.must('PUT /api/auth/preferences', { body: { mode: 'dark' } })
  return until(async () => {
    const { rows } = await lodge.database.pool.query<{ seal: number | null }>(
      'select seal::int from audit_log order by seq desc limit 1',
    )
    const seal = rows[0]?.seal ?? 0
    return seal > 0 && (await keptNumber()) >= seal ? seal : undefined
  })
}

/** What an attacker with full access to the database alone can do. */
async function asSuperuser(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: lodge.database.url })
  await client.connect()
  await client.query('set session_replication_role = replica')
  for (const statement of statements) await client.query(statement)
  await client.end()
}

test('the newest seal is stored in the data folder, readable only for its owner', async () => {
  const seal = await recorded()
  expect(await keptNumber()).toBe(seal)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await verify()).toMatchObject({ ok: true, faults: [], head: { number: seal } })
})

test('a truncated record does not verify, not even after new entries', async () => {
  await recorded()
  const seal = await recorded()
  await asSuperuser(
    `delete from audit_log where seal = ${seal}`,
    `delete from audit_seals where number = ${seal}`,
  )
  const faults = [{ seal, seq: null, fault: 'the record was cut off before this seal' }]
  expect(await verify()).toMatchObject({ ok: false, faults })

  const admin = await lodge.admin()
  await admin.must('PUT /api/auth/preferences', { body: { mode: 'light' } })
  await until(async () => {
    const { rows } = await lodge.database.pool.query('select 1 from audit_log where seal is null')
    return rows.length === 0
  })
  expect(await verify()).toMatchObject({ ok: false, faults })
})

test('a stored head that was changed is reported', async () => {
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace(/"number":\d+/, '"number":1'))
  const { ok, faults } = await verify()
  expect(ok).toBe(false)
  expect(faults).toContainEqual({ seal: null, seq: null, fault: 'the kept head was changed' })
  await writeFile(file, text)
})

import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { emptyDatabase } from '../../support/database.ts'
import { startLodge } from '../../support/stack.ts'
import { ADMIN_COOKIE, firstSchema, KNOWN } from './upgrades/first-schema.ts'
import type { Upgrade } from './upgrades/upgrade.ts'

// Each migration is applied to a database populated at the one before, as in an installation in use.
// docs/adding-a-migration.md says what to write.

const migrationsFolder = path.resolve(import.meta.dirname, '../../../control-plane/migrations')
const upgradesFolder = path.join(import.meta.dirname, 'upgrades')
/** The last migration of the first schema, which no installation was upgraded to. */
const FIRST = '20261122091935_beyond_drizzle'

const all = (await readdir(migrationsFolder)).toSorted()
const later = all.filter((name) => name > FIRST)

test('every migration after the first schema has an upgrade of its name, and none is left over', async () => {
  const files = (await readdir(upgradesFolder)).filter((file) => /^\d/.test(file))
  expect(files.toSorted()).toEqual(later.map((name) => `${name}.ts`))
})

test('each migration keeps every row of the database it finds, and the application works on it', async () => {
  const database = await emptyDatabase()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-test-migrations-'))
  try {
    const { pool } = database
    const applyThrough = async (last: string) => {
      for (const name of all.filter((one) => one <= last))
        await cp(path.join(migrationsFolder, name), path.join(folder, name), { recursive: true })
      await migrate(drizzle({ client: pool }), { migrationsFolder: folder })
    }
    await applyThrough(FIRST)
    for (const statement of firstSchema) await pool.query(statement)
    const upgrades: Upgrade[] = []
    for (const name of later) {
      const { upgrade }: { upgrade: Upgrade } = await import(
        path.join(upgradesFolder, `${name}.ts`)
      )
      for (const statement of upgrade.before) await pool.query(statement)
      const before = await contentsOf(pool)
      await applyThrough(name)
      expectKept(name, before, await contentsOf(pool), upgrade.changes ?? [])
      await upgrade.after(pool)
      upgrades.push(upgrade)
    }
    await using lodge = await startLodge({
      database,
      // The installation's environment, which is not among its rows.
      environment: { LODGE_MASTER_KEY: randomBytes(32).toString('base64') },
    })
    await worksWithKnownRows(lodge)
    for (const { works } of upgrades) await works?.(lodge)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

type Rows = readonly Readonly<Record<string, unknown>>[]

/** The rows of each table. */
async function contentsOf(pool: pg.Pool): Promise<ReadonlyMap<string, Rows>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace
       and relkind in ('r', 'p') and not relispartition order by relname`,
  )
  const contents = new Map<string, Rows>()
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: Rows[number] }>(
      `select to_jsonb(t) as row from "${name}" t`,
    )
    contents.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  return contents
}

/** Every row is still there with the same values, in the columns that both schemas have. */
function expectKept(
  migration: string,
  before: ReadonlyMap<string, Rows>,
  after: ReadonlyMap<string, Rows>,
  changes: readonly string[],
): void {
  for (const [table, rows] of before) {
    if (rows.length === 0 || changes.includes(table)) continue
    const columns = Object.keys(rows[0] ?? {}).filter(
      (column) => !changes.includes(`${table}.${column}`),
    )
    const kept = (all: Rows) =>
      all.map((row) => JSON.stringify(columns.map((column) => [column, row[column]]))).toSorted()
    const found = after.get(table)
    expect(found && kept(found), `${migration} keeps the rows of ${table}`).toEqual(kept(rows))
  }
}

async function worksWithKnownRows(lodge: Awaited<ReturnType<typeof startLodge>>): Promise<void> {
  const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
  const server = { params: { id: KNOWN.server } }
  const { items } = await admin.must('GET /api/servers')
  expect(items.map(({ id }) => id).toSorted()).toEqual([KNOWN.server, KNOWN.machine].toSorted())
  await admin.must('PATCH /api/servers/{id}', { ...server, body: { name: 'Renamed' } })
  expect(await admin.must('GET /api/servers/{id}', server)).toMatchObject({
    name: 'Renamed',
    ownerEmail: 'ada@example.com',
    port: 25_000,
    holds: [{ kind: 'suspension', cause: 'administrator' }],
  })
  expect((await admin.must('GET /api/nodes')).items).toHaveLength(1)
  expect((await admin.must('GET /api/audit')).items.length).toBeGreaterThan(1)
}

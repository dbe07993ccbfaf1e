import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { lockSession } from '../../../db/advisory-locks.ts'
import { knownMigrations } from '../../../db/migrate.ts'
import { tableFile } from './dump-store.ts'
import type { CopiedDatabase } from './manifest.ts'
import { CopyRefused } from './refused.ts'

const MARK = 'restored by '

/** Whether the database contains an account already. */
export async function hasData(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('public.users') is not null as there`,
  )
  if (!rows[0]?.there) return false
  const { rows: people } = await client.query('select from users limit 1')
  return people.length > 0
}

/** Number of other connections of Lodge to this database, which a restore would break. */
export async function othersConnected(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name like 'lodge%' and pid <> pg_backend_pid()`,
  )
  return rows[0]?.count ?? 0
}

/** Whether the database was written by this restore. */
export async function wasRestoredBy(client: pg.Client, restoreId: string): Promise<boolean> {
  const { rows } = await client.query<{ mark: string | null }>(
    `select obj_description('public'::regnamespace, 'pg_namespace') as mark`,
  )
  return rows[0]?.mark === MARK + restoreId
}

/**
 * Replaces everything in the database with a copy, in one transaction: it ends up with either all of
 * the copy or what it had before. The schema becomes that of the copy; the next start migrates it
 * forward. Foreign keys are checked by recreating them.
 * @param given.finish runs last, in the same transaction
 */
export async function loadDatabase(
  client: pg.Client,
  folder: string,
  database: CopiedDatabase,
  given: {
    readonly restoreId: string
    readonly finish: (client: pg.Client) => Promise<void>
    readonly onProgress: (part: number) => void
  },
): Promise<void> {
  await lockSession(client, 'migrations')
  await client.query('begin')
  try {
    await client.query(`set local statement_timeout = 0; set local timezone = 'UTC';
      set local datestyle = 'ISO'; set local intervalstyle = 'postgres'`)
    await makeSchema(client, database)
    const foreignKeys = await withoutChecks(client)
    await client.query(`truncate ${(await tablesHere(client)).join(', ')} cascade`)
    for (const { parent, name, from, to } of database.partitions)
      await client.query('select make_metrics_partition($1, $2, $3, $4, false)', [
        parent,
        name,
        from,
        to,
      ])
    await loadTables(client, folder, database, given.onProgress)
    for (const { name, value } of database.sequences)
      await client.query('select setval($1::regclass, $2)', [
        `public.${pg.escapeIdentifier(name)}`,
        value,
      ])
    await withChecks(client, foreignKeys)
    await given.finish(client)
    await client.query(`comment on schema public is ${pg.escapeLiteral(MARK + given.restoreId)}`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
  // Optional: the data are complete, and autovacuum gathers statistics too.
  await client.query('analyze').catch(() => undefined)
}

async function makeSchema(client: pg.Client, { migrations }: CopiedDatabase): Promise<void> {
  await client.query('drop schema if exists public cascade')
  await client.query('drop schema if exists drizzle cascade')
  await client.query('create schema public')
  await client.query('create schema drizzle')
  // The table of drizzle's migrator.
  await client.query(`create table drizzle.__drizzle_migrations (id serial primary key, hash text not null,
    created_at bigint, name text, applied_at timestamptz default now())`)
  const known = new Map(knownMigrations().map((one) => [one.name, one]))
  for (const { name, hash } of migrations) {
    const migration = known.get(name)
    if (migration?.hash !== hash)
      throw new CopyRefused('invalid', `The migration ${name} of the backup is another one here`)
    for (const statement of migration.sql) await client.query(statement)
    await client.query(
      'insert into drizzle.__drizzle_migrations (hash, created_at, name) values ($1, $2, $3)',
      [hash, migration.folderMillis, name],
    )
  }
}

async function tablesHere(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  return rows.map(({ name }) => name)
}

interface ForeignKey {
  table: string
  name: string
  definition: string
}

/** Drops foreign keys and disables our triggers, which would act on half of the rows. */
async function withoutChecks(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name,
       pg_get_constraintdef(oid) as definition
     from pg_constraint
     where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`,
  )
  for (const { table, name } of rows)
    await client.query(`alter table ${table} drop constraint ${name}`)
  for (const table of await tablesHere(client))
    await client.query(`alter table ${table} disable trigger user`)
  return rows
}

async function withChecks(client: pg.Client, foreignKeys: readonly ForeignKey[]): Promise<void> {
  for (const { table, name, definition } of foreignKeys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`)
  for (const table of await tablesHere(client))
    await client.query(`alter table ${table} enable trigger user`)
}

async function loadTables(
  client: pg.Client,
  folder: string,
  { tables }: CopiedDatabase,
  onProgress: (part: number) => void,
): Promise<void> {
  const all = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  for (const { name, columns, rows, bytes } of tables) {
    const listed = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
    const into = client.query(
      copyFrom(`copy public.${pg.escapeIdentifier(name)} (${listed}) from stdin`),
    )
    await pipeline(createReadStream(tableFile(folder, name)), into)
    if (into.rowCount !== rows)
      throw new CopyRefused(
        'backup_damaged',
        `The table ${name} of the backup has ${into.rowCount} rows instead of ${rows}`,
      )
    done += bytes
    onProgress(all === 0 ? 1 : done / all)
  }
}

import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { lockSession, unlockSession } from '../../../db/advisory-locks.ts'
import { measure } from './digest.ts'
import type { CopiedDatabase, CopiedTable, Partition } from './manifest.ts'

interface FoundTable {
  name: string
  parent: string | null
  bound: string | null
  columns: string[]
  size: number
}

const BOUND = /^FOR VALUES FROM \('([^']+)'\) TO \('([^']+)'\)$/

export const tableFile = (folder: string, table: string): string =>
  path.join(folder, 'database', `${table}.copy`)

/**
 * Writes all rows, as of one snapshot, into a file for each table. The schema is not included:
 * migrations create it. Unlogged tables are left out, since Lodge recreates their content.
 * @param client a connection of its own, of any role that may read. If this throws, the connection
 * can only be closed, which releases its lock: an unfinished COPY blocks it.
 * @param onProgress receives the fraction done, from 0 to 1
 */
export async function dumpDatabase(
  client: pg.Client,
  folder: string,
  given: { readonly onProgress: (part: number) => void; readonly signal: AbortSignal },
): Promise<CopiedDatabase> {
  await mkdir(path.join(folder, 'database'), { recursive: true, mode: 0o700 })
  // Dropping a partition would wait for our transaction, and all new samples would wait for that.
  await lockSession(client, 'metricsPartitions')
  await client.query('begin isolation level repeatable read, read only')
  await client.query(`set local statement_timeout = 0;
    set local idle_in_transaction_session_timeout = 0;
    set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres'`)
  // The first read takes the snapshot.
  const migrations = await appliedMigrations(client)
  const found = await findTables(client)
  const all = found.reduce((sum, { size }) => sum + size, 0)
  const tables: CopiedTable[] = []
  let done = 0
  for (const table of found) {
    given.signal.throwIfAborted()
    tables.push(await dumpTable(client, folder, table, given.signal))
    done += table.size
    given.onProgress(all === 0 ? 1 : done / all)
  }
  const database = {
    migrations,
    tables,
    partitions: found.flatMap(partitionOf),
    sequences: await findSequences(client),
    blobs: await keptBlobs(client),
  }
  await client.query('commit')
  await unlockSession(client, 'metricsPartitions')
  return database
}

export async function appliedMigrations(
  client: pg.ClientBase,
): Promise<CopiedDatabase['migrations']> {
  const { rows } = await client.query<{ name: string; hash: string }>(
    'select name, hash from drizzle.__drizzle_migrations order by id',
  )
  return rows
}

async function findTables(client: pg.Client): Promise<FoundTable[]> {
  const { rows } = await client.query<FoundTable>(`
    select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns,
      pg_table_size(c.oid)::float8 as size
    from pg_class c
    left join pg_inherits i on i.inhrelid = c.oid
    left join pg_class p on p.oid = i.inhparent
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
    order by c.relname`)
  return rows
}

function partitionOf({ name, parent, bound }: FoundTable): Partition[] {
  if (parent === null) return []
  const [, from, to] = BOUND.exec(bound ?? '') ?? []
  if (from === undefined || to === undefined)
    throw new Error(`the partition ${name} has bounds of another kind: ${bound}`)
  return [{ parent, name, from, to }]
}

async function dumpTable(
  client: pg.Client,
  folder: string,
  { name, columns }: FoundTable,
  signal: AbortSignal,
): Promise<CopiedTable> {
  const listed = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  const from = client.query(
    copyTo(`copy public.${pg.escapeIdentifier(name)} (${listed}) to stdout`),
  )
  // The stream reports the end of its connection as an error, even after it is done.
  from.on('error', () => undefined)
  const measured = measure()
  const file = createWriteStream(tableFile(folder, name), { mode: 0o600, flush: true })
  await pipeline(from, measured, file, { signal })
  return { name, columns, rows: from.rowCount ?? 0, ...measured.result() }
}

async function findSequences(client: pg.Client): Promise<CopiedDatabase['sequences']> {
  const { rows } = await client.query<{ name: string; value: number }>(
    `select sequencename as name, last_value::float8 as value from pg_sequences
     where schemaname = 'public' and last_value is not null order by 1`,
  )
  return rows
}

async function keptBlobs(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ sha256: string }>(
    'select sha256 from blobs where kept_at is not null order by 1',
  )
  return rows.map(({ sha256 }) => sha256)
}

/** Which of these blobs the database still refers to. */
export async function stillKept(client: pg.Client, blobs: readonly string[]): Promise<string[]> {
  if (blobs.length === 0) return []
  const { rows } = await client.query<{ sha256: string }>(
    'select sha256 from blobs where kept_at is not null and sha256 = any($1)',
    [blobs],
  )
  return rows.map(({ sha256 }) => sha256)
}

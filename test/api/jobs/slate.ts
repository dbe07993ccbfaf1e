import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import type { RealAgent } from '../../support/real-agent.ts'

/** Journals, the audit record, notifications and metrics: a failed job may leave rows there. */
const TABLES_LEFT_OUT =
  /^(jobs|job_steps|failover_|schedule_runs|sagas|job_dispatch|recurring_jobs|audit_|recorded_|notification|email_|idempotency|metric|sample|server_usage|server_events|rate_limits|sessions|__|drizzle)/
/** Counters that only grow, and what nodes report about themselves. */
const COLUMNS_LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  servers: [
    'generation',
    'revision',
    'placement_generation',
    'observation',
    'observed_at',
    'observed_state',
    'observed_generation',
    'settled_generation',
    'since',
    'boot_waits_for',
    'failover_revision',
  ],
  vm_moves: ['placement_generation', 'since_generation'],
  server_moves: ['placement_generation'],
  server_restores: ['since_generation'],
  // Each case of a lost node has a node, and so a repository, of its own.
  // What was read back stays known when a job that read it fails.
  server_backups: ['repository_id', 'verified_at'],
  superseded_copies: ['node_id'],
  // The whole database is copied, which differs each time.
  settings: ['revision'],
  panel_backups: ['snapshot_id', 'size_bytes', 'stored_bytes'],
}

type Row = Readonly<Record<string, unknown>>

/** The whole state apart from journals: rows by table, the contents of the nodes' engines, files. */
export interface Slate {
  readonly tables: ReadonlyMap<string, readonly Row[]>
  readonly engines: readonly ReadonlyMap<string, unknown>[]
  readonly files: readonly string[]
}

export async function readSlate(
  pool: pg.Pool,
  agents: readonly RealAgent[],
  folder: string,
): Promise<Slate> {
  const { rows: names } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  const tables = new Map<string, Row[]>()
  for (const { name } of names.filter((one) => !TABLES_LEFT_OUT.test(one.name))) {
    const { rows } = await pool.query<{ row: Row }>(`select to_jsonb(t) as row from "${name}" t`)
    const left = COLUMNS_LEFT_OUT[name] ?? []
    tables.set(
      name,
      rows.map(({ row }) =>
        Object.fromEntries(Object.entries(row).filter(([column]) => !left.includes(column))),
      ),
    )
  }
  const engines = agents.map(({ driver: { runtime } }) => {
    const machines = [...runtime.machines].map(([id, { parts, snapshots, copying }]) => [
      id,
      {
        parts: Object.fromEntries(parts),
        snapshots: [...snapshots].map(([snapshot, kept]) => [snapshot, [...kept.parts]]),
        copying,
      },
    ])
    const imports = [...runtime.imports].map(([id]) => [`${id} arriving`, true])
    const exchanges = [...runtime.exchanges].map(([id, kept]) => [`${id} exchange`, { ...kept }])
    const folders = [...runtime.folders].map(([folder, text]) => [`folder ${folder}`, text])
    const copies = [...runtime.copies].map(([key]) => [`copy ${key}`, true])
    const all = [...machines, ...imports, ...exchanges, ...folders, ...copies]
    return new Map<string, unknown>(all as [string, unknown][])
  })
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
  return { tables, engines, files: files.toSorted() }
}

const texts = new WeakMap<Row, string>()

/** Serialized once, since each case searches all rows. */
function textOf(row: Row): string {
  const text = texts.get(row) ?? JSON.stringify(row)
  texts.set(row, text)
  return text
}

/**
 * The parts of a slate that mention one of these ids, with readable names in their place.
 * @param without names of ids; rows, engines and files that mention them are left out
 */
export function partOf(
  slate: Slate,
  names: ReadonlyMap<string, string>,
  without: readonly string[] = [],
): string[] {
  // Ports and addresses are named as well, but are not unique.
  const ids = [...names.keys()].filter((id) => id.length >= 32)
  const leftOut = [...names].flatMap(([id, name]) => (without.includes(name) ? [id] : []))
  const speaks = (text: string) =>
    ids.some((id) => text.includes(id)) && !leftOut.some((id) => text.includes(id))
  const plain = (text: string) => {
    let normalised = text.replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:[^"]*/g, 'a time')
    for (const [id, name] of names) normalised = normalised.replaceAll(id, name)
    return normalised
  }
  // A line for each column, so that a difference is one line.
  const rows = [...slate.tables].flatMap(([table, all]) =>
    all
      .filter((row) => speaks(textOf(row)))
      .flatMap((row) =>
        Object.entries(row).map(
          ([column, value]) => `${table}.${column} ${plain(JSON.stringify({ [column]: value }))}`,
        ),
      ),
  )
  const engines = slate.engines.flatMap((engine, at) =>
    [...engine]
      .filter(([id]) => speaks(id))
      .map(([id, has]) => `engine ${at} ${plain(id)} ${plain(JSON.stringify(has))}`),
  )
  const files = slate.files.filter(speaks).map((file) => `file ${plain(file)}`)
  return [...rows, ...engines, ...files].toSorted()
}

import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import type { Figures } from '../../figures/figures.ts'

const PAGE_SERVERS = 1000
const MIB = 1_048_576

/** A metric per server; the database computes `value`, and rows with null are omitted. */
interface PerServer {
  readonly name: string
  readonly help: string
  readonly label?: readonly [name: string, value: string]
  readonly value: SQL
}

const RUNNING = sql`observed_state in ('running', 'starting')`
const whileRunning = (value: SQL) => sql`case when ${RUNNING} then ${value} end`

const NETWORK = 'lodge_server_network_bytes_per_second'
const NETWORK_HELP = 'Bytes that the server receives and sends each second.'

const METRICS: readonly PerServer[] = [
  {
    name: 'lodge_server_up',
    help: 'Whether the server runs.',
    value: sql`(observed_state = 'running')::int`,
  },
  {
    name: 'lodge_server_cpu_cores',
    help: 'Cores in use.',
    value: whileRunning(sql`usage.cpu::float8 / 100`),
  },
  {
    name: 'lodge_server_cpu_limit_cores',
    help: 'Cores that the server may use.',
    value: sql`cpu_percent::float8 / 100`,
  },
  {
    name: 'lodge_server_memory_bytes',
    help: 'Memory in use.',
    value: whileRunning(sql`usage.memory`),
  },
  {
    name: 'lodge_server_memory_limit_bytes',
    help: 'Memory that the server may use.',
    value: sql`memory_mb::bigint * ${sql.raw(String(MIB))}`,
  },
  { name: 'lodge_server_disk_bytes', help: 'Disk in use.', value: sql`usage.disk` },
  {
    name: 'lodge_server_disk_limit_bytes',
    help: 'Disk that the server may use.',
    value: sql`disk_mb::bigint * ${sql.raw(String(MIB))}`,
  },
  {
    name: NETWORK,
    help: NETWORK_HELP,
    label: ['direction', 'receive'],
    value: whileRunning(sql`usage.rx`),
  },
  {
    name: NETWORK,
    help: NETWORK_HELP,
    label: ['direction', 'transmit'],
    value: whileRunning(sql`usage.tx`),
  },
]

/**
 * Metrics of single servers, by id only. The database formats the lines, a page at a time in key
 * order, so this process only forwards them, however many servers there are.
 */
export const serverFigures: Figures = {
  servers: (db) =>
    [...Map.groupBy(METRICS, ({ name }) => name).values()].flatMap((same) => {
      const [first] = same
      return first
        ? [{ name: first.name, help: first.help, type: 'gauge' as const, lines: blocks(db, same) }]
        : []
    }),
}

async function* blocks(db: Db, same: readonly PerServer[]): AsyncGenerator<string> {
  for (const metric of same) {
    for (let after = 0; ; ) {
      const { rows } = await db.execute<{ last: number | null; lines: string | null }>(sql`
        select max(metric_key) as last,
          string_agg(${lineStart(metric)} || value::text, E'\\n' order by metric_key) filter (where value is not null) as lines
        from (select metric_key, id, ${metric.value} as value from servers
              left join server_usage usage on usage.key = metric_key
              where metric_key > ${after} order by metric_key limit ${PAGE_SERVERS}) page`)
      const page = rows[0]
      if (!page || page.last === null) break
      if (page.lines !== null) yield page.lines
      after = page.last
    }
  }
}

function lineStart({ name, label }: PerServer): SQL {
  const more = label ? `,${label[0]}="${label[1]}"` : ''
  return sql.raw(`'${name}{server_id="' || id || '"${more}} '`)
}

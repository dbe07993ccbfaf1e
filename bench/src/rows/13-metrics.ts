import type pg from 'pg'
import { pino } from 'pino'
import { openDatabase, openPool } from '../../../control-plane/src/db/database.ts'
import { createIntake } from '../../../control-plane/src/domains/metrics/index.ts'
import { advanceReports } from '../../../control-plane/src/domains/nodes/index.ts'
import { LiveEvents } from '../../../control-plane/src/live/live-events.ts'
import { CpuMeter } from '../measure/cpu.ts'
import { interleave, median, medianRatio } from '../measure/rounds.ts'
import { growthExponent } from '../measure/slope.ts'
import type { Bench, Finding, Row } from '../row.ts'
import type { Database } from '../stage/database.ts'
import { insertFleet, insertServers } from '../stage/fleet-rows.ts'
import { httpBurst, requestBytes } from '../stage/http-load.ts'
import { ourSide } from '../stage/sides.ts'

const NODES = 1000
/** So many nodes' reports are written together when all of them send every five seconds. */
const NODES_AT_ONCE = 50
const SAMPLE_MS = 5000
const SERVERS_EACH = 20

/**
 * Writes samples to the database, compared with the same rows in one statement; and reads charts
 * from large tables.
 */
export const metrics: Row = {
  number: 13,
  name: 'metrics',
  async run(bench) {
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    const rows = await insertFleet(database.pool, { nodes: NODES })
    const to = NODES * SERVERS_EACH
    await insertServers(database.pool, { templateId: rows.templateId, from: 0, to })
    const ingest = await ingestSides(bench, database)
    await interleave(1, ingest)
    const bursts = await interleave(bench.long ? 9 : 5, ingest)
    const perSample = (burst: Samples) => (burst.appMicros + burst.databaseMicros) / burst.samples
    const rate = (burst: Samples) => burst.samples / burst.seconds
    const findings: Finding[] = [
      {
        what: "samples in: one bare insert of the same rows' CPU / ours",
        value: 1 / medianRatio(bursts.ours, bursts.raw, perSample),
        unit: 'x',
        target: { atLeast: 0.5 },
        peer: 'Prometheus 1.16 us a sample',
        detail: {
          'us app': median(bursts.ours.map((burst) => burst.appMicros / burst.samples)),
          'us database': median(bursts.ours.map((burst) => burst.databaseMicros / burst.samples)),
          'raw us': median(bursts.raw.map(perSample)),
        },
      },
      {
        what: 'samples in, this machine',
        value: median(bursts.ours.map(rate)),
        unit: '/s',
        target: { atLeast: 80_000 },
        detail: { 'raw /s': median(bursts.raw.map(rate)) },
      },
      await chartGrowth(bench, database, rows.adminCookie),
    ]
    return findings
  },
}

interface Samples {
  readonly samples: number
  readonly seconds: number
  readonly appMicros: number
  readonly databaseMicros: number
}

async function ingestSides(bench: Bench, database: Database) {
  const log = pino({ level: 'silent' })
  const pool = bench.ending.add(
    openPool({ connectionString: database.url }, { max: 6, log }),
    (one) => one.end(),
  )
  const db = openDatabase(pool)
  const live = new LiveEvents(db, log)
  const { rows } = await pool.query<{ node: string; id: string; key: number }>(
    'select node_id as node, id, metric_key as key from servers order by node_id, id',
  )
  const nodes = [...Map.groupBy(rows, (row) => row.node)]
  const groups = Array.from({ length: NODES / NODES_AT_ONCE }, (_, at) =>
    nodes.slice(at * NODES_AT_ONCE, (at + 1) * NODES_AT_ONCE),
  )
  const intake = createIntake({ live })
  type Group = (typeof groups)[number]
  const figuresOf = (group: Group, at: Date) =>
    group.map(([nodeId, own]) => {
      const servers = own.map(({ id }) => ({ serverId: id, at, ...FIGURES }))
      return { nodeId, batches: [{ servers, nodes: [] }] }
    })
  // With report numbers, as the control plane processes them.
  const ours = async (group: Group, at: Date, number: number) => {
    const stored = await db.transaction(async (tx) => {
      await advanceReports(tx, new Map(group.map(([nodeId]) => [nodeId, number])))
      return intake.store(tx, figuresOf(group, at), at)
    })
    await intake.show(db, stored)
  }
  const raw = (group: Group, at: Date) =>
    bareInsert(
      pool,
      group.flatMap(([, own]) => own),
      at,
    )
  await pool.query('insert into node_reports (node_id) select id from nodes')
  const beganMs = Date.now()
  let turns = 0
  const side = (take: (group: Group, at: Date, number: number) => Promise<unknown>) => async () => {
    const app = new CpuMeter(async () => [process.pid])
    const backends = new CpuMeter(() => database.backends('lodge'))
    await backends.start()
    await app.start()
    const started = performance.now()
    let samples = 0
    // Each server's samples are five seconds apart by their own clock.
    while (performance.now() - started < 1000) {
      const group = groups[turns % groups.length] ?? []
      const number = Math.floor(turns / groups.length) + 1
      await take(group, new Date(beganMs + number * SAMPLE_MS), number)
      samples += group.reduce((sum, [, own]) => sum + own.length, 0)
      turns += 1
    }
    return {
      samples,
      seconds: (performance.now() - started) / 1000,
      appMicros: await app.stop(),
      databaseMicros: await backends.stop(),
    } satisfies Samples
  }
  return { raw: side(raw), ours: side(ours) }
}

const FIGURES = {
  cpuPercent: 12.5,
  memoryBytes: 300_000_000,
  networkRxBytesPerSecond: 1234.5,
  networkTxBytesPerSecond: 2345.25,
  diskBytes: 1_000_000_000,
}

/** The same rows from arrays, without checking their owners. */
const bareInsert = (pool: pg.Pool, servers: readonly { key: number }[], at: Date) => {
  const all = (value: number) => `{${servers.map(() => value).join(',')}}`
  return pool.query({
    name: 'bare_samples',
    text: `insert into server_samples (key, at, cpu, memory, rx, tx, disk)
      select key, to_timestamp(at / 1000), cpu, memory, rx, tx, disk
      from unnest($1::int[], $2::float8[], $3::float8[], $4::bigint[], $5::float8[], $6::float8[], $7::bigint[])
        as g(key, at, cpu, memory, rx, tx, disk)`,
    values: [
      `{${servers.map(({ key }) => key).join(',')}}`,
      all(at.getTime()),
      all(FIGURES.cpuPercent),
      all(FIGURES.memoryBytes),
      all(FIGURES.networkRxBytesPerSecond),
      all(FIGURES.networkTxBytesPerSecond),
      all(FIGURES.diskBytes),
    ],
  })
}

/** The day's chart of one server while the tables grow under it. */
async function chartGrowth(bench: Bench, database: Database, cookie: string) {
  const { pool } = database
  const side = await ourSide(bench, database)
  const { rows } = await pool.query<{ id: string; key: number }>(
    'select id, metric_key as key from servers order by id limit 1',
  )
  const [server] = rows
  if (!server) throw new Error('there is no server')
  const bytes = requestBytes('GET', `/api/servers/${server.id}/metrics?range=day`, { cookie })
  const points: { size: number; cost: number; ms: number }[] = []
  let others = 0
  for (const size of [1, 10, 100, 1000, ...(bench.long ? [10_000] : [])]) {
    // 288 points of a day for each server; the other keys need no server.
    await pool.query(
      `insert into server_rollups_5m (key, at, samples, cpu, cpu_max, memory, memory_max, rx, rx_max, tx, tx_max, disk_max)
       select case when n = 1 then $3::int else 1000000 + n end,
         date_bin('5 minutes', now(), '2001-01-01Z') - step * interval '5 minutes', 60, 10, 20, 3e8, 3e8, 1, 2, 3, 4, 1e9
       from generate_series($1::int, $2::int) n, generate_series(1, 287) step`,
      [others + 1, size, server.key],
    )
    others = size
    await pool.query('analyze server_rollups_5m')
    const burst = () => httpBurst(side, () => bytes, { connections: 4, seconds: 0.6 })
    await burst()
    const bursts = [await burst(), await burst(), await burst()]
    points.push({
      size,
      cost: median(bursts.map((one) => (one.appMicros + one.databaseMicros) / one.operations)),
      ms: median(bursts.flatMap((one) => one.latenciesMs)),
    })
  }
  bench.say(`charts: ${points.map(({ ms }) => ms.toFixed(1)).join(', ')} ms`)
  return {
    what: "a server's day of 288 points: growth with the servers in the tables",
    value: growthExponent(points),
    unit: 'slope',
    target: { atMost: 0.1 },
    detail: {
      'p50 ms at 1': points[0]?.ms ?? 0,
      [`p50 ms at ${others}`]: points.at(-1)?.ms ?? 0,
    },
  }
}

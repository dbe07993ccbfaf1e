import { randomUUID } from 'node:crypto'
import {
  METRICS_RANGE_NAMES,
  METRICS_RANGES,
  type MetricsRange,
} from '@lodge/shared/metrics-time.ts'
import type { MetricsPoint } from '@lodge/shared/servers.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/support/database.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import { keepPartitions } from './partitions.ts'
import { readMetrics, readNodeMetrics } from './read.ts'
import { rollUp } from './rollup.ts'
import { fleetRows } from './testing/fleet-rows.ts'
import { rangeOf, windowOf } from './window.ts'

const HOUR = 3_600_000
const now = new Date('2026-05-12T14:23:41Z')
const nodeId = randomUUID()
const server = {
  id: randomUUID(),
  nodeId,
  createdAt: '2026-01-01T00:00:00Z',
  metricKey: 7,
  memoryMb: 512,
  cpuPercent: 200,
  diskMb: 1024,
}
const noisy = 99

let database: FreshDatabase
let db: Db

/** 24 hours of samples every 15 seconds with a two-hour outage; `cpu` is the second of the day. */
beforeAll(async () => {
  database = await freshDatabase()
  db = openDatabase(database.application.pool)
  await keepPartitions(db, now)
  for (const key of [server.metricKey, noisy]) {
    await database.pool.query(
      `insert into server_samples (key, at, cpu, memory, rx, tx, disk)
       select $1, at, extract(epoch from at)::bigint % 86400 + case when $1 = ${noisy} then 1e6 else 0 end,
         extract(epoch from at)::bigint % 1000000, 1, 2, extract(epoch from at)::bigint % 86400
       from generate_series($2::timestamptz - interval '23 hours 50 minutes', $2, interval '15 seconds') as at
       where at not between $2::timestamptz - interval '5 hours' and $2::timestamptz - interval '3 hours'`,
      [key, now],
    )
  }
  await database.pool.query(
    `insert into node_samples (key, at, cpu, memory, disk)
     select $1, at, extract(minute from at), 100, 7 from generate_series($2::timestamptz - interval '2 hours', $2, interval '1 minute') as at`,
    [nodeId, now],
  )
  for (let did = 1; did > 0; did = (await rollUp(db, now)).buckets);
})
afterAll(() => database.drop())

/** The same points, computed from the samples alone. */
async function plain(range: MetricsRange): Promise<MetricsPoint[]> {
  const { seconds, stepSeconds } = METRICS_RANGES[range]
  const { rows } = await database.pool.query<{
    at: number
    cpu: number
    memory: number
    disk: number
  }>(
    'select extract(epoch from at)::float8 * 1000 as at, cpu, memory, disk from server_samples where key = $1 order by at',
    [server.metricKey],
  )
  const bins = Map.groupBy(
    rows,
    ({ at }) => Math.floor(at / (stepSeconds * 1000)) * stepSeconds * 1000,
  )
  const average = (values: number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  return [...bins]
    .filter(([at]) => at > now.getTime() - (seconds + stepSeconds) * 1000)
    .map(([at, bin]) => ({
      at: new Date(at).toISOString(),
      cpuPercent: Math.round(average(bin.map(({ cpu }) => cpu)) * 100) / 100,
      cpuPercentMax: Math.max(...bin.map(({ cpu }) => cpu)),
      memoryBytes: Math.round(average(bin.map(({ memory }) => memory))),
      memoryBytesMax: Math.max(...bin.map(({ memory }) => memory)),
      networkRxBytesPerSecond: 1,
      networkRxBytesPerSecondMax: 1,
      networkTxBytesPerSecond: 2,
      networkTxBytesPerSecondMax: 2,
      diskBytes: Math.max(...bin.map(({ disk }) => disk)),
    }))
}

test.for(METRICS_RANGE_NAMES)('a %s shows what the samples say, up to now', async (range) => {
  const metrics = await readMetrics(db, server, rangeOf(range, now))
  expect(metrics).toMatchObject({
    range,
    stepSeconds: METRICS_RANGES[range].stepSeconds,
    memoryLimitMb: 512,
    cpuLimitPercent: 200,
    diskLimitMb: 1024,
  })
  expect(metrics.points).toEqual(await plain(range))
  const last = Date.parse(metrics.points.at(-1)?.at ?? '')
  expect(now.getTime() - last).toBeLessThan(METRICS_RANGES[range].stepSeconds * 1000)
})

test('an outage is a gap', async () => {
  const { points } = await readMetrics(db, server, rangeOf('day', now))
  const gaps = points.filter(
    (point, at) => at > 0 && Date.parse(point.at) - Date.parse(points[at - 1]!.at) > 300_000,
  )
  expect(gaps).toHaveLength(1)
  expect(
    points.some(({ at }) => Math.abs(Date.parse(at) - (now.getTime() - 4 * HOUR)) < HOUR / 2),
  ).toBe(false)
})

test('two moments are shown in the finest resolution that is kept and has few enough points', async () => {
  const from = new Date(now.getTime() - 2 * HOUR)
  const to = new Date(now.getTime() - 1.75 * HOUR)
  const window = windowOf({ range: 'day', from: from.toISOString(), to: to.toISOString() }, now)
  expect(window).toEqual({ range: null, from, to, stepSeconds: 15 })
  const { points, gaps, ...time } = await readMetrics(db, server, window)
  expect(time).toMatchObject({ range: null, from: from.toISOString(), to: to.toISOString() })
  expect(points).toHaveLength(61)
  expect(Date.parse(points.at(-1)!.at)).toBeLessThanOrEqual(to.getTime())
  expect(gaps).toEqual([])
  const stepOf = (fromHours: number, toHours: number) =>
    windowOf(
      {
        range: 'hour',
        from: new Date(now.getTime() - fromHours * HOUR).toISOString(),
        to: new Date(now.getTime() - toHours * HOUR).toISOString(),
      },
      now,
    ).stepSeconds
  expect(stepOf(24, 0)).toBe(300)
  expect(stepOf(30, 29)).toBe(300)
  expect(stepOf(24 * 20, 24 * 20 - 1)).toBe(3600)
  expect(stepOf(24 * 200, 0)).toBe(21_600)
})

test('moments in the wrong order, or longer ago than anything is kept, are refused', () => {
  const ask = (from: string, to: string) => () => windowOf({ range: 'hour', from, to }, now)
  expect(ask('2026-05-12T12:00:00Z', '2026-05-12T11:00:00Z')).toThrow('from before to')
  expect(ask('2025-05-12T12:00:00Z', '2025-05-12T13:00:00Z')).toThrow('of the last 90 days')
})

test('a time without figures says whether the server was stopped or its node offline', async () => {
  const fleet = fleetRows(database.pool)
  const at = await fleet.node()
  const [made] = await fleet.servers(at, 1)
  const [other] = await fleet.servers(at, 1)
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const samples = (table: string, columns: string, values: string, key: unknown, ranges: string) =>
    database.pool.query(
      `insert into ${table} (key, at, ${columns}) select $1, at, ${values}
       from generate_series($2::timestamptz - interval '40 minutes', $2, interval '15 seconds') as at where ${ranges}`,
      [key, now],
    )
  const minutesAgo = (from: number, to: number) =>
    `at between $2::timestamptz - interval '${from} minutes' and $2::timestamptz - interval '${to} minutes'`
  // Runs, is stopped for ten minutes, runs, and then its node is silent for ten.
  for (const { metricKey } of [made!, other!])
    await samples(
      'server_samples',
      'cpu, memory, rx, tx',
      '1, 1, 1, 1',
      metricKey,
      `${minutesAgo(40, 30)} or ${minutesAgo(20, 15)} or ${minutesAgo(5, 0)}`,
    )
  await samples(
    'node_samples',
    'cpu, memory, disk',
    '1, 1, 1',
    at,
    `${minutesAgo(40, 15)} or ${minutesAgo(5, 0)}`,
  )
  for (const [minutes, kind] of [
    [41, 'started'],
    [29.9, 'out_of_memory'],
    [30, 'crashed'],
    [20, 'restarted'],
  ] as const)
    await database.pool.query(
      `insert into server_events (id, server_id, kind, at, reason) values (gen_random_uuid(), $1, $2, $3, '')`,
      [made!.id, kind, ago(minutes)],
    )
  const createdAt = ago(50).toISOString()
  const shown = async (one: typeof made) =>
    (
      await readMetrics(
        db,
        { ...one!, nodeId: at, createdAt },
        windowOf({ range: 'hour', from: ago(60).toISOString() }, now),
      )
    ).gaps
  const gaps = await shown(made)
  expect(gaps.map(({ reason }) => reason)).toEqual([
    'not_created',
    'node_offline',
    'stopped',
    'node_offline',
  ])
  expect(gaps[1]!.from).toBe(createdAt)
  expect(Date.parse(gaps[2]!.to) - Date.parse(gaps[2]!.from)).toBeGreaterThan(9 * 60_000)
  // Nothing is known of the other one's stop, and its node was there.
  expect((await shown(other)).map(({ reason }) => reason)).toEqual([
    'not_created',
    'node_offline',
    'unknown',
    'node_offline',
  ])
})

test('figures are available before the first rollup', async () => {
  const untouched = await freshDatabase()
  const early = openDatabase(untouched.application.pool)
  await keepPartitions(early, now)
  await untouched.pool.query(
    `insert into server_samples (key, at, cpu, memory, rx, tx) values (7, $1, 5, 6, 7, 8)`,
    [now],
  )
  for (const range of METRICS_RANGE_NAMES) {
    expect((await readMetrics(early, server, rangeOf(range, now))).points).toMatchObject([
      { cpuPercent: 5, memoryBytes: 6, diskBytes: null },
    ])
  }
  await untouched.drop()
})

test('no range has more than 400 points, however long the history is', async () => {
  await database.pool.query(
    `insert into server_samples (key, at, cpu, memory, rx, tx)
     select 8, at, 1, 1, 1, 1 from generate_series($1::timestamptz - interval '1 hour', $1, interval '1 second') as at`,
    [now],
  )
  const long = { ...server, metricKey: 8 }
  expect((await readMetrics(db, long, rangeOf('hour', now))).points).toHaveLength(241)
  for (const { seconds, stepSeconds } of Object.values(METRICS_RANGES))
    expect(seconds / stepSeconds + 1).toBeLessThanOrEqual(400)
})

test('a node has the same history of its machine', async () => {
  const node = { id: nodeId, createdAt: new Date(server.createdAt) }
  const { points } = await readNodeMetrics(db, node, rangeOf('day', now))
  expect(points.at(-2)).toEqual({
    at: '2026-05-12T14:15:00.000Z',
    cpuPercent: 17,
    cpuPercentMax: 19,
    memoryBytes: 100,
    memoryBytesMax: 100,
    diskBytes: 7,
  })
  expect(points).toHaveLength(25)
  const other = await readNodeMetrics(db, { ...node, id: randomUUID() }, rangeOf('day', now))
  expect(other.points).toEqual([])
  expect(other.gaps).toMatchObject([{ reason: 'node_offline', to: now.toISOString() }])
})

test('a chart reads the rows of its server and not the whole table', async () => {
  await database.pool.query(
    `insert into server_samples (key, at, cpu, memory, rx, tx)
     select key, at, 1, 1, 1, 1 from generate_series($1::timestamptz - interval '6 hours', $1, interval '15 seconds') as at,
       generate_series(1000, 1200) as key`,
    [now],
  )
  await database.pool.query('analyze')
  // One connection, because each has its own counters until it flushes.
  const pool = new pg.Pool({ connectionString: database.application.url, max: 1 })
  // The database may be dropped while the connection is closing.
  pool.on('error', () => undefined)
  const alone = openDatabase(pool)
  for (const range of METRICS_RANGE_NAMES) {
    const before = await rowsRead(pool)
    const started = performance.now()
    const { points } = await readMetrics(alone, { ...server, metricKey: 1100 }, rangeOf(range, now))
    const milliseconds = performance.now() - started
    process.stdout.write(`chart of one ${range} among 200 servers: ${milliseconds.toFixed(1)} ms\n`)
    const read = (await rowsRead(pool)) - before
    expect(read).toBeGreaterThanOrEqual(points.length)
    expect(read).toBeLessThan(5000)
  }
  await pool.end()
})

/** Rows read by scans so far; sequential scans count every row they pass. */
async function rowsRead(pool: pg.Pool): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query<{ read: number }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as read
     from pg_stat_user_tables where relname ~ '^server_(samples|rollups)'`,
  )
  return rows[0]!.read
}

import type { ServerSample } from '@lodge/proto/server.ts'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/support/database.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import { LiveEvents } from '../../live/live-events.ts'
import { createIntake, type Intake } from './ingest.ts'
import { keepPartitions } from './partitions.ts'
import { rollUp } from './rollup.ts'
import { fleetRows, type ServerAt } from './testing/fleet-rows.ts'

const MINUTE = 60_000
const start = Date.UTC(2026, 4, 12, 22, 0)

let database: FreshDatabase
let db: Db
let intake: Intake
let nodes: { id: string; servers: ServerAt[] }[]

beforeAll(async () => {
  database = await freshDatabase()
  db = openDatabase(database.application.pool)
  intake = createIntake({ live: new LiveEvents(db, pino({ level: 'silent' })) })
  const rows = fleetRows(database.pool)
  nodes = []
  for (let count = 0; count < 2; count++) {
    const id = await rows.node()
    nodes.push({ id, servers: await rows.servers(id, 2) })
  }
  await keepPartitions(db, new Date(start))
})
afterAll(() => database.drop())

const store = (nodeId: string, servers: ServerSample[], nowMs: number) =>
  intake.store(db, [{ nodeId, batches: [{ servers, nodes: [] }] }], new Date(nowMs))

interface Rollup {
  key: number
  at: number
  samples: number
  cpu: number
  cpuMax: number
  memory: number
  rx: number
  diskMax: number | null
}

/** The same figures, computed naively from everything that was sent. */
function bruteForce(
  sent: readonly { key: number; sample: ServerSample }[],
  stepMs: number,
  before: number,
): Rollup[] {
  const groups = new Map<string, { key: number; at: number; samples: ServerSample[] }>()
  for (const { key, sample } of sent) {
    const at = Math.floor(sample.at!.getTime() / stepMs) * stepMs
    if (at + stepMs > before) continue
    const group = groups.get(`${key} ${at}`) ?? { key, at, samples: [] }
    group.samples.push(sample)
    groups.set(`${key} ${at}`, group)
  }
  const average = (values: number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  return [...groups.values()]
    .map(({ key, at, samples }) => {
      const disks = samples.flatMap(({ diskBytes }) => diskBytes ?? [])
      return {
        key,
        at,
        samples: samples.length,
        cpu: average(samples.map((one) => one.cpuPercent)),
        cpuMax: Math.max(...samples.map((one) => one.cpuPercent)),
        memory: average(samples.map((one) => one.memoryBytes)),
        rx: average(samples.map((one) => one.networkRxBytesPerSecond)),
        diskMax: disks.length > 0 ? Math.max(...disks) : null,
      }
    })
    .toSorted((a, b) => a.key - b.key || a.at - b.at)
}

async function rolledUp(table: string): Promise<Rollup[]> {
  const { rows } = await database.pool.query<Rollup>(`
    select key, extract(epoch from at)::float8 * 1000 as at, samples, cpu, cpu_max as "cpuMax", memory, rx, disk_max as "diskMax"
    from ${table} order by key, at`)
  return rows
}

/** Sums in a different order differ in the last digits. */
const rounded = (rows: Rollup[]) =>
  rows.map((row) => ({
    ...row,
    cpu: row.cpu.toPrecision(11),
    memory: row.memory.toPrecision(11),
    rx: row.rx.toPrecision(11),
  }))

const Event = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('samples' as const),
      node: fc.nat(1),
      minutesLate: fc.oneof(
        { weight: 3, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.nat(200) },
      ),
      figures: fc.array(
        fc.record({
          server: fc.nat(1),
          secondsBefore: fc.nat(400),
          cpu: fc.float({ min: 0, max: 800, noNaN: true }),
          memory: fc.nat(2 ** 31 - 1),
          rx: fc.float({ min: 0, max: 1e6, noNaN: true }),
          disk: fc.option(fc.nat(1e9), { nil: undefined }),
        }),
        { minLength: 1, maxLength: 8 },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rollup' as const),
      instances: fc.integer({ min: 1, max: 2 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.nat(30) }) },
)

test('rollups equal a plain computation over every sample, however late, however often and by how many instances', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Event, { minLength: 5, maxLength: 40 }), async (events) => {
      await database.pool.query(
        'truncate server_samples, server_rollups_5m, server_rollups_1h, metrics_progress, metrics_late',
      )
      await database.pool.query('insert into metrics_progress (through) values ($1)', [
        new Date(start - 240 * MINUTE),
      ])
      const sent: { key: number; sample: ServerSample }[] = []
      let now = start
      for (const event of events) {
        if (event.kind === 'wait') now += event.minutes * MINUTE
        if (event.kind === 'rollup') {
          await Promise.all(
            Array.from({ length: event.instances }, () => rollUp(db, new Date(now))),
          )
        }
        if (event.kind === 'samples') {
          const { id, servers } = nodes[event.node]!
          const samples = event.figures.map(
            (figure): ServerSample => ({
              serverId: servers[figure.server]!.id,
              at: new Date(now - event.minutesLate * MINUTE - figure.secondsBefore * 1000),
              cpuPercent: figure.cpu,
              memoryBytes: figure.memory,
              networkRxBytesPerSecond: figure.rx,
              networkTxBytesPerSecond: 0,
              diskBytes: figure.disk,
            }),
          )
          await store(id, samples, now)
          for (const [at, sample] of samples.entries())
            sent.push({ key: servers[event.figures[at]!.server]!.metricKey, sample })
        }
      }
      for (let left = 1; left > 0; ) {
        const did = await rollUp(db, new Date(now))
        left = did.buckets + did.late
      }
      const through = Math.floor((now - 3 * MINUTE) / (5 * MINUTE)) * 5 * MINUTE
      expect(rounded(await rolledUp('server_rollups_5m'))).toEqual(
        rounded(bruteForce(sent, 5 * MINUTE, through)),
      )
      expect(rounded(await rolledUp('server_rollups_1h'))).toEqual(
        rounded(bruteForce(sent, 60 * MINUTE, through)),
      )
    }),
    { numRuns: 30 },
  )
})

test('a bucket keeps its figures when a database crash loses the samples', async () => {
  await database.pool.query(
    'truncate server_samples, server_rollups_5m, server_rollups_1h, metrics_progress, metrics_late',
  )
  const { id, servers } = nodes[0]!
  const sample = (at: number): ServerSample => ({
    serverId: servers[0]!.id,
    at: new Date(at),
    cpuPercent: 10,
    memoryBytes: 1,
    networkRxBytesPerSecond: 0,
    networkTxBytesPerSecond: 0,
  })
  await store(id, [sample(start), sample(start + 5000)], start + MINUTE)
  for (let left = 1; left > 0; left = (await rollUp(db, new Date(start + 10 * MINUTE))).buckets);
  await database.pool.query('truncate server_samples')
  await store(id, [sample(start + 7000)], start + 10 * MINUTE)
  expect(await rollUp(db, new Date(start + 10 * MINUTE))).toMatchObject({ late: 1 })
  expect(await rolledUp('server_rollups_5m')).toMatchObject([{ samples: 2 }])
})

test('time without samples is skipped in one step, and what comes after it is not', async () => {
  await database.pool.query(
    'truncate server_samples, server_rollups_5m, server_rollups_1h, metrics_progress, metrics_late',
  )
  const { id, servers } = nodes[0]!
  const sample = (at: number): ServerSample => ({
    serverId: servers[0]!.id,
    at: new Date(at),
    cpuPercent: 10,
    memoryBytes: 1,
    networkRxBytesPerSecond: 0,
    networkTxBytesPerSecond: 0,
  })
  const later = start + 10 * 60 * MINUTE
  await store(id, [sample(start)], start + MINUTE)
  await store(id, [sample(later)], later + MINUTE)
  const now = new Date(later + 30 * MINUTE)
  // A day before the first sample, then ten hours up to the second, then up to now.
  expect(await rollUp(db, now)).toEqual({ buckets: 5, late: 0 })
  expect(await rollUp(db, now)).toEqual({ buckets: 0, late: 0 })
  const at = (rows: Rollup[]) => rows.map((row) => row.at)
  expect(at(await rolledUp('server_rollups_5m'))).toEqual([start, later])
  // The second hour has not ended.
  expect(at(await rolledUp('server_rollups_1h'))).toEqual([start])
  const { rows } = await database.pool.query('select through from metrics_progress')
  expect(rows[0].through.getTime()).toBe(later + 25 * MINUTE)
})

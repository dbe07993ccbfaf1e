import { randomUUID } from 'node:crypto'
import type { NodeSample, ServerSample } from '@lodge/proto/server.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import { LiveEvents } from '../../live/live-events.ts'
import { ingestMetrics } from './ingest.ts'
import { keepPartitions } from './partitions.ts'
import { fleetRows } from './testing/fleet-rows.ts'

let database: FreshDatabase
let db: Db
let live: LiveEvents
let rows: ReturnType<typeof fleetRows>
const now = new Date()
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000)

beforeAll(async () => {
  database = await freshDatabase()
  db = openDatabase(database.pool)
  live = new LiveEvents(db, pino({ level: 'silent' }))
  rows = fleetRows(database.pool)
  await keepPartitions(db, now)
})
afterAll(() => database.drop())

const sample = (serverId: string, over: Partial<ServerSample> = {}): ServerSample => ({
  serverId,
  at: secondsAgo(1),
  cpuPercent: 12.5,
  memoryBytes: 1_000_000,
  networkRxBytesPerSecond: 10,
  networkTxBytesPerSecond: 20,
  diskBytes: 5000,
  ...over,
})
const nodeSample = (over: Partial<NodeSample> = {}): NodeSample => ({
  at: secondsAgo(1),
  cpuPercent: 50,
  memoryUsedBytes: 1,
  memoryTotalBytes: 2,
  diskUsedBytes: 3,
  diskTotalBytes: 4,
  cpuCores: 2,
  ...over,
})
const ingest = (
  nodeId: string,
  servers: ServerSample[],
  nodes: NodeSample[] = [],
  clockAheadMs?: number,
) =>
  ingestMetrics(
    { db, live, now },
    nodeId,
    [{ servers, nodes }],
    clockAheadMs === undefined ? {} : { clockAheadMs },
  )
const stored = async (metricKey: number) => {
  const { rows } = await database.pool.query(
    'select at, cpu, memory, disk from server_samples where key = $1 order by at',
    [metricKey],
  )
  return rows
}
const usageOf = async (table: 'servers' | 'nodes', id: string) =>
  (await database.pool.query(`select usage from ${table} where id = $1`, [id])).rows[0].usage

test('samples are stored and the newest of them is shown', async () => {
  const nodeId = await rows.node()
  const [server] = await rows.servers(nodeId, 1)
  const report = await ingest(
    nodeId,
    [sample(server!.id), sample(server!.id, { at: secondsAgo(6), cpuPercent: 99 })],
    [nodeSample({ at: secondsAgo(6), cpuPercent: 1 }), nodeSample()],
  )
  expect(report).toEqual({ stored: 4, dropped: 0 })
  expect(await stored(server!.metricKey)).toMatchObject([
    { cpu: 99 },
    { cpu: 12.5, memory: 1_000_000, disk: 5000 },
  ])
  expect(await usageOf('servers', server!.id)).toEqual({
    at: secondsAgo(1).toISOString(),
    cpuPercent: 12.5,
    memoryBytes: 1_000_000,
    diskBytes: 5000,
    networkRxBytesPerSecond: 10,
    networkTxBytesPerSecond: 20,
  })
  expect(await usageOf('nodes', nodeId)).toMatchObject({
    at: secondsAgo(1).toISOString(),
    cpuPercent: 50,
    cpuCores: 2,
  })
})

test('a node cannot write the figures of servers that are not on it', async () => {
  const [honest, rogue] = [await rows.node(), await rows.node()]
  const [server] = await rows.servers(honest, 1)
  const report = await ingest(rogue, [sample(server!.id), sample(randomUUID())])
  expect(report).toEqual({ stored: 0, dropped: 2 })
  expect(await stored(server!.metricKey)).toEqual([])
  expect(await usageOf('servers', server!.id)).toBeNull()
})

test('figures that cannot be true are left out and the others of the batch are kept', async () => {
  const nodeId = await rows.node()
  const [server] = await rows.servers(nodeId, 1)
  const { id, metricKey } = server!
  const report = await ingest(
    nodeId,
    [
      sample(id, { cpuPercent: -1 }),
      sample(id, { cpuPercent: Number.NaN }),
      sample(id, { memoryBytes: 2 ** 60 }),
      sample(id, { networkRxBytesPerSecond: Number.POSITIVE_INFINITY }),
      sample(id, { diskBytes: -5 }),
      sample("'; drop table servers; --"),
      sample(id, { at: new Date(Number.NaN) }),
      sample(id, { at: new Date(0) }),
      sample(id, { cpuPercent: 3, diskBytes: undefined }),
    ],
    [nodeSample({ memoryUsedBytes: -1 })],
  )
  expect(report).toEqual({ stored: 1, dropped: 9 })
  expect(await stored(metricKey)).toMatchObject([{ cpu: 3, disk: null }])
})

test('nothing counts as measured after it was received', async () => {
  const nodeId = await rows.node()
  const [server] = await rows.servers(nodeId, 1)
  await ingest(nodeId, [sample(server!.id, { at: secondsAgo(-7200) })])
  expect(await stored(server!.metricKey)).toMatchObject([{ at: now }])
})

test('a node whose clock is an hour behind is corrected, and one a minute off is not', async () => {
  const nodeId = await rows.node()
  const [server] = await rows.servers(nodeId, 1)
  await ingest(nodeId, [sample(server!.id, { at: secondsAgo(3610) })], [], -3_600_000)
  await ingest(nodeId, [sample(server!.id, { at: secondsAgo(70) })], [], -60_000)
  expect(await stored(server!.metricKey)).toMatchObject([
    { at: secondsAgo(70) },
    { at: secondsAgo(10) },
  ])
})

test('what a node tells late does not replace the newer figures that are shown', async () => {
  const nodeId = await rows.node()
  const [server] = await rows.servers(nodeId, 1)
  await ingest(nodeId, [sample(server!.id, { cpuPercent: 7 })], [nodeSample({ cpuPercent: 7 })])
  await ingest(
    nodeId,
    [sample(server!.id, { at: secondsAgo(1800) })],
    [nodeSample({ at: secondsAgo(1800) })],
  )
  expect(await usageOf('servers', server!.id)).toMatchObject({ cpuPercent: 7 })
  expect(await usageOf('nodes', nodeId)).toMatchObject({ cpuPercent: 7 })
  expect(await stored(server!.metricKey)).toHaveLength(2)
})

test('open panels are told once the transaction commits, and not when it fails', async () => {
  const nodeId = await rows.node()
  const [server] = await rows.servers(nodeId, 1)
  const client = await database.pool.connect()
  const heard: string[] = []
  client.on('notification', (message) => heard.push(message.payload ?? ''))
  await client.query('listen lodge_live')
  const failed = db.transaction(async (tx) => {
    await ingestMetrics({ db: tx, live, now }, nodeId, [
      { servers: [sample(server!.id)], nodes: [] },
    ])
    throw new Error('the report fails')
  })
  await expect(failed).rejects.toThrow('the report fails')
  await ingest(nodeId, [sample(server!.id)])
  await client.query('select 1')
  expect(heard).toEqual([JSON.stringify({ kind: 'usage', id: nodeId })])
  expect(await stored(server!.metricKey)).toHaveLength(1)
  client.release(true)
})

test('figures do not wait for a server that somebody is changing', async () => {
  const nodeId = await rows.node()
  const [busy, free] = await rows.servers(nodeId, 2)
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query('select 1 from servers where id = $1 for update', [busy!.id])
  expect(await ingest(nodeId, [sample(busy!.id), sample(free!.id)])).toEqual({
    stored: 2,
    dropped: 0,
  })
  await client.query('rollback')
  client.release()
  expect(await usageOf('servers', busy!.id)).toBeNull()
  expect(await usageOf('servers', free!.id)).not.toBeNull()
})

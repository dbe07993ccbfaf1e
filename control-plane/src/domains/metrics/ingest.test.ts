import { randomUUID } from 'node:crypto'
import type { NodeSample, ServerSample } from '@lodge/proto/server.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/support/database.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import { LiveEvents } from '../../live/live-events.ts'
import { createIntake, type Intake } from './ingest.ts'
import { keepPartitions } from './partitions.ts'
import { sweepServerUsage } from './store.ts'
import { fleetRows } from './testing/fleet-rows.ts'

let database: FreshDatabase
let db: Db
let live: LiveEvents
let intake: Intake
let rows: ReturnType<typeof fleetRows>
const now = new Date()
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000)

beforeAll(async () => {
  database = await freshDatabase()
  db = openDatabase(database.application.pool)
  live = new LiveEvents(db, pino({ level: 'silent' }))
  intake = createIntake({ live })
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
async function ingest(
  nodeId: string,
  servers: ServerSample[],
  nodes: NodeSample[] = [],
  clockAheadMs?: number,
) {
  const told = { nodeId, batches: [{ servers, nodes }], ...(clockAheadMs && { clockAheadMs }) }
  const { stored, dropped, ...newest } = await intake.store(db, [told], now)
  await intake.show(db, { stored, dropped, ...newest })
  return { stored, dropped }
}
const stored = async (metricKey: number) => {
  const { rows } = await database.pool.query(
    'select at, cpu, memory, disk from server_samples where key = $1 order by at',
    [metricKey],
  )
  return rows
}
const nodeUsage = async (id: string) =>
  (await database.pool.query(`select usage from nodes where id = $1`, [id])).rows[0].usage
const serverUsage = async (metricKey: number) =>
  (
    await database.pool.query(
      'select at, cpu, memory, memory_of_node as "memoryOfNode", rx, tx, disk from server_usage where key = $1',
      [metricKey],
    )
  ).rows[0]

test('samples are stored and the newest is shown', async () => {
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
  expect(await serverUsage(server!.metricKey)).toEqual({
    at: secondsAgo(1),
    cpu: 12.5,
    memory: 1_000_000,
    memoryOfNode: false,
    disk: 5000,
    rx: 10,
    tx: 20,
  })
  expect(await nodeUsage(nodeId)).toMatchObject({
    at: secondsAgo(1).toISOString(),
    cpuPercent: 50,
    cpuCores: 2,
  })
})

test('memory counted by the node is marked as such until the guest reports its own', async () => {
  const nodeId = await rows.node()
  const [machine, other] = await rows.servers(nodeId, 2)
  await ingest(
    nodeId,
    [sample(machine!.id, { at: secondsAgo(60), memoryOfNode: true }), sample(other!.id)],
    [],
  )
  expect(await serverUsage(machine!.metricKey)).toMatchObject({ memoryOfNode: true })
  expect(await serverUsage(other!.metricKey)).toMatchObject({ memoryOfNode: false })
  await ingest(nodeId, [sample(machine!.id)], [])
  expect(await serverUsage(machine!.metricKey)).toMatchObject({ memoryOfNode: false })
})

test('a node cannot write the figures of servers that are not on it', async () => {
  const [honest, rogue] = [await rows.node(), await rows.node()]
  const [server] = await rows.servers(honest, 1)
  const report = await ingest(rogue, [sample(server!.id), sample(randomUUID())])
  expect(report).toEqual({ stored: 0, dropped: 2 })
  expect(await stored(server!.metricKey)).toEqual([])
  expect(await serverUsage(server!.metricKey)).toBeUndefined()
})

test('implausible figures are dropped and the rest of the batch is kept', async () => {
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

test('a sample time is never later than its receipt', async () => {
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

test('late samples do not replace newer ones on display', async () => {
  const nodeId = await rows.node()
  const [server] = await rows.servers(nodeId, 1)
  await ingest(nodeId, [sample(server!.id, { cpuPercent: 7 })], [nodeSample({ cpuPercent: 7 })])
  await ingest(
    nodeId,
    [sample(server!.id, { at: secondsAgo(1800) })],
    [nodeSample({ at: secondsAgo(1800) })],
  )
  expect(await serverUsage(server!.metricKey)).toMatchObject({ cpu: 7 })
  expect(await nodeUsage(nodeId)).toMatchObject({ cpuPercent: 7 })
  expect(await stored(server!.metricKey)).toHaveLength(2)
})

test('open panels are updated when the transaction commits, and not if it fails', async () => {
  const nodeId = await rows.node()
  const [server] = await rows.servers(nodeId, 1)
  const client = await database.pool.connect()
  const heard: string[] = []
  client.on('notification', (message) => heard.push(message.payload ?? ''))
  await client.query('listen lodge_live')
  const failed = db.transaction(async (tx) => {
    const batches = [{ servers: [sample(server!.id)], nodes: [] }]
    await intake.store(tx, [{ nodeId, batches }], now)
    throw new Error('the report fails')
  })
  await expect(failed).rejects.toThrow('the report fails')
  await ingest(nodeId, [sample(server!.id)])
  await client.query('select 1')
  expect(heard).toEqual([JSON.stringify({ kind: 'usage', id: nodeId })])
  expect(await stored(server!.metricKey)).toHaveLength(1)
  client.release(true)
})

test('figures do not wait for locked servers or nodes', async () => {
  const nodeId = await rows.node()
  const [busy, free] = await rows.servers(nodeId, 2)
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query('select 1 from servers where id = $1 for update', [busy!.id])
  await client.query('select 1 from nodes where id = $1 for no key update', [nodeId])
  const report = await ingest(nodeId, [sample(busy!.id), sample(free!.id)], [nodeSample()])
  expect(report).toEqual({ stored: 3, dropped: 0 })
  await client.query('rollback')
  client.release()
  expect(await serverUsage(busy!.metricKey)).toBeDefined()
  expect(await serverUsage(free!.metricKey)).toBeDefined()
  expect(await nodeUsage(nodeId)).toBeNull()
})

test('samples of many nodes at once reach the right servers', async () => {
  const nodeIds = await Promise.all([rows.node(), rows.node(), rows.node()])
  const servers = await Promise.all(nodeIds.map((id) => rows.servers(id, 2)))
  const told = nodeIds.map((nodeId, at) => ({
    nodeId,
    batches: [
      { servers: servers[at]!.map(({ id }) => sample(id, { cpuPercent: at + 1 })), nodes: [] },
    ],
  }))
  expect(await intake.store(db, told, now)).toMatchObject({ stored: 6, dropped: 0 })
  for (const [at, own] of servers.entries())
    for (const { metricKey } of own)
      expect(await stored(metricKey)).toMatchObject([{ cpu: at + 1 }])
})

test('a server new on the node counts from its first sample', async () => {
  const nodeId = await rows.node()
  const [first] = await rows.servers(nodeId, 1)
  await ingest(nodeId, [sample(first!.id)])
  const [second] = await rows.servers(nodeId, 1)
  expect(await ingest(nodeId, [sample(second!.id)])).toEqual({ stored: 1, dropped: 0 })
})

test('displayed figures are at most a few samples old, without a write per sample', async () => {
  const nodeId = await rows.node()
  const [server] = await rows.servers(nodeId, 1)
  const shown: number[] = []
  for (const seconds of [60, 55, 50, 45, 40]) {
    await ingest(nodeId, [sample(server!.id, { at: secondsAgo(seconds), cpuPercent: seconds })])
    shown.push((await serverUsage(server!.metricKey)).cpu)
  }
  expect(shown).toEqual([60, 60, 60, 45, 45])
})

test('displayed figures of removed servers are deleted', async () => {
  const nodeId = await rows.node()
  const [gone, stays] = await rows.servers(nodeId, 2)
  await ingest(nodeId, [sample(gone!.id), sample(stays!.id)])
  await database.pool.query('delete from servers where id = $1', [gone!.id])
  expect(await sweepServerUsage(db)).toBe(1)
  expect(await serverUsage(gone!.metricKey)).toBeUndefined()
  expect(await serverUsage(stays!.metricKey)).toBeDefined()
})

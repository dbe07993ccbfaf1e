import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/support/database.ts'
import type { User } from '../../actor.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import { LiveEvents } from '../../live/live-events.ts'
import type { LiveEvent } from '../../live/replay-buffer.ts'
import { announceUsage } from './live.ts'
import { keepPartitions } from './partitions.ts'
import { fleetRows } from './testing/fleet-rows.ts'

let database: FreshDatabase
let db: Db
beforeAll(async () => {
  database = await freshDatabase()
  db = openDatabase(database.application.pool)
  await keepPartitions(db, new Date())
})
afterAll(() => database.drop())

const customer = (id: string): User => ({
  kind: 'user',
  id,
  email: '',
  address: '',
  sessionId: '',
  role: 'customer',
  superAdmin: false,
  permissions: new Set(),
})

test('owners receive figures of their running servers, administrators those of nodes too, and strangers none', async () => {
  const rows = fleetRows(database.pool)
  const at = new Date()
  const usage = { at: at.toISOString(), cpuPercent: 5 }
  const nodeId = await rows.node({ usage })
  const [running] = await rows.servers(nodeId, 1)
  const [stopped] = await rows.servers(nodeId, 1, { observed: 'stopped' })
  await rows.servers(nodeId, 1)
  const [elsewhere] = await rows.servers(await rows.node({ usage }), 1)
  for (const server of [running, stopped, elsewhere])
    for (const [cpu, secondsAgo] of [
      [5, 0],
      [99, 7],
    ])
      await database.pool.query(
        `insert into server_samples (key, at, cpu, memory, rx, tx, disk)
         values ($1, $2::timestamptz - $3 * interval '1 second', $4, 6, 7, 8, null)`,
        [server!.metricKey, at, secondsAgo, cpu],
      )

  await database.pool.query(
    `insert into server_usage (key, at, cpu, memory, rx, tx, memory_of_node)
     values ($1, $2, 5, 6, 7, 8, true)`,
    [running!.metricKey, at],
  )
  const live = new LiveEvents(db, pino({ level: 'silent' }))
  live.register(announceUsage({ live }))
  const heard = { owner: [] as LiveEvent[], stranger: [] as LiveEvent[], admin: [] as LiveEvent[] }
  const { promise: told, resolve } = Promise.withResolvers<void>()
  live.subscribe(customer(running!.ownerId), undefined, (event) => heard.owner.push(event))
  live.subscribe(customer(nodeId), undefined, (event) => heard.stranger.push(event))
  const admin = { ...customer(crypto.randomUUID()), role: 'admin' as const, superAdmin: true }
  live.subscribe(admin, undefined, (event) => {
    heard.admin.push(event)
    if (event.event === 'nodeUsage') resolve()
  })
  live.heard({ kind: 'usage', id: nodeId })
  await told

  const figures = { cpuPercent: 5, memoryBytes: 6, memoryOfNode: true, diskBytes: null }
  const network = { networkRxBytesPerSecond: 7, networkTxBytesPerSecond: 8 }
  const sample = {
    event: 'sample',
    data: { serverId: running!.id, at: usage.at, ...figures, ...network },
  }
  const afterReset = (events: LiveEvent[]) =>
    events.slice(1).map(({ event, data }) => ({ event, data }))
  expect(afterReset(heard.owner)).toEqual([sample])
  expect(afterReset(heard.stranger)).toEqual([])
  expect(afterReset(heard.admin)).toEqual([sample, { event: 'nodeUsage', data: { nodeId, usage } }])
})

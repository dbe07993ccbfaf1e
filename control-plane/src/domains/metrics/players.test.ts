import type { ServerSample } from '@lodge/proto/server.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/support/database.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import { LiveEvents } from '../../live/live-events.ts'
import { createIntake } from './ingest.ts'
import { keepPartitions } from './partitions.ts'
import { readPlayers } from './players.ts'
import { fleetRows } from './testing/fleet-rows.ts'

let database: FreshDatabase
let db: Db
beforeAll(async () => {
  database = await freshDatabase()
  db = openDatabase(database.pool)
  await keepPartitions(db, new Date())
})
afterAll(() => database.drop())

const start = Date.now() - 60_000
const after = (seconds: number) => new Date(start + seconds * 1000)

test('the player list is the latest report of the current run', async () => {
  const rows = fleetRows(database.pool)
  const nodeId = await rows.node()
  const [server] = await rows.servers(nodeId, 1)
  if (!server) throw new Error('no server')
  const intake = createIntake({ live: new LiveEvents(db, pino({ level: 'silent' })) })
  const tell = async (seconds: number, players?: ServerSample['players']) => {
    const sample: ServerSample = {
      serverId: server.id,
      at: after(seconds),
      cpuPercent: 1,
      memoryBytes: 1,
      networkRxBytesPerSecond: 0,
      networkTxBytesPerSecond: 0,
      players,
    }
    const batches = [{ servers: [sample], nodes: [] }]
    await intake.show(db, await intake.store(db, [{ nodeId, batches }], new Date()))
  }
  const since = after(0).toISOString()
  const read = (state: Partial<Parameters<typeof readPlayers>[1]> = {}) =>
    readPlayers(db, { id: server.id, observedState: 'running', since, ...state })
  const nobodyKnows = { at: null, online: null, most: null, names: [] }
  expect(await read()).toEqual({ asked: false, ...nobodyKnows })

  const query = { kind: 'protocol', protocol: 'valve', port: 27015 }
  await database.pool.query(
    `update servers set desired_spec = desired_spec || jsonb_build_object('query', $2::jsonb) where id = $1`,
    [server.id, JSON.stringify(query)],
  )
  await tell(1, { at: after(1), online: 2, most: 20, names: ['Ann', 'Bob\u0007'] })
  const told = { at: after(1).toISOString(), online: 2, most: 20, names: ['Ann', 'Bob'] }
  expect(await read()).toEqual({ asked: true, ...told })

  // Figures without a response from the game keep the last one.
  await tell(30)
  expect(await read()).toEqual({ asked: true, ...told })
  expect(await read({ observedState: 'stopped' })).toEqual({ asked: true, ...nobodyKnows })
  expect(await read({ since: after(40).toISOString() })).toEqual({ asked: true, ...nobodyKnows })
})

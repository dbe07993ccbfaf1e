import { randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/support/database.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import { lowestIdAt } from '../../db/timed-ids.ts'
import { fleetRows } from '../metrics/testing/fleet-rows.ts'
import { isOlder } from './attention.ts'
import { type Sizes, withoutPlace } from './capacity.ts'
import { Overview, readOverview } from './overview.ts'

let database: FreshDatabase
let db: Db
let rows: ReturnType<typeof fleetRows>
let jobsMade = 0
const now = new Date()
const own = {
  storage: { level: 'ok', summary: '' },
  databaseConcern: undefined,
  works: true,
  waitingAppeals: [],
} as const
const online = {
  credential_hash: Buffer.from('x'),
  session_id: randomUUIDv7(),
  connected_at: now,
  last_seen_at: now,
  agent_version: '0.1.0',
}
const away = {
  credential_hash: Buffer.from('x'),
  last_seen_at: new Date(now.getTime() - 60_000),
  agent_version: '0.1.0',
}

beforeAll(async () => {
  database = await freshDatabase()
  db = openDatabase(database.application.pool)
  rows = fleetRows(database.pool)
})
afterAll(() => database.drop())

const clear = () => database.pool.query('truncate servers, nodes, jobs cascade')
const read = async () => Overview.parse(await readOverview(db, now, own))
const job = (columns: Readonly<Record<string, unknown>>) => {
  const row = {
    // A millisecond apart, so that the later one has the higher id.
    id: lowestIdAt(now.getTime() + jobsMade++).replace('-0000-0000-', '-7000-8000-'),
    kind: 'server.start',
    title: 'Start survival',
    state: 'failed',
    input: '{}',
    steps: '[]',
    ended_at: now,
    ...columns,
  }
  const names = Object.keys(row)
  return database.pool.query(
    `insert into jobs (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
    Object.values(row),
  )
}

test('an empty fleet needs no attention', async () => {
  await clear()
  expect(await read()).toMatchObject({
    attention: [],
    nodes: { total: 0, online: 0 },
    servers: { total: 0 },
    jobs: { running: 0, failed24h: 0 },
    capacity: [],
  })
})

test('servers are counted by their displayed status', async () => {
  await clear()
  const [near, far] = [await rows.node(online), await rows.node(away)]
  await rows.servers(near, 3)
  await rows.servers(near, 2, { desired: 'off', observed: 'stopped' })
  await rows.servers(near, 1, { observed: 'crashed' })
  await rows.servers(near, 1, { observed: 'crashed', columns: { restart_at: now } })
  await rows.servers(far, 4)
  const [held] = await rows.servers(near, 1)
  for (const [kind, cause] of [
    ['suspension', 'administrator'],
    ['deleting', 'test'],
  ]) {
    await database.pool.query(
      'insert into server_holds (server_id, kind, cause) values ($1, $2, $3)',
      [held!.id, kind, cause],
    )
  }
  const { servers, nodes } = await read()
  expect(servers).toMatchObject({
    total: 12,
    running: 3,
    crashed: 1,
    byStatus: {
      running: 3,
      stopped: 2,
      crashed: 1,
      restarting: 1,
      unknown: 4,
      deleting: 1,
      suspended: 0,
    },
  })
  expect(nodes).toEqual({ total: 2, online: 1, offline: 1, cordoned: 0, enrolling: 0 })
})

test('attention items are sorted by severity and link to a page', async () => {
  await clear()
  const usage = {
    at: now.toISOString(),
    cpuPercent: 1,
    cpuCores: 1,
    memoryTotalBytes: 1,
    memoryUsedBytes: 1,
    diskTotalBytes: 100,
    diskUsedBytes: 95,
  }
  const preflight = [
    { id: 'docker', state: 'failed', summary: 'Docker does not answer', remedy: 'Start it' },
    { id: 'clock', state: 'warning', summary: 'Slow', remedy: null },
  ]
  const sick = await rows.node({
    ...online,
    name: 'sick',
    agent_version: '0.0.9',
    usage,
    preflight: JSON.stringify(preflight),
    allocated_memory_mb: 9999,
  })
  const gone = await rows.node({ ...away, name: 'gone', allocated_servers: 2 })
  await rows.node({ name: 'new' })
  const [crashed, broken, retried] = [
    ...(await rows.servers(sick, 1, { observed: 'crashed' })),
    ...(await rows.servers(sick, 1, { observed: 'absent', columns: { install_failed: true } })),
    ...(await rows.servers(sick, 1)),
  ]
  await rows.servers(gone, 2, { observed: 'crashed' })
  await job({ server_id: retried!.id, failure: { code: 'x', detail: 'It went wrong' } })
  await job({
    title: 'Remove old',
    failure: { code: 'port_unavailable', detail: 'The port is taken' },
  })
  await job({ server_id: retried!.id, state: 'done' })
  await job({ kind: 'node.update-agent', node_id: sick, title: 'Update the agent of sick' })
  await job({ kind: 'node.update-agent', node_id: sick, state: 'done' })
  await job({ title: 'Long ago', ended_at: new Date(now.getTime() - 25 * 3_600_000) })

  const { attention, jobs } = await read()
  expect(attention.map(({ kind, severity, href }) => [kind, severity, href])).toEqual([
    ['node_offline', 'critical', `/admin/nodes/${gone}`],
    ['preflight_failed', 'critical', `/admin/nodes/${sick}`],
    ['job_failed', 'warning', '/jobs'],
    ['server_install_failed', 'warning', `/servers/${broken!.id}`],
    ['server_crashed', 'warning', `/servers/${crashed!.id}`],
    ['node_disk_full', 'warning', `/admin/nodes/${sick}`],
    ['node_over_capacity', 'warning', `/admin/nodes/${sick}`],
    ['agent_outdated', 'notice', `/admin/nodes/${sick}`],
  ])
  expect(attention[2]).toMatchObject({ title: 'Remove old failed', detail: 'The port is taken' })
  expect(attention[5]?.title).toBe('The disk of sick is 95% full')
  expect(attention[6]?.detail).toMatch(/^Allocated: 9\.8 GiB of 4 GiB memory\. /)
  expect(jobs).toEqual({ running: 0, failed24h: 3 })
})

test('a crash is explained by its decision, whatever else happened in that moment', async () => {
  await clear()
  const node = await rows.node(online)
  const stays = 'The server ran out of memory; its policy is never to restart it'
  const process = 'A process of the server ran out of memory and was killed'
  const orders = [
    [
      ['out_of_memory', process, 0],
      ['crashed', stays, 0],
    ],
    [
      ['crashed', stays, 0],
      ['out_of_memory', process, 0],
    ],
    [
      ['crashed', stays, -10],
      ['out_of_memory', process, 0],
    ],
    [
      ['crashed', 'The server ended', 0],
      ['gave_up', stays, 0],
    ],
    [
      ['gave_up', stays, 0],
      ['crashed', 'The server ended', 0],
    ],
  ] as const
  for (const events of orders) {
    const [server] = await rows.servers(node, 1, { observed: 'crashed' })
    for (const [order, [kind, reason, laterMs]] of events.entries())
      await database.pool.query(
        'insert into server_events (id, server_id, kind, at, reason) values ($1, $2, $3, $4, $5)',
        [
          `00000000-0000-7000-800${order}-${server!.id.slice(-12)}`,
          server!.id,
          kind,
          new Date(now.getTime() + laterMs),
          reason,
        ],
      )
  }
  const { attention } = await read()
  expect(attention.map(({ kind, detail }) => [kind, detail])).toEqual(
    orders.map(() => ['server_crashed', stays]),
  )
})

test('an old or failed backup of the panel needs attention until one succeeds', async () => {
  await clear()
  const { pool } = database
  const made = (state: 'good' | 'failed', daysAgo: number, failure?: object) =>
    pool.query(
      `insert into panel_backups (id, state, scheduled, place, address, snapshot_id, size_bytes, failure, created_at, finished_at)
       values (gen_random_uuid(), $1, true, 'folder', '/backups', 'a', 1, $2, $3, $3)`,
      [state, failure, new Date(now.getTime() - daysAgo * 86_400_000)],
    )
  const told = async () => (await read()).attention.map((one) => [one.kind, one.detail])
  const failure = { code: 'panel_backup_failed', detail: 'The folder is not there' }
  await made('good', 3)
  await made('failed', 2, failure)
  expect(await told()).toEqual([])
  await made('failed', 0.5, failure)
  await job({ kind: 'panel.backup', title: 'Back up the panel', failure })
  expect(await told()).toEqual([['panel_backup_failed', failure.detail]])
  const schedule = { cron: '0 4 * * *', zone: 'UTC' }
  const scheduledSince = new Date(now.getTime() - 9 * 86_400_000).toISOString()
  await pool.query(`insert into settings (area, value) values ('panel-backups', $1)`, [
    JSON.stringify({ schedule, scheduledSince, folder: '/backups' }),
  ])
  expect(await told()).toEqual([['panel_backup_overdue', failure.detail]])
  expect((await read()).attention[0]?.href).toBe('/admin/settings/backups')
  await made('good', 0.1)
  await made('failed', 0, { code: 'cancelled', detail: 'The job was cancelled' })
  expect(await told()).toEqual([])
  await pool.query(`truncate panel_backups; delete from settings where area = 'panel-backups'`)
})

test('repeated failures of the same kind are one row with a count', async () => {
  await clear()
  const failure = { code: 'x', detail: 'The image is gone' }
  for (let round = 0; round < 3; round++) await job({ title: 'Fetch image', failure })
  await job({ title: 'Fetch image', failure: { code: 'x', detail: 'The disk is full' } })
  const { attention, jobs } = await read()
  expect(attention.map(({ title, detail }) => [title, detail])).toEqual([
    ['Fetch image failed', 'The disk is full'],
    ['Fetch image failed 3 times', 'The image is gone'],
  ])
  expect(jobs.failed24h).toBe(4)
})

test('the capacity of a location shows whether it survives the loss of its fullest connected node', async () => {
  await clear()
  const sized = (memory: number) => ({
    columns: { memory_mb: memory, cpu_percent: 10, disk_mb: 10 },
  })
  const full = await rows.node({ ...online, name: 'full', allocated_memory_mb: 3000 })
  await rows.node({ ...online, name: 'spare', memory_mb: 2048, headroom_mb: 48 })
  await rows.node({ ...online, name: 'closed', memory_mb: 8192, cordoned: true })
  await rows.node({ ...online, name: 'elsewhere', location: 'There' })
  await rows.servers(full, 2, sized(1000))
  expect((await read()).capacity).toMatchObject([
    {
      location: 'Here',
      nodes: 3,
      nodesOnline: 3,
      memoryMb: 14_336,
      memoryAllocatedMb: 3000,
      headroomMb: 48,
      memoryUsedMb: null,
      survivesLoss: { nodeId: full, nodeName: 'full', survives: true, homeless: 0 },
    },
    { location: 'There', survivesLoss: null },
  ])
  await rows.servers(full, 1, sized(1000))
  expect((await read()).capacity[0]?.survivesLoss).toMatchObject({ survives: false, homeless: 1 })
  // What is lost already is no forecast.
  const gone = await rows.node({ ...away, name: 'gone', allocated_memory_mb: 4000 })
  await rows.servers(gone, 1, sized(4000))
  expect((await read()).capacity[0]?.survivesLoss).toMatchObject({ nodeId: full, homeless: 1 })
})

test('a plan for a lost node never promises more than the others have', () => {
  const size = fc.tuple(fc.nat(2000), fc.nat(400), fc.nat(5000))
  fc.assert(
    fc.property(
      fc.array(size, { maxLength: 12 }),
      fc.array(size, { maxLength: 4 }),
      (servers, free) => {
        const homeless = withoutPlace(servers, free)
        if (homeless === 0) {
          for (const kind of [0, 1, 2] as const) {
            const total = (list: readonly Sizes[]) => list.reduce((sum, one) => sum + one[kind], 0)
            expect(total(servers)).toBeLessThanOrEqual(total(free))
          }
        }
        const alone = servers.filter(
          (one) => !free.some((room) => one.every((needed, kind) => needed <= (room[kind] ?? 0))),
        ).length
        expect(homeless).toBeGreaterThanOrEqual(alone)
        expect(homeless).toBeLessThanOrEqual(servers.length)
      },
    ),
  )
})

test('versions are compared numerically and invalid ones are never outdated', () => {
  expect(isOlder('0.9.9', '0.10.0')).toBe(true)
  expect(isOlder('0.10.0', '0.9.9')).toBe(false)
  expect(isOlder('1.0.0', '1.0.0')).toBe(false)
  expect(isOlder('development', '1.0.0')).toBe(false)
})

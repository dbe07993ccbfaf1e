import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts'
import { AuditHead } from '../audit/head.ts'
import { openBlobs } from '../blobs/blobs.ts'
import { localFolder } from '../blobs/local-folder.ts'
import { type Channels, openChannels } from '../db/channels.ts'
import { openDatabase } from '../db/database.ts'
import { catalogueOf, figuresOf } from '../domain.ts'
import { fleetRows } from '../domains/metrics/testing/fleet-rows.ts'
import { EventBus } from '../events/event-bus.ts'
import { MemoryDomain } from '../fleet/fleet.fixture.ts'
import { startFleet } from '../fleet/fleet.ts'
import { AddressGuard } from '../http/address-guard.ts'
import { createApp } from '../http/app.ts'
import { httpBudgets } from '../http/budgets.ts'
import { get, post } from '../http/endpoint.ts'
import { mount } from '../http/mount.ts'
import { JobQueue } from '../jobs/queue.ts'
import { LiveEvents } from '../live/live-events.ts'
import { modules } from '../modules.ts'
import { PluginProcesses } from '../plugins/processes.ts'
import { Problem } from '../problem.ts'
import { Secret } from '../secret.ts'
import { createVault } from '../secrets/vault.ts'
import type { Services } from '../services.ts'
import { storageOf } from '../storage.ts'
import { createRegistry, httpMetricsHook, openMetricsToken, operatorRoutes } from './index.ts'

const log = pino({ level: 'silent' })
const TOKEN = 'a-token-for-scrapers'
const PROMTOOL = '/usr/bin/promtool'

let database: FreshDatabase
let folder: string
let services: Services
let channels: Channels
const apps: FastifyInstance[] = []

beforeAll(async () => {
  database = await freshDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'lodge-operators-'))
  const db = openDatabase(database.application.pool)
  channels = openChannels({ connectionString: database.application.url }, log)
  const vault = createVault(randomBytes(32))
  const fleet = await startFleet({
    vault,
    pool: database.application.pool,
    channels,
    log,
    authorityFolder: folder,
    host: '127.0.0.1',
    port: 0,
    handlers: new MemoryDomain(),
    httpHandler: (_request, response) => response.writeHead(404).end(),
  })
  const live = new LiveEvents(db, log)
  services = {
    db,
    heartbeatDb: db,
    fleet,
    live,
    log,
    vault,
    auditHead: new AuditHead({ folder, vault, log }),
    jobs: new JobQueue(live),
    events: new EventBus([]),
    catalogue: catalogueOf([]),
    guard: new AddressGuard(async () => []),
    egress: { allowedHosts: [], authorities: [] },
    channelHosts: [],
    fence: { command: undefined, limitMs: 1, hosts: [] },
    codeHost: 'https://github.com',
    plugins: new PluginProcesses(),
    pluginTrust: { keys: [], registry: undefined },
    media: { folder, limitBytes: 0 },
    agentFolder: folder,
    places: {
      ...{ dataFolder: folder, blobs: null, media: folder, variables: [] },
      ...{ masterKey: undefined, authorities: undefined },
    },
    blobs: openBlobs({ db, backend: localFolder(folder), arriving: folder, limitBytes: 0 }),
    variables: [],
    sftp: { host: null, port: null },
    names: async () => [],
    smtp: { port: null },
    ownApi: { call: undefined },
    captcha: { address: undefined, hostname: undefined },
    panelUrl: 'https://panel.test',
    storage: storageOf(folder),
    databaseConcern: undefined,
    works: true,
  }
  const rows = fleetRows(database.pool)
  const usage = {
    at: new Date().toISOString(),
    cpuPercent: 150,
    cpuCores: 4,
    memoryTotalBytes: 100,
    memoryUsedBytes: 50,
    diskTotalBytes: 1000,
    diskUsedBytes: 10,
  }
  const nodeId = await rows.node({
    name: 'a "quoted" name',
    location: 'Back\\slash "quoted"',
    credential_hash: Buffer.from('x'),
    session_id: crypto.randomUUID(),
    last_seen_at: new Date(),
    usage,
  })
  for (const { metricKey } of await rows.servers(nodeId, 3))
    await database.pool.query(
      `insert into server_usage (key, at, cpu, memory, rx, tx) values ($1, now(), 25, 1e9, 1.5, 2e7)`,
      [metricKey],
    )
  await rows.servers(nodeId, 2, { desired: 'off', observed: 'stopped' })
  await database.pool.query(
    `insert into jobs (id, kind, title, state, input, steps) values (gen_random_uuid(), 'server.start', '', 'waiting', '{}', '[]')`,
  )
})
afterAll(async () => {
  for (const app of apps) await app.close()
  await services.fleet.stop()
  await channels.stop()
  await database.drop()
  await rm(folder, { recursive: true })
})

/** A whole application with one endpoint per outcome, plus the operators'. */
async function startApp(options: { services?: Services } = {}) {
  const registry = createRegistry()
  const metricsToken = new Secret(TOKEN)
  const routes = {
    ...operatorRoutes({
      registry,
      figures: figuresOf(modules),
      metricsToken,
      fleetHost: '0.0.0.0',
    }),
    fine: get('/api/things/{id}', {
      summary: '',
      access: { who: 'anyone' },
      reply: z.object({}),
      handle: async () => ({}),
    }),
    login: post('/api/auth/login', {
      summary: '',
      access: { who: 'anyone' },
      body: z.object({ password: z.string() }),
      reply: z.object({}),
      handle: async ({ body }) => {
        if (body.password !== 'right') throw new Problem('invalid_credentials', 'No')
        return {}
      },
    }),
  }
  const app = await createApp({ log, trustedProxies: [], routes, storage: services.storage })
  httpMetricsHook(app, registry)
  mount(app, routes, {
    services: options.services ?? services,
    authenticator: {
      session: async () => undefined,
      token: async () => undefined,
      node: async () => false,
    },
    origins: () => ['http://localhost'],
    changes: httpBudgets.change,
  })
  apps.push(app)
  return app
}

const scrape = async (app: FastifyInstance, url = '/metrics') => {
  const answer = await app.inject({ url, headers: { authorization: `Bearer ${TOKEN}` } })
  expect(answer.statusCode).toBe(200)
  return answer.body
}

async function promtool(page: string): Promise<{ code: number | null; said: string }> {
  const child = spawn(PROMTOOL, ['check', 'metrics'], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(page)
  const said = (await Promise.all([text(child.stdout), text(child.stderr)])).join('')
  const code = await new Promise<number | null>((resolve) =>
    child.exitCode === null ? child.once('close', resolve) : resolve(child.exitCode),
  )
  return { code, said }
}

test('the process reports that it is alive', async () => {
  const app = await startApp()
  const answer = await app.inject({ url: '/health' })
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toMatchObject({
    status: 'ok',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  })
})

test('an instance with database, schema and fleet port is ready', async () => {
  const app = await startApp()
  const answer = await app.inject({ url: '/ready' })
  expect(answer.json()).toEqual({ ready: true, reasons: [] })
  expect(answer.statusCode).toBe(200)
  for (const url of ['/ready', '/health'])
    expect((await app.inject({ url, method: 'HEAD' })).statusCode).toBe(200)
})

test('an instance is not ready without a migration, without its database or without its fleet port', async () => {
  const other = await freshDatabase()
  await other.pool.query(
    `delete from drizzle.__drizzle_migrations where name = (select max(name) from drizzle.__drizzle_migrations)`,
  )
  const db = openDatabase(other.application.pool)
  const old = await (await startApp({ services: { ...services, db } })).inject({ url: '/ready' })
  expect(old.statusCode).toBe(503)
  expect(old.json()).toMatchObject({
    ready: false,
    reasons: [expect.stringContaining('lacks 1 migrations')],
  })

  const held = await other.pool.connect()
  await held.query('begin')
  await held.query('lock table drizzle.__drizzle_migrations')
  const hung = await (await startApp({ services: { ...services, db } })).inject({ url: '/ready' })
  expect(hung.json().reasons).toEqual(['The database did not answer within 1000 ms'])
  await held.query('rollback')
  held.release()
  await other.drop()

  const shut = await (
    await startApp({ services: { ...services, db, fleet: { ...services.fleet, port: 1 } } })
  ).inject({ url: '/ready' })
  expect(shut.statusCode).toBe(503)
  expect(shut.json().reasons).toEqual([
    'The database cannot be used',
    'Agents cannot connect: nothing listens on port 1',
  ])
})

test('requests are counted by endpoint and never by path', async () => {
  const app = await startApp()
  for (let at = 0; at < 2; at++) await app.inject({ url: `/api/things/${crypto.randomUUID()}` })
  await app.inject({ url: '/wp-login.php' })
  const page = await scrape(app)
  expect(page).toContain(
    'lodge_http_request_duration_seconds_count{route="/api/things/{id}",method="GET",status_class="2xx"} 2',
  )
  expect(page).toContain(
    'lodge_http_request_duration_seconds_count{route="none",method="none",status_class="4xx"} 1',
  )
  expect(page).not.toContain('wp-login')
})

test('attempts to sign in are counted by how they ended', async () => {
  const app = await startApp()
  const signIn = (password: string) =>
    app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { password },
      headers: { origin: 'http://localhost' },
    })
  await signIn('right')
  await signIn('wrong')
  await signIn('wrong again')
  const page = await scrape(app)
  expect(page).toContain('lodge_login_attempts_total{result="success",method="password"} 1')
  expect(page).toContain(
    'lodge_login_attempts_total{result="wrong_credentials",method="password"} 2',
  )
})

test('the fleet is reported by ids and escaped labels', async () => {
  const page = await scrape(await startApp())
  expect(page).toMatch(
    /^lodge_servers\{node="[0-9a-f-]{36}",state="running",kind="container"\} 3$/m,
  )
  expect(page).toMatch(
    /^lodge_servers\{node="[0-9a-f-]{36}",state="stopped",kind="container"\} 2$/m,
  )
  expect(page).toMatch(/^lodge_node_up\{node="[0-9a-f-]{36}"\} 1$/m)
  expect(page).toMatch(
    /^lodge_node_info\{node="[0-9a-f-]{36}",location="Back\\\\slash \\"quoted\\""\} 1$/m,
  )
  expect(page).toMatch(/^lodge_node_cpu_cores\{node="[0-9a-f-]{36}",kind="used"\} 1\.5$/m)
  expect(page).toContain('lodge_jobs{kind="server.start",state="waiting"} 1')
  expect(page).toContain('lodge_agent_streams 0')
  expect(page).not.toContain('name"')
  expect(page).not.toContain('lodge_server_memory_bytes')
})

test('job durations are reported by kind and outcome', async () => {
  const took = (ms: number) => ({ kind: 'server.start', createdAt: new Date(Date.now() - ms) })
  services.jobs.durations.observe(took(700), 'done')
  services.jobs.durations.observe(took(20_000), 'done')
  services.jobs.durations.observe(took(10_000_000), 'failed')
  const page = await scrape(await startApp())
  const bucket = (state: string, le: string) =>
    page.match(
      new RegExp(
        `^lodge_job_duration_seconds_bucket\\{kind="server.start",state="${state}",le="${le}"\\} (\\d+)$`,
        'm',
      ),
    )?.[1]
  const bounds = ['0\\.5', '1', '10', '30', '7200', '\\+Inf']
  expect(bounds.map((le) => bucket('done', le))).toEqual(['0', '1', '1', '2', '2', '2'])
  expect(bounds.map((le) => bucket('failed', le))).toEqual(['0', '0', '0', '0', '0', '1'])
  expect(page).toContain('lodge_job_duration_seconds_count{kind="server.start",state="done"} 2')
  expect(page).toMatch(
    /^lodge_job_duration_seconds_sum\{kind="server.start",state="done"\} 20\.\d+$/m,
  )
})

test('metrics of single servers are reported on request', async () => {
  const page = await scrape(await startApp(), '/metrics?servers=true')
  const lines = (name: string) => page.split('\n').filter((line) => line.startsWith(`${name}{`))
  expect(lines('lodge_server_up')).toHaveLength(5)
  expect(lines('lodge_server_memory_bytes')).toHaveLength(3)
  expect(lines('lodge_server_disk_bytes')).toHaveLength(0)
  expect(lines('lodge_server_network_bytes_per_second')).toHaveLength(6)
  expect(lines('lodge_server_cpu_cores')[0]).toMatch(
    /^lodge_server_cpu_cores\{server_id="[0-9a-f-]{36}"\} 0\.25$/,
  )
})

test.skipIf(!existsSync(PROMTOOL))(
  'the page is what Prometheus expects, without a complaint',
  async () => {
    const app = await startApp()
    await app.inject({ url: '/health' })
    await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { password: 'wrong' },
      headers: { origin: 'http://localhost' },
    })
    expect(await promtool(await scrape(app, '/metrics?servers=true'))).toEqual({
      code: 0,
      said: '',
    })
    expect((await promtool('lodge_things_total 1\nno page at all')).code).not.toBe(0)
  },
)

test('metrics require the token, from this machine too', async () => {
  const app = await startApp()
  const ask = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    (await app.inject({ url: '/metrics', remoteAddress, headers })).statusCode
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '192.0.2.1'])
    expect(await ask({}, address), address).toBe(401)
  expect(await ask({ authorization: `Bearer ${TOKEN}x` })).toBe(401)
  expect(await ask({ authorization: `Basic ${TOKEN}` })).toBe(401)
  expect(await ask({ authorization: `Bearer ${TOKEN}` })).toBe(200)
  expect(await ask({ authorization: `Bearer ${TOKEN}` }, '192.0.2.1')).toBe(200)
})

test('a metrics token is generated at the first start, readable by Prometheus only, and a configured one replaces it', async () => {
  const open = async () => (await openMetricsToken(folder, undefined)).reveal()
  const together = await Promise.all([open(), open()])
  expect([...together, await open()].join(' ')).toMatch(/^([\w-]{43}) \1 \1$/)
  expect((await stat(path.join(folder, 'metrics-token'))).mode & 0o777).toBe(0o600)
  expect((await openMetricsToken(folder, new Secret(TOKEN))).reveal()).toBe(TOKEN)
})

test('without a database the page still reports the process metrics', async () => {
  const gone = await freshDatabase()
  const db = openDatabase(gone.application.pool)
  await gone.drop()
  const page = await scrape(
    await startApp({ services: { ...services, db } }),
    '/metrics?servers=true',
  )
  expect(page).toContain('lodge_database_up 0')
  expect(page).toContain('process_cpu_user_seconds_total')
  expect(page).not.toContain('lodge_node_up')
})

test('a scraper that disconnects mid-page leaves nothing behind', async () => {
  const app = await startApp()
  const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = createConnection({ host: address.hostname, port: Number(address.port) })
  socket.write(
    `GET /metrics?servers=true HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`,
  )
  await new Promise((resolve) => socket.once('data', resolve))
  socket.destroy()
  expect(await scrape(app)).toContain('lodge_build_info')
  expect(database.application.pool.waitingCount).toBe(0)
})

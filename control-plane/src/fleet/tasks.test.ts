import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { status } from '@grpc/grpc-js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts'
import { openDatabase } from '../db/database.ts'
import {
  desiredFor,
  type Fixture,
  MemoryDomain,
  openFixture,
  type TestAgent,
} from './fleet.fixture.ts'
import { announceDesired, taskRows } from './store.ts'

let database: FreshDatabase
let folder: string
/** Two control planes on one database, with one authority and one domain. */
let here: Fixture
let there: Fixture
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lodge-fleet-'))
  const domain = new MemoryDomain()
  here = await openFixture(database.application.pool, { folder, domain, options: { claimMs: 600 } })
  there = await openFixture(database.application.pool, {
    folder,
    domain,
    options: { claimMs: 600 },
  })
})
afterEach(async () => {
  await Promise.all([here.stop(), there.stop()])
  await rm(folder, { recursive: true })
})

const uuid = () => crypto.randomUUID()
const readLogs = { work: { $case: 'readLogs' as const, value: { lines: 3, source: 'run' } } }
const logs = (taskId: string, lines: string[]) => ({
  $case: 'taskResult' as const,
  value: {
    taskId,
    outcome: {
      $case: 'done' as const,
      value: { output: { $case: 'logs' as const, value: { lines } } },
    },
  },
})

async function answer(agent: TestAgent, lines: string[]): Promise<void> {
  const { taskId } = await agent.next('task')
  agent.say(logs(taskId, lines))
}

const rows = async () => (await database.pool.query('select from tasks')).rowCount

describe.each([
  ['the instance that holds the stream', () => here],
  ['another instance', () => there],
])('requested from %s', (_name, asked) => {
  test('a task runs on the node and returns its result', async () => {
    const agent = await here.connected()
    const [done] = await Promise.all([
      asked().fleet.runTask(agent.nodeId, readLogs, { timeoutMs: 5_000 }),
      answer(agent, ['one', 'two']),
    ])
    expect(done.output).toEqual({ $case: 'logs', value: { lines: ['one', 'two'] } })
    expect(await rows()).toBe(0)
  })

  test('a failure on the node keeps its code and message', async () => {
    const agent = await here.connected()
    const running = asked().fleet.runTask(agent.nodeId, readLogs, { timeoutMs: 5_000 })
    const { taskId } = await agent.next('task')
    const failure = { code: 'no_such_server', detail: 'It is not here', retryable: false }
    agent.say({
      $case: 'taskResult',
      value: { taskId, outcome: { $case: 'failure', value: failure } },
    })
    await expect(running).rejects.toMatchObject({ name: 'TaskFailure', ...failure })
  })

  test('a node that does not answer in time is a timeout, and nothing is left behind', async () => {
    const agent = await here.connected()
    const running = asked().fleet.runTask(agent.nodeId, readLogs, { timeoutMs: 400 })
    await expect(running).rejects.toMatchObject({ code: 'node_timeout' })
    await agent.next('taskCancel')
    expect(await rows()).toBe(0)
  })

  test('a node connected to no instance is unavailable', async () => {
    const running = asked().fleet.runTask(uuid(), readLogs, { timeoutMs: 5_000 })
    await expect(running).rejects.toMatchObject({ code: 'node_unavailable' })
    expect(await rows()).toBe(0)
  })

  test('a task whose stream breaks is resent with the same id when the node is back', async () => {
    const nodeId = uuid()
    const first = await here.connected(nodeId)
    const running = asked().fleet.runTask(nodeId, readLogs, { timeoutMs: 10_000 })
    const { taskId } = await first.next('task')
    first.close()
    const second = await there.connected(nodeId)
    expect((await second.next('task')).taskId).toBe(taskId)
    second.say(logs(taskId, ['late']))
    expect((await running).output).toEqual({ $case: 'logs', value: { lines: ['late'] } })
  })
})

test('a task that is requested again while it runs returns its result to both', async () => {
  const agent = await here.connected()
  const request = { ...readLogs, taskId: uuid() }
  const told: string[] = []
  const ask = (name: string) =>
    here.fleet.runTask(agent.nodeId, request, {
      timeoutMs: 20_000,
      onProgress: ({ detail }) => told.push(`${name}: ${detail}`),
    })
  const both = [ask('one'), ask('other')]
  const { taskId } = await agent.next('task')
  agent.say({ $case: 'taskProgress', value: { taskId, percent: 50, detail: 'half' } })
  agent.say(logs(taskId, ['done']))
  for (const { output } of await Promise.all(both))
    expect(output).toEqual({ $case: 'logs', value: { lines: ['done'] } })
  expect(told).toEqual(['one: half', 'other: half'])
})

test('a task that an instance was running when it was killed is run by the one that the node connects to', async () => {
  const nodeId = uuid()
  const first = await there.connected(nodeId)
  const running = here.fleet.runTask(nodeId, readLogs, { timeoutMs: 20_000 })
  const { taskId } = await first.next('task')
  await there.stop()
  // Killed, it would not have returned it.
  await database.pool.query(`update tasks set state = 'running' where id = $1`, [taskId])
  const second = await here.connected(nodeId)
  expect((await second.next('task')).taskId).toBe(taskId)
  second.say(logs(taskId, ['late']))
  expect((await running).output).toEqual({ $case: 'logs', value: { lines: ['late'] } })
  expect(await rows()).toBe(0)
})

test('with one instance only, an absent node is unavailable at once', async () => {
  await there.stop()
  const beganMs = performance.now()
  const running = here.fleet.runTask(uuid(), readLogs, { timeoutMs: 60_000 })
  await expect(running).rejects.toMatchObject({ code: 'node_unavailable' })
  expect(performance.now() - beganMs).toBeLessThan(30_000)
})

test('results of unknown tasks are ignored', async () => {
  const agent = await here.connected()
  agent.say(logs(uuid(), ['surprise']))
  agent.say({ $case: 'heartbeat', value: { sequence: 1, drivers: [], preflight: [] } })
  await agent.next('heartbeatAck')
})

test('of two instances that see a queued task at once, only one runs it', async () => {
  const id = uuid()
  const row = { id, nodeId: uuid(), serverId: undefined, work: Buffer.alloc(0), timeoutMs: 5_000 }
  await taskRows.queue(database.application.pool, row)
  const claims = await Promise.all(
    Array.from({ length: 8 }, () => taskRows.claim(database.application.pool, id)),
  )
  expect(claims.filter(Boolean)).toHaveLength(1)
  await taskRows.remove(database.application.pool, id, false)
})

describe('desired states across instances', () => {
  test('a desired state announced in a transaction reaches the node after the commit, and not before', async () => {
    const [nodeId, serverId] = [uuid(), uuid()]
    const agent = await there.connected(nodeId)
    const db = openDatabase(database.application.pool)
    await db.transaction(async (tx) => {
      await announceDesired(tx, nodeId, serverId)
      const other = uuid()
      here.domain.setDesired(nodeId, desiredFor(other, 1))
      await announceDesired(db, nodeId, other)
      await agent.next('desiredServer', (desired) => desired.serverId === other)
      here.domain.setDesired(nodeId, desiredFor(serverId, 1))
      expect(agent.count('desiredServer')).toBe(1)
    })
    await agent.next('desiredServer', (desired) => desired.serverId === serverId)
  })

  test('changes missed while the database connection was broken are caught up', async () => {
    const [nodeId, serverId] = [uuid(), uuid()]
    const agent = await there.connected(nodeId)
    // The change is not announced at all: only the resumed subscription causes the resync.
    here.domain.setDesired(nodeId, desiredFor(serverId, 1))
    const { rowCount } = await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'lodge-listen %'`,
    )
    expect(rowCount).toBe(2)
    await agent.next('desiredServer', (desired) => desired.serverId === serverId)
    here.domain.setDesired(nodeId, desiredFor(serverId, 2))
    await announceDesired(openDatabase(database.application.pool), nodeId, serverId)
    await agent.next('desiredServer', (desired) => desired.generation === 2)
  })
})

describe('sessions across instances', () => {
  test('a session opened elsewhere ends the older one at once', async () => {
    const older = await here.connected()
    older.say({ $case: 'heartbeat', value: { sequence: 1, drivers: [], preflight: [] } })
    await older.next('heartbeatAck')
    const newer = await there.connected(older.nodeId)
    expect(await older.over).toMatchObject({ code: status.ABORTED })
    expect(there.fleet.isConnected(newer.nodeId)).toBe(true)
    expect(here.fleet.isConnected(newer.nodeId)).toBe(false)
  })

  test('a node is disconnected wherever its stream is', async () => {
    const agent = await here.connected()
    await there.fleet.disconnectNode(agent.nodeId)
    expect(await agent.over).toMatchObject({ code: status.UNAUTHENTICATED })
  })

  test('a node that joined again through another instance stays connected when the news of its old credential comes late', async () => {
    const { domain } = there
    const [nodeId, serverId] = [uuid(), uuid()]
    const old = await here.connected(nodeId)
    domain.credential = 'the-credential-that-came-after-it'
    domain.epoch += 1
    const agent = there.agent(nodeId, { credential: domain.credential })
    agent.hello()
    await agent.next('desiredEnd')
    await here.fleet.disconnectNode(nodeId, domain.epoch)
    expect((await old.over).code).not.toBe(status.OK)
    // News arrives in order.
    domain.setDesired(nodeId, desiredFor(serverId, 2))
    await announceDesired(openDatabase(database.application.pool), nodeId, serverId)
    await agent.next('desiredServer', (desired) => desired.serverId === serverId)
    expect(there.fleet.isConnected(nodeId)).toBe(true)
    // Removing the node leaves it none.
    await here.fleet.disconnectNode(nodeId)
    expect(await agent.over).toMatchObject({ code: status.UNAUTHENTICATED })
  })
})

import http2 from 'node:http2'
import { status } from '@grpc/grpc-js'
import { ConnectRequest } from '@lodge/proto/fleet.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts'
import {
  CREDENTIAL,
  crashReport,
  desiredFor,
  type Fixture,
  observation,
  openFixture,
  TestAgent,
} from './fleet.fixture.ts'

let database: FreshDatabase
let fixture: Fixture
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  fixture = await openFixture(database.application.pool, {
    options: { messageBurst: 100, messagesPerSecond: 100, throttledMs: 1_000, stalledMs: 500 },
  })
})
afterEach(() => fixture.stop())

const uuid = () => crypto.randomUUID()

test('messages beyond 1 MiB end the session', async () => {
  const agent = await fixture.connected()
  const servers = Array.from({ length: 20_000 }, () => observation(uuid(), 1))
  agent.say({ $case: 'inventory', value: { servers } })
  expect(await agent.over).toMatchObject({ code: status.RESOURCE_EXHAUSTED })
  expect(fixture.domain.observedBatches).toEqual([])
})

test('a flooding node is throttled, then disconnected, and others are not affected', async () => {
  const [bad, good] = [await fixture.connected(), await fixture.connected()]
  const beganMs = performance.now()
  const flood = setInterval(() => {
    for (let at = 0; at < 50; at++) {
      bad.say({ $case: 'serverObserved', value: observation(uuid(), at) })
    }
  }, 5)
  good.say({ $case: 'heartbeat', value: { sequence: 9, drivers: [], preflight: [] } })
  await good.next('heartbeatAck', ({ sequence }) => sequence === 9)
  expect(await bad.over).toMatchObject({ code: status.RESOURCE_EXHAUSTED })
  clearInterval(flood)
  const seconds = (performance.now() - beganMs) / 1000
  const heard = fixture.domain.observedBatches.flatMap(({ servers }) => servers).length
  expect(heard).toBeLessThan(100 + seconds * 100 + 100)
  expect(fixture.fleet.connectedNodes()).toEqual([good.nodeId])
})

test('a node that catches up beyond its burst is throttled, not disconnected', async () => {
  const agent = await fixture.connected()
  for (let sequence = 1; sequence <= 150; sequence++) {
    agent.say({ $case: 'report', value: crashReport(sequence) })
  }
  await agent.next('reportAck', ({ through }) => through === 150)
  expect(fixture.domain.applied).toHaveLength(150)
})

test('a node that does not read is disconnected, and its queue stays small', async () => {
  const nodeId = uuid()
  const spec = JSON.stringify({ padding: 'x'.repeat(100_000) })
  for (let at = 0; at < 40; at++) fixture.domain.setDesired(nodeId, desiredFor(uuid(), 1, spec))
  const agent = fixture.agent(nodeId)
  agent.stream.pause()
  agent.hello()
  await fixture.domain.until(() => fixture.domain.calls.includes('desired'))
  const beats = setInterval(() => {
    agent.say({ $case: 'heartbeat', value: { sequence: 1, drivers: [], preflight: [] } })
    fixture.fleet.wake(nodeId)
  }, 100)
  await fixture.domain.until(() => fixture.domain.calls.includes('disconnected'))
  clearInterval(beats)
  // One round of desired states was queued; wakes meanwhile did not add more.
  expect(fixture.domain.calls.filter((call) => call === 'desired')).toHaveLength(1)
  expect(fixture.fleet.isConnected(nodeId)).toBe(false)
})

test.each([
  ['an inventory of servers with impossible ids', "'; drop table servers; --"],
  ['an inventory of servers without ids', ''],
])('%s reaches no domain', async (_name, serverId) => {
  const agent = await fixture.connected()
  agent.say({ $case: 'inventory', value: { servers: [observation(serverId, 1)] } })
  agent.say({ $case: 'serverObserved', value: observation(serverId, 1) })
  const honest = uuid()
  agent.say({ $case: 'serverObserved', value: observation(honest, 1) })
  await fixture.domain.until(() =>
    fixture.domain.observedBatches.some(({ servers }) =>
      servers.some((s) => s.serverId === honest),
    ),
  )
  const heard = fixture.domain.observedBatches.flatMap(({ servers }) => servers)
  expect(heard.map((server) => server.serverId)).toEqual([honest])
})

test('a second Hello and empty messages change nothing', async () => {
  const agent = await fixture.connected()
  agent.hello()
  agent.stream.write({ message: undefined })
  agent.say({ $case: 'report', value: { sequence: 1, content: undefined } })
  await agent.next('reportAck', ({ through }) => through === 1)
  expect(fixture.domain.calls.filter((call) => call === 'connected')).toHaveLength(1)
})

describe('malformed bytes', () => {
  /** A stream of raw gRPC frames over HTTP/2. */
  function raw(nodeId: string): {
    send(message: Buffer, flag?: number): void
    over: Promise<string>
  } {
    const session = http2.connect(`https://127.0.0.1:${fixture.fleet.port}`, {
      ca: fixture.fleet.caCertificate,
      servername: 'lodge',
    })
    session.on('error', () => undefined)
    const stream = session.request({
      ':method': 'POST',
      ':path': '/lodge.fleet.v1.FleetService/Connect',
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: `Bearer ${CREDENTIAL}`,
      'x-node-id': nodeId,
    })
    stream.on('error', () => undefined).resume()
    const over = new Promise<string>((resolve) => {
      stream.on('trailers', (trailers) => resolve(String(trailers['grpc-status'])))
      stream.on('response', (headers) => {
        if (headers['grpc-status']) resolve(String(headers['grpc-status']))
      })
      stream.on('close', () => resolve('closed'))
    })
    void over.then(() => session.destroy())
    return {
      send(message, flag = 0) {
        const frame = Buffer.alloc(5)
        frame.writeUInt8(flag, 0)
        frame.writeUInt32BE(message.length, 1)
        stream.write(Buffer.concat([frame, message]))
      },
      over,
    }
  }
  const hello = () =>
    Buffer.from(
      ConnectRequest.encode({
        message: {
          $case: 'hello',
          value: {
            protocolMinor: 1,
            agentVersion: '',
            bootId: '',
            drivers: [],
            capabilities: [],
            preflight: [],
            newestReport: 0,
            cpuCores: 1,
            memoryBytes: 1,
            diskBytes: 1,
            clockUnixMs: 0,
          },
        },
      }).finish(),
    )

  test.each([
    ['noise', Buffer.from('ffffffffffffffffff', 'hex')],
    ['a number out of range', Buffer.from('3a0b08ffffffffffffffffff01', 'hex')],
    ['a string that is cut short', Buffer.from('0a0a12ff', 'hex')],
    ['a false length', Buffer.from('22ffffff7f', 'hex')],
  ])('%s ends the session, and the control plane keeps running', async (_name, bytes) => {
    const nodeId = uuid()
    const rogue = raw(nodeId)
    rogue.send(hello())
    await fixture.domain.until(() => fixture.domain.calls.includes('desired'))
    rogue.send(bytes)
    expect(await rogue.over).not.toBe('0')
    await fixture.domain.until(() => fixture.domain.calls.includes('disconnected'))
    await fixture.connected(nodeId)
  })

  test('unknown kinds of messages are ignored', async () => {
    const nodeId = uuid()
    const newer = raw(nodeId)
    newer.send(hello())
    // Field 99, a message of two bytes.
    newer.send(Buffer.from('9a06020801', 'hex'))
    const beat = ConnectRequest.encode({
      message: { $case: 'heartbeat', value: { sequence: 1, drivers: [], preflight: [] } },
    })
    newer.send(Buffer.from(beat.finish()))
    await fixture.domain.until(() => fixture.domain.beats === 1)
    expect(fixture.fleet.isConnected(nodeId)).toBe(true)
  })
})

test('a node cannot end or take the session of another without its credential', async () => {
  const victim = await fixture.connected()
  const thief = new TestAgent(fixture.fleet, victim.nodeId, {
    credential: 'the-credential-of-another',
  })
  thief.hello()
  expect(await thief.over).toMatchObject({ code: status.UNAUTHENTICATED })
  thief.close()
  expect(fixture.fleet.isConnected(victim.nodeId)).toBe(true)
})

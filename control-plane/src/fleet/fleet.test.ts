import { Metadata, status } from '@grpc/grpc-js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts'
import { announce } from './announcements.ts'
import { crashReport, desiredFor, type Fixture, observation, openFixture } from './fleet.fixture.ts'

let database: FreshDatabase
let fixture: Fixture
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  fixture = await openFixture(database.application.pool, { options: { heartbeatSeconds: 1 } })
})
afterEach(() => fixture.stop())

const uuid = () => crypto.randomUUID()

describe('who may come in', () => {
  test('an agent with a wrong credential is refused', async () => {
    const agent = fixture.agent(uuid(), { credential: 'quite-another-credential' })
    agent.hello()
    expect(await agent.over).toMatchObject({ code: status.UNAUTHENTICATED })
    expect(fixture.domain.calls).not.toContain('connected')
  })

  test('an agent without a credential or with a malformed node id is refused without a lookup', async () => {
    const bare = fixture.agent(uuid(), { metadata: new Metadata() })
    expect(await bare.over).toMatchObject({ code: status.UNAUTHENTICATED })
    const odd = fixture.agent("' or 1=1 --")
    expect(await odd.over).toMatchObject({ code: status.UNAUTHENTICATED })
    expect(fixture.domain.calls).toEqual([])
  })

  test('an agent that trusts another authority, or asks for another name, does not connect', async () => {
    const other = await openFixture(database.application.pool)
    const wrongAuthority = fixture.agent(uuid(), { ca: other.fleet.caCertificate })
    wrongAuthority.hello()
    expect(await wrongAuthority.over).toMatchObject({ code: status.UNAVAILABLE })
    const wrongName = fixture.agent(uuid(), { name: 'example.org' })
    wrongName.hello()
    expect(await wrongName.over).toMatchObject({ code: status.UNAVAILABLE })
    await other.stop()
  })

  test('an agent that does not send Hello first is disconnected', async () => {
    const agent = fixture.agent()
    agent.say({ $case: 'inventory', value: { servers: [] } })
    expect(await agent.over).toMatchObject({ code: status.FAILED_PRECONDITION })
  })

  test('an agent that sends nothing is disconnected in time', async () => {
    const impatient = await openFixture(database.application.pool, {
      options: { helloTimeoutMs: 100 },
    })
    const agent = impatient.agent()
    expect(await agent.over).toMatchObject({ code: status.FAILED_PRECONDITION })
    await impatient.stop()
  })

  test('an agent with a wrong credential loses its connection, not only its stream', async () => {
    const agent = fixture.agent(uuid(), { credential: 'quite-another-credential' })
    agent.hello()
    await agent.over
    await expect.poll(() => fixture.fleet.metrics().connections).toBe(0)
  })

  test('a credential changed during admission ends the session', async () => {
    const agent = fixture.agent()
    fixture.domain.before = async (call) => {
      if (call === 'connected') fixture.domain.credential = 'the-credential-that-came-after-it'
    }
    agent.hello()
    expect(await agent.over).toMatchObject({ code: status.UNAUTHENTICATED })
    await fixture.domain.until(() => !fixture.domain.sessions.has(agent.nodeId))
  })

  test('an agent is told to try again when the credential cannot be looked up', async () => {
    fixture.domain.before = async () => {
      throw new Error('the database is away')
    }
    const agent = fixture.agent()
    agent.hello()
    expect(await agent.over).toMatchObject({ code: status.UNAVAILABLE })
  })
})

describe('desiredStates', () => {
  test('an agent is welcomed and receives every desired state and the end of the list', async () => {
    const nodeId = uuid()
    fixture.domain.through = 41
    fixture.domain.setDesired(nodeId, desiredFor(uuid(), 1))
    fixture.domain.setDesired(nodeId, desiredFor(uuid(), 7))
    const agent = await fixture.connected(nodeId)
    expect(agent.heard.map(({ $case }) => $case)).toEqual([
      'welcome',
      'desiredNode',
      'desiredServer',
      'desiredServer',
      'desiredEnd',
    ])
    expect(await agent.next('welcome')).toMatchObject({
      reportThrough: 41,
      nodeEpoch: 3,
      leaseMode: 'pinned',
      heartbeatEvery: { seconds: 1 },
    })
    expect(fixture.fleet.isConnected(nodeId)).toBe(true)
    expect(fixture.fleet.connectedNodes()).toEqual([nodeId])
  })

  test('a changed desired state reaches the agent, and no other does', async () => {
    const [nodeId, serverId] = [uuid(), uuid()]
    fixture.domain.setDesired(nodeId, desiredFor(serverId, 1))
    fixture.domain.setDesired(nodeId, desiredFor(uuid(), 1))
    const agent = await fixture.connected(nodeId)
    fixture.domain.setDesired(nodeId, desiredFor(serverId, 2))
    fixture.fleet.wake(nodeId, serverId)
    await agent.next('desiredServer', (desired) => desired.generation === 2)
    expect(agent.count('desiredServer')).toBe(3)
    expect(agent.count('desiredEnd')).toBe(1)
  })

  test('a desired state that no longer exists causes a full resync', async () => {
    const [nodeId, kept, gone] = [uuid(), uuid(), uuid()]
    fixture.domain.setDesired(nodeId, desiredFor(kept, 1))
    fixture.domain.setDesired(nodeId, desiredFor(gone, 1))
    const agent = await fixture.connected(nodeId)
    fixture.domain.desiredStates.get(nodeId)?.delete(gone)
    fixture.fleet.wake(nodeId, gone)
    await agent.heardCount('desiredEnd', 2)
    const second = agent.heard.slice(agent.heard.findIndex(({ $case }) => $case === 'desiredEnd'))
    expect(second.map(({ $case }) => $case)).toEqual([
      'desiredEnd',
      'desiredNode',
      'desiredServer',
      'desiredEnd',
    ])
  })

  test('a hundred changes of one server during a lookup cause one more lookup', async () => {
    const [nodeId, serverId] = [uuid(), uuid()]
    fixture.domain.setDesired(nodeId, desiredFor(serverId, 1))
    const agent = await fixture.connected(nodeId)
    const gate = Promise.withResolvers<void>()
    fixture.domain.before = async (call) => {
      if (call === 'desiredOne') await gate.promise
    }
    for (let generation = 2; generation <= 101; generation++) {
      fixture.domain.setDesired(nodeId, desiredFor(serverId, generation))
      fixture.fleet.wake(nodeId, serverId)
    }
    gate.resolve()
    await agent.next('desiredServer', (desired) => desired.generation === 101)
    expect(fixture.domain.calls.filter((call) => call === 'desiredOne').length).toBeLessThanOrEqual(
      2,
    )
  })

  test('every desired state is resent periodically', async () => {
    const often = await openFixture(database.application.pool, { options: { resyncMs: 200 } })
    const nodeId = uuid()
    often.domain.setDesired(nodeId, desiredFor(uuid(), 1))
    const agent = await often.connected(nodeId)
    await agent.heardCount('desiredEnd', 3)
    expect(agent.count('desiredServer')).toBeGreaterThanOrEqual(3)
    await often.stop()
  })
})

describe('what agents send', () => {
  test('observations that arrive together are delivered in one batch, one call at a time', async () => {
    const agent = await fixture.connected()
    const gate = Promise.withResolvers<void>()
    fixture.domain.before = async (call) => {
      if (call === 'observed') await gate.promise
    }
    const first = uuid()
    agent.say({ $case: 'inventory', value: { servers: [observation(first, 1)] } })
    await fixture.domain.until(() => fixture.domain.calls.includes('observed'))
    const servers = Array.from({ length: 50 }, uuid)
    for (const serverId of servers) {
      agent.say({ $case: 'serverObserved', value: observation(serverId, 2, 'starting') })
      agent.say({ $case: 'serverObserved', value: observation(serverId, 3, 'running') })
    }
    agent.say({ $case: 'report', value: crashReport(1) })
    agent.say({ $case: 'heartbeat', value: { sequence: 5, drivers: [], preflight: [] } })
    await agent.next('heartbeatAck', ({ sequence }) => sequence === 5)
    // Reports do not wait for observations.
    await agent.next('reportAck', ({ through }) => through === 1)
    expect(fixture.domain.observedBatches).toEqual([])
    gate.resolve()
    await fixture.domain.until(() => fixture.domain.observedBatches.length >= 2)
    const [inventory, batch, ...more] = fixture.domain.observedBatches
    expect(more).toEqual([])
    expect(inventory).toMatchObject({ complete: true, servers: [{ serverId: first }] })
    expect(batch?.complete).toBe(false)
    expect(batch?.servers.map(({ serverId }) => serverId)).toEqual(servers)
    expect(batch?.servers.every(({ state }) => state === 'running')).toBe(true)
    expect(fixture.domain.mostConcurrent).toBe(1)
  })

  test('news of a heartbeat that a newer one overtakes is recorded with the newer one', async () => {
    const agent = await fixture.connected()
    const gate = Promise.withResolvers<void>()
    fixture.domain.before = async (call) => {
      if (call === 'heartbeat') await gate.promise
    }
    const beat = { drivers: [], preflight: [] }
    const news = [{ id: 'kvm', state: 'ok', summary: 'KVM works', remedy: '' }]
    agent.say({ $case: 'heartbeat', value: { ...beat, sequence: 1 } })
    await fixture.domain.until(() => fixture.domain.beats === 1)
    const told = { ...beat, sequence: 2, preflight: news, virtualization: '{}' }
    agent.say({ $case: 'heartbeat', value: told })
    agent.say({ $case: 'heartbeat', value: { ...beat, sequence: 3 } })
    // Delivered after the heartbeats, on the same stream.
    agent.say({ $case: 'report', value: crashReport(1) })
    await agent.next('reportAck')
    gate.resolve()
    await agent.next('heartbeatAck', ({ sequence }) => sequence === 3)
    expect(fixture.domain.lastBeat).toMatchObject({
      sequence: 3,
      preflight: news,
      virtualization: '{}',
    })
  })

  test('reports are applied once and in order, however often they are repeated', async () => {
    const nodeId = uuid()
    const agent = await fixture.connected(nodeId)
    for (const sequence of [1, 2, 3, 2, 3, 1, 4]) {
      agent.say({ $case: 'report', value: crashReport(sequence) })
    }
    await agent.next('reportAck', ({ through }) => through === 4)
    agent.close()
    await fixture.domain.until(() => !fixture.domain.sessions.has(nodeId))
    const again = await fixture.connected(nodeId)
    expect(await again.next('welcome')).toMatchObject({ reportThrough: 4 })
    for (const sequence of [3, 4, 5]) {
      again.say({ $case: 'report', value: crashReport(sequence) })
    }
    await again.next('reportAck', ({ through }) => through === 5)
    expect(fixture.domain.applied.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
  })

  test('reports whose transaction failed are not acknowledged and applied when repeated', async () => {
    const nodeId = uuid()
    const agent = await fixture.connected(nodeId)
    fixture.domain.before = async (call) => {
      if (call === 'reports') throw new Error('the database is away')
    }
    agent.say({ $case: 'report', value: crashReport(1) })
    expect(await agent.over).toMatchObject({ code: status.UNAVAILABLE })
    expect(agent.count('reportAck')).toBe(0)
    fixture.domain.before = async () => undefined
    const again = await fixture.connected(nodeId)
    again.say({ $case: 'report', value: crashReport(1) })
    await again.next('reportAck', ({ through }) => through === 1)
    expect(fixture.domain.applied).toHaveLength(1)
  })
})

describe('one session per node', () => {
  test('a newer session ends the older, and the domain is notified in that order', async () => {
    const nodeId = uuid()
    const older = await fixture.connected(nodeId)
    const newer = await fixture.connected(nodeId)
    expect(await older.over).toMatchObject({ code: status.ABORTED })
    expect(fixture.domain.calls.filter((call) => call.endsWith('connected'))).toEqual([
      'connected',
      'disconnected',
      'connected',
    ])
    expect(fixture.fleet.connectedNodes()).toEqual([nodeId])
    newer.say({ $case: 'heartbeat', value: { sequence: 1, drivers: [], preflight: [] } })
    await newer.next('heartbeatAck')
    expect(fixture.fleet.metrics()).toMatchObject({ sessionsFenced: 1, connectedNodes: 1 })
    expect(fixture.fleet.metrics().openedByNode.get(nodeId)).toBe(2)
  })

  test('a session missing from the database ends at its next heartbeat', async () => {
    const nodeId = uuid()
    const agent = await fixture.connected(nodeId)
    fixture.domain.sessions.set(nodeId, 'a session of another control plane')
    agent.say({ $case: 'heartbeat', value: { sequence: 1, drivers: [], preflight: [] } })
    expect(await agent.over).toMatchObject({ code: status.ABORTED })
    expect(fixture.domain.sessions.get(nodeId)).toBe('a session of another control plane')
  })

  test('an agent that misses three heartbeats counts as disconnected', async () => {
    const nodeId = uuid()
    const agent = await fixture.connected(nodeId)
    expect(await agent.over).toMatchObject({ code: status.DEADLINE_EXCEEDED })
    await fixture.domain.until(() => !fixture.domain.sessions.has(nodeId))
    expect(fixture.fleet.isConnected(nodeId)).toBe(false)
  })

  test('a node disconnected on purpose receives the reason', async () => {
    const agent = await fixture.connected()
    await fixture.fleet.disconnectNode(agent.nodeId)
    expect(await agent.over).toMatchObject({ code: status.UNAUTHENTICATED })
    expect(fixture.fleet.isConnected(agent.nodeId)).toBe(false)
  })

  test('a node that is back before the news of its disconnection stays connected', async () => {
    const [nodeId, serverId] = [uuid(), uuid()]
    const agent = await fixture.connected(nodeId)
    const { epoch } = fixture.domain
    fixture.domain.setDesired(nodeId, desiredFor(serverId, 2))
    // News arrives in order.
    await announce(
      database.application.pool,
      { kind: 'drop', nodeId, epoch },
      { kind: 'desired', nodeId, serverId },
    )
    await agent.next('desiredServer', (desired) => desired.generation === 2)
    expect(fixture.fleet.isConnected(nodeId)).toBe(true)
  })

  test('an agent that goes away is disconnected at once', async () => {
    const nodeId = uuid()
    const agent = await fixture.connected(nodeId)
    agent.close()
    await fixture.domain.until(() => !fixture.domain.sessions.has(nodeId))
    expect(fixture.fleet.connectedNodes()).toEqual([])
  })
})

import { Metadata, status } from '@grpc/grpc-js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { crashReport, observation, openRig, type Rig, wishFor } from './fleet.rig.ts'

let database: FreshDatabase
let rig: Rig
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  rig = await openRig(database.pool, { options: { heartbeatSeconds: 1 } })
})
afterEach(() => rig.stop())

const uuid = () => crypto.randomUUID()

describe('who may come in', () => {
  test('an agent with a wrong credential is refused', async () => {
    const agent = rig.agent(uuid(), { credential: 'quite-another-credential' })
    agent.hello()
    expect(await agent.over).toMatchObject({ code: status.UNAUTHENTICATED })
    expect(rig.domain.calls).not.toContain('connected')
  })

  test('an agent without a credential or with a malformed node id is refused unasked', async () => {
    const bare = rig.agent(uuid(), { metadata: new Metadata() })
    expect(await bare.over).toMatchObject({ code: status.UNAUTHENTICATED })
    const odd = rig.agent("' or 1=1 --")
    expect(await odd.over).toMatchObject({ code: status.UNAUTHENTICATED })
    expect(rig.domain.calls).toEqual([])
  })

  test('an agent that trusts another authority, or asks for another name, does not connect', async () => {
    const other = await openRig(database.pool)
    const wrongAuthority = rig.agent(uuid(), { ca: other.fleet.caCertificate })
    wrongAuthority.hello()
    expect(await wrongAuthority.over).toMatchObject({ code: status.UNAVAILABLE })
    const wrongName = rig.agent(uuid(), { name: 'example.org' })
    wrongName.hello()
    expect(await wrongName.over).toMatchObject({ code: status.UNAVAILABLE })
    await other.stop()
  })

  test('whoever does not say Hello first is sent away', async () => {
    const agent = rig.agent()
    agent.say({ $case: 'inventory', value: { servers: [] } })
    expect(await agent.over).toMatchObject({ code: status.FAILED_PRECONDITION })
  })

  test('whoever says nothing is sent away in time', async () => {
    const impatient = await openRig(database.pool, { options: { helloTimeoutMs: 100 } })
    const agent = impatient.agent()
    expect(await agent.over).toMatchObject({ code: status.FAILED_PRECONDITION })
    await impatient.stop()
  })

  test('an agent with a wrong credential loses its connection, not only its stream', async () => {
    const agent = rig.agent(uuid(), { credential: 'quite-another-credential' })
    agent.hello()
    await agent.over
    await expect.poll(() => rig.fleet.metrics().connections, { timeout: 5_000 }).toBe(0)
  })

  test('a credential that is changed while the agent is let in does not last', async () => {
    const agent = rig.agent()
    rig.domain.before = async (call) => {
      if (call === 'connected') rig.domain.credential = 'the-credential-that-came-after-it'
    }
    agent.hello()
    expect(await agent.over).toMatchObject({ code: status.UNAUTHENTICATED })
    await rig.domain.until(() => !rig.domain.sessions.has(agent.nodeId))
  })

  test('an agent is told to try again when the credential cannot be looked up', async () => {
    rig.domain.before = async () => {
      throw new Error('the database is away')
    }
    const agent = rig.agent()
    agent.hello()
    expect(await agent.over).toMatchObject({ code: status.UNAVAILABLE })
  })
})

describe('wishes', () => {
  test('an agent is welcomed, hears every wish and that these were all', async () => {
    const nodeId = uuid()
    rig.domain.through = 41
    rig.domain.wish(nodeId, wishFor(uuid(), 1))
    rig.domain.wish(nodeId, wishFor(uuid(), 7))
    const agent = await rig.connected(nodeId)
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
    expect(rig.fleet.isConnected(nodeId)).toBe(true)
    expect(rig.fleet.connectedNodes()).toEqual([nodeId])
  })

  test('a changed wish reaches the agent, and only that one', async () => {
    const [nodeId, serverId] = [uuid(), uuid()]
    rig.domain.wish(nodeId, wishFor(serverId, 1))
    rig.domain.wish(nodeId, wishFor(uuid(), 1))
    const agent = await rig.connected(nodeId)
    rig.domain.wish(nodeId, wishFor(serverId, 2))
    rig.fleet.wake(nodeId, serverId)
    await agent.next('desiredServer', (wish) => wish.generation === 2)
    expect(agent.count('desiredServer')).toBe(3)
    expect(agent.count('desiredEnd')).toBe(1)
  })

  test('a wish that no longer exists makes the whole list be sent', async () => {
    const [nodeId, kept, gone] = [uuid(), uuid(), uuid()]
    rig.domain.wish(nodeId, wishFor(kept, 1))
    rig.domain.wish(nodeId, wishFor(gone, 1))
    const agent = await rig.connected(nodeId)
    rig.domain.wishes.get(nodeId)?.delete(gone)
    rig.fleet.wake(nodeId, gone)
    await agent.heardCount('desiredEnd', 2)
    const second = agent.heard.slice(agent.heard.findIndex(({ $case }) => $case === 'desiredEnd'))
    expect(second.map(({ $case }) => $case)).toEqual([
      'desiredEnd',
      'desiredNode',
      'desiredServer',
      'desiredEnd',
    ])
  })

  test('a hundred changes of one server while its wish is looked up are looked up once more', async () => {
    const [nodeId, serverId] = [uuid(), uuid()]
    rig.domain.wish(nodeId, wishFor(serverId, 1))
    const agent = await rig.connected(nodeId)
    const gate = Promise.withResolvers<void>()
    rig.domain.before = async (call) => {
      if (call === 'desiredOne') await gate.promise
    }
    for (let generation = 2; generation <= 101; generation++) {
      rig.domain.wish(nodeId, wishFor(serverId, generation))
      rig.fleet.wake(nodeId, serverId)
    }
    gate.resolve()
    await agent.next('desiredServer', (wish) => wish.generation === 101)
    expect(rig.domain.calls.filter((call) => call === 'desiredOne').length).toBeLessThanOrEqual(2)
  })

  test('every wish is sent again after a while, unasked', async () => {
    const often = await openRig(database.pool, { options: { resyncMs: 200 } })
    const nodeId = uuid()
    often.domain.wish(nodeId, wishFor(uuid(), 1))
    const agent = await often.connected(nodeId)
    await agent.heardCount('desiredEnd', 3)
    expect(agent.count('desiredServer')).toBeGreaterThanOrEqual(3)
    await often.stop()
  })
})

describe('what agents tell', () => {
  test('observations that arrive together are handed over together, one call at a time', async () => {
    const agent = await rig.connected()
    const gate = Promise.withResolvers<void>()
    rig.domain.before = async (call) => {
      if (call === 'observed') await gate.promise
    }
    const first = uuid()
    agent.say({ $case: 'inventory', value: { servers: [observation(first, 1)] } })
    await rig.domain.until(() => rig.domain.calls.includes('observed'))
    const servers = Array.from({ length: 50 }, uuid)
    for (const serverId of servers) {
      agent.say({ $case: 'serverObserved', value: observation(serverId, 2, 'starting') })
      agent.say({ $case: 'serverObserved', value: observation(serverId, 3, 'running') })
    }
    agent.say({ $case: 'report', value: crashReport(1) })
    agent.say({ $case: 'heartbeat', value: { sequence: 5, drivers: [], preflight: [] } })
    await agent.next('heartbeatAck', ({ sequence }) => sequence === 5)
    // Nor does a report wait for an observation.
    await agent.next('reportAck', ({ through }) => through === 1)
    expect(rig.domain.observedBatches).toEqual([])
    gate.resolve()
    await rig.domain.until(() => rig.domain.observedBatches.length >= 2)
    const [inventory, batch, ...more] = rig.domain.observedBatches
    expect(more).toEqual([])
    expect(inventory).toMatchObject({ complete: true, servers: [{ serverId: first }] })
    expect(batch?.complete).toBe(false)
    expect(batch?.servers.map(({ serverId }) => serverId)).toEqual(servers)
    expect(batch?.servers.every(({ state }) => state === 'running')).toBe(true)
    expect(rig.domain.mostConcurrent).toBe(1)
  })

  test('reports are applied once and in order, however often they are repeated', async () => {
    const nodeId = uuid()
    const agent = await rig.connected(nodeId)
    for (const sequence of [1, 2, 3, 2, 3, 1, 4]) {
      agent.say({ $case: 'report', value: crashReport(sequence) })
    }
    await agent.next('reportAck', ({ through }) => through === 4)
    agent.close()
    await rig.domain.until(() => !rig.domain.sessions.has(nodeId))
    const again = await rig.connected(nodeId)
    expect(await again.next('welcome')).toMatchObject({ reportThrough: 4 })
    for (const sequence of [3, 4, 5]) {
      again.say({ $case: 'report', value: crashReport(sequence) })
    }
    await again.next('reportAck', ({ through }) => through === 5)
    expect(rig.domain.applied.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
  })

  test('reports whose transaction failed are not acknowledged and applied when repeated', async () => {
    const nodeId = uuid()
    const agent = await rig.connected(nodeId)
    rig.domain.before = async (call) => {
      if (call === 'reports') throw new Error('the database is away')
    }
    agent.say({ $case: 'report', value: crashReport(1) })
    expect(await agent.over).toMatchObject({ code: status.UNAVAILABLE })
    expect(agent.count('reportAck')).toBe(0)
    rig.domain.before = async () => undefined
    const again = await rig.connected(nodeId)
    again.say({ $case: 'report', value: crashReport(1) })
    await again.next('reportAck', ({ through }) => through === 1)
    expect(rig.domain.applied).toHaveLength(1)
  })
})

describe('one session per node', () => {
  test('a newer session ends the older, and the domain hears it in that order', async () => {
    const nodeId = uuid()
    const older = await rig.connected(nodeId)
    const newer = await rig.connected(nodeId)
    expect(await older.over).toMatchObject({ code: status.ABORTED })
    expect(rig.domain.calls.filter((call) => call.endsWith('connected'))).toEqual([
      'connected',
      'disconnected',
      'connected',
    ])
    expect(rig.fleet.connectedNodes()).toEqual([nodeId])
    newer.say({ $case: 'heartbeat', value: { sequence: 1, drivers: [], preflight: [] } })
    await newer.next('heartbeatAck')
    expect(rig.fleet.metrics()).toMatchObject({ sessionsFenced: 1, connectedNodes: 1 })
    expect(rig.fleet.metrics().openedByNode.get(nodeId)).toBe(2)
  })

  test('a session that the database knows no longer ends with its next heartbeat', async () => {
    const nodeId = uuid()
    const agent = await rig.connected(nodeId)
    rig.domain.sessions.set(nodeId, 'a session of another control plane')
    agent.say({ $case: 'heartbeat', value: { sequence: 1, drivers: [], preflight: [] } })
    expect(await agent.over).toMatchObject({ code: status.ABORTED })
    expect(rig.domain.sessions.get(nodeId)).toBe('a session of another control plane')
  })

  test('an agent that has not been heard for three heartbeats counts as disconnected', async () => {
    const nodeId = uuid()
    const agent = await rig.connected(nodeId)
    expect(await agent.over).toMatchObject({ code: status.DEADLINE_EXCEEDED })
    await rig.domain.until(() => !rig.domain.sessions.has(nodeId))
    expect(rig.fleet.isConnected(nodeId)).toBe(false)
  })

  test('a node that is disconnected on purpose is sent away, with its reason', async () => {
    const agent = await rig.connected()
    await rig.fleet.disconnectNode(agent.nodeId)
    expect(await agent.over).toMatchObject({ code: status.UNAUTHENTICATED })
    expect(rig.fleet.isConnected(agent.nodeId)).toBe(false)
  })

  test('an agent that goes away is disconnected at once', async () => {
    const nodeId = uuid()
    const agent = await rig.connected(nodeId)
    agent.close()
    await rig.domain.until(() => !rig.domain.sessions.has(nodeId))
    expect(rig.fleet.connectedNodes()).toEqual([])
  })
})

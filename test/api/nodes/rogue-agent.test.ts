import { randomUUID } from 'node:crypto'
import type { Report } from '@lodge/proto/fleet.ts'
import type { ServerObserved } from '@lodge/proto/server.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { observation } from '../../../control-plane/src/fleet/fleet.fixture.ts'
import type { Caller } from '../../support/caller.ts'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'
import type { StandInAgent } from '../../support/stand-in-agent.ts'
import { fingerprint } from '../support/fingerprint.ts'

let lodge: Lodge
let admin: Caller
let honest: JoinedNode
let rogue: JoinedNode
let victim: string
let templateId: string
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  honest = await lodge.node()
  rogue = await lodge.node()
  templateId = (await lodge.template()).id
  victim = await serverOn(honest)
})
afterAll(() => lodge[Symbol.asyncDispose]())

async function serverOn(node: JoinedNode): Promise<string> {
  const owner = await lodge.customer()
  return lodge.server({ ownerId: owner.id, templateId, nodeId: node.id })
}

const show = (id: string) => admin.must('GET /api/servers/{id}', { params: { id } })

const crash = (serverId: string, eventId: string = randomUUID()) => ({
  eventId,
  serverId,
  kind: 'crashed',
  at: new Date(),
  reason: 'it fell',
  restartAttempt: 1,
  restartOf: 3,
  restartWaitSeconds: 5,
  lastLines: ['the end'],
})
const reported = (value: ReturnType<typeof crash>): Report['content'] => ({
  $case: 'serverEvent',
  value,
})

/** Sends a report and waits until it is acknowledged. */
let sequence = 0
async function acknowledged(
  agent: StandInAgent,
  content: Report['content'] = undefined,
): Promise<void> {
  sequence += 1
  agent.line?.say({ $case: 'report', value: { sequence, content } })
  await agent.line?.next('reportAck', (ack) => ack.through >= sequence)
}

/**
 * Reports its own server and waits until that is shown: by then earlier observations have been
 * processed, too.
 */
async function observed(agent: StandInAgent, own: string): Promise<void> {
  const state = (await show(own)).observedState === 'running' ? 'stopping' : 'running'
  agent.tell(own, { state })
  await expect.poll(async () => (await show(own)).observedState).toBe(state)
}

/** Everything except what a node may report about itself, and so many changes of its own server. */
async function untouched(own = 0) {
  const { nodes, node_reports, servers = 0, ...others } = await fingerprint(lodge.database.pool)
  return { ...others, servers: servers - own }
}

test('GHSA-v97c-v3vw-p5ff: claims about servers of another node change nothing', async () => {
  const agent = await lodge.standIn(rogue)
  const own = await serverOn(rogue)
  await agent.heard(own)
  await observed(agent, own)
  await acknowledged(agent)
  const before = await untouched()
  const claims: Partial<ServerObserved>[] = [
    { state: 'running' },
    { state: 'absent', settledGeneration: 99, generation: 99 },
    { state: 'crashed', failure: { code: 'x', detail: 'y', retryable: false } },
    { state: 'stopped', observation: 2 ** 50 },
  ]
  for (const claim of claims)
    agent.line?.say({ $case: 'serverObserved', value: { ...observation(victim, 9), ...claim } })
  const seen = [observation(victim, 10), ...[...agent.servers.values()].map((kept) => kept.seen)]
  agent.line?.say({ $case: 'inventory', value: { servers: seen } })
  agent.line?.say({
    $case: 'serverProgress',
    value: {
      serverId: victim,
      generation: 1,
      step: 'install',
      percent: 99,
      detail: 'mine',
      bytesDone: 1,
      bytesTotal: 1,
      logLines: ['mine'],
    },
  })
  await acknowledged(agent, reported(crash(victim)))
  const sample = { cpuPercent: 1, memoryBytes: 1, networkRxBytesPerSecond: 1 }
  await acknowledged(agent, {
    $case: 'metrics',
    value: {
      servers: [{ serverId: victim, at: new Date(), ...sample, networkTxBytesPerSecond: 1 }],
      nodes: [],
    },
  })
  await observed(agent, own)
  expect(await untouched(1)).toEqual(before)
  agent.close()
})

test('an empty inventory empties only the node itself', async () => {
  const agent = await lodge.standIn(honest)
  await expect.poll(async () => (await show(victim)).observedState).toBe('running')
  const other = await lodge.standIn(rogue)
  const own = await serverOn(rogue)
  await other.heard(own)
  await observed(other, own)
  other.line?.say({ $case: 'inventory', value: { servers: [] } })
  await expect.poll(async () => (await show(own)).observedState).toBe('absent')
  expect((await show(victim)).observedState).toBe('running')
  other.close()
  agent.close()
})

test('implausible messages are ignored, and the connection stays open', async () => {
  const agent = await lodge.standIn(rogue)
  const own = await serverOn(rogue)
  await agent.heard(own)
  await expect.poll(async () => (await show(own)).observedState).toBe('running')
  await acknowledged(agent)
  const before = await untouched()
  for (const nonsense of [
    { serverId: 'not-an-id' },
    { serverId: randomUUID() },
    { state: 'flying' },
    { state: '' },
  ])
    agent.line?.say({ $case: 'serverObserved', value: { ...observation(own, 1e6), ...nonsense } })
  await acknowledged(agent, reported(crash('not-an-id')))
  await acknowledged(agent, reported(crash(own, 'not-an-id')))
  await acknowledged(agent, reported({ ...crash(own), kind: 'ascended' }))
  await observed(agent, own)
  expect(await untouched(1)).toEqual(before)
  expect(agent.line?.stream.destroyed).toBe(false)
  agent.close()
})

test('texts that PostgreSQL cannot store do not disconnect a node', async () => {
  const agent = await lodge.standIn(rogue)
  const own = await serverOn(rogue)
  await agent.heard(own)
  await expect.poll(async () => (await show(own)).observedState).toBe('running')
  const exit = { code: 1, signal: 'SIG\0', outOfMemory: false, at: new Date() }
  agent.tell(own, {
    state: 'crashed',
    failure: { code: 'a\0b', detail: 'c\0d', retryable: false },
    lastExit: exit,
  })
  await acknowledged(agent, {
    $case: 'serverEvent',
    value: { ...crash(own), reason: 'a\0', lastLines: ['\0', 'b\0c'], exit },
  })
  await expect
    .poll(() => show(own))
    .toMatchObject({ observedState: 'crashed', failure: { code: 'ab', detail: 'cd' } })
  agent.close()
  agent.hello = {
    bootId: '\0',
    agentVersion: '1\0',
    capabilities: ['\0'],
    preflight: [{ id: 'docker', state: 'ok', summary: '\0', remedy: '\0' }],
  }
  await agent.connect()
  agent.close()
})

test('CVE-2026-21696: a repeated report is applied once, in the order of its number', async () => {
  const agent = await lodge.standIn(rogue)
  const own = await serverOn(rogue)
  await agent.heard(own)
  const events = Array.from({ length: 30 }, () => crash(own))
  const reports = events.map((value) => ({ sequence: ++sequence, content: reported(value) }))
  for (const report of reports) agent.line?.say({ $case: 'report', value: report })
  await agent.line?.next('reportAck', (ack) => ack.through >= sequence)
  agent.close()
  await agent.connect()
  // The agent got no acknowledgement and repeats its reports, some of them twice.
  for (const report of [...reports, ...reports.slice(10)])
    agent.line?.say({ $case: 'report', value: report })
  await acknowledged(agent)
  const { items } = await admin.must('GET /api/servers/{id}/events', {
    params: { id: own },
    query: { limit: 100 },
  })
  expect(items.map((item) => item.id).sort()).toEqual(events.map((one) => one.eventId).sort())
  agent.close()
})

test('GHSA-v97c-v3vw-p5ff: a node cannot lift a suspension, take a server over or change its size', async () => {
  const agent = await lodge.standIn(rogue)
  const own = await serverOn(rogue)
  const { ownerId } = await show(own)
  await agent.heard(own)
  await admin.must('POST /api/servers/{id}/actions', {
    params: { id: own },
    body: { action: 'suspend' },
  })
  const desired = await agent.heard(own, 2)
  expect(desired.power).toBe(1)
  await expect.poll(async () => (await show(own)).observedState).toBe('stopped')
  const high = { generation: 999, settledGeneration: 999, run: 999, installed: 999 }
  agent.tell(own, { state: 'running', ...high })
  await acknowledged(agent)
  expect(await show(own)).toMatchObject({
    ownerId,
    nodeId: rogue.id,
    status: 'suspended',
    memoryMb: 64,
    holds: [{ kind: 'suspension', cause: 'administrator' }],
  })
  agent.close()
})

test('a report with an absurd number is refused, and the node continues as before', async () => {
  const agent = await lodge.standIn(rogue)
  const own = await serverOn(rogue)
  await agent.heard(own)
  await acknowledged(agent)
  const { line } = agent
  line?.say({ $case: 'report', value: { sequence: Number.MAX_SAFE_INTEGER, content: undefined } })
  expect(await line?.over).toMatchObject({ details: 'the number of a report is not the next one' })
  await agent.connect()
  const event = crash(own)
  await acknowledged(agent, reported(event))
  const { items } = await admin.must('GET /api/servers/{id}/events', {
    params: { id: own },
    query: {},
  })
  expect(items.map(({ id }) => id)).toEqual([event.eventId])
  agent.close()
})

test('a node that joins again numbers its reports from the beginning', async () => {
  const node = await lodge.joinedNode()
  const before = await lodge.standIn(node)
  const own = await serverOn(node)
  before.close()
  await lodge.database.pool.query(
    `insert into node_reports (node_id, through) values ($1, $2)
     on conflict (node_id) do update set through = excluded.through`,
    [node.id, Number.MAX_SAFE_INTEGER],
  )
  const again = await lodge.joinAgain(node.id)
  const agent = await lodge.standIn(again)
  const event = crash(own)
  agent.line?.say({ $case: 'report', value: { sequence: 1, content: reported(event) } })
  await agent.line?.next('reportAck', (ack) => ack.through === 1)
  const { items } = await admin.must('GET /api/servers/{id}/events', {
    params: { id: own },
    query: {},
  })
  expect(items.map(({ id }) => id)).toEqual([event.eventId])
  agent.close()
})

import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { ReleasedAgent } from '../../support/released-agent.ts'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

const RELEASED = readdirSync(path.resolve(import.meta.dirname, '../../../proto/released'))

test('there is a released protocol to test the control plane with', () => {
  expect(RELEASED.length).toBeGreaterThan(0)
})

describe.each(RELEASED)('an agent of the released protocol %s', (image) => {
  let lodge: Lodge
  let admin: Caller
  let node: JoinedNode
  let agent: ReleasedAgent
  let serverId: string

  beforeAll(async () => {
    lodge = await startLodge()
    admin = await lodge.admin()
    node = await lodge.joinedNode()
    agent = await ReleasedAgent.of(image, lodge.controlPlane.services.fleet, node)
    await agent.connect()
    const { id: templateId } = await lodge.template()
    const owner = await lodge.customer()
    serverId = await lodge.server({ ownerId: owner.id, templateId, nodeId: node.id })
  })
  afterAll(async () => {
    await agent?.[Symbol.asyncDispose]()
    await lodge[Symbol.asyncDispose]()
  })

  const show = () => admin.must('GET /api/servers/{id}', { params: { id: serverId } })
  const status = (wanted: string) => until(async () => (await show()).status === wanted)
  const act = (action: 'start' | 'stop') =>
    admin.must('POST /api/servers/{id}/actions', { params: { id: serverId }, body: { action } })
  const job = (id: string, state: string) =>
    until(async () => {
      const found = await admin.must('GET /api/jobs/{id}', { params: { id } })
      return found.state === state && found
    })

  test('is accepted, and its node is shown as connected', async () => {
    const [welcome] = agent.heard
    expect(welcome).toMatchObject({ welcome: { reportThrough: '0', leaseMode: 'pinned' } })
    agent.beat()
    await until(() => agent.heard.some((message) => 'heartbeatAck' in message))
    const shown = await admin.must('GET /api/nodes/{id}', { params: { id: node.id } })
    expect(shown).toMatchObject({ state: 'online', agentVersion: '0.0.9' })
  })

  test('receives desired states, and its observations are shown', async () => {
    await status('running')
    await job((await act('stop')).jobId, 'done')
    await status('stopped')
    await job((await act('start')).jobId, 'done')
    await status('running')
    expect(agent.servers.get(serverId)).toMatchObject({ state: 'running' })
  })

  test('keeps its servers across a lost connection', async () => {
    const before = agent.servers.get(serverId)
    await agent.connect()
    await until(() => agent.servers.get(serverId) !== before)
    expect(agent.servers.get(serverId)).toEqual(before)
    await status('running')
  })

  test('gets its reports stored and acknowledged', async () => {
    const event = {
      eventId: randomUUID(),
      serverId,
      kind: 'crashed',
      at: new Date().toISOString(),
      reason: 'It fell',
    }
    agent.say({ report: { sequence: 1, serverEvent: event } })
    await until(() =>
      agent.heard.some((message) => {
        const ack = message.reportAck as { through?: string } | undefined
        return ack?.through === '1'
      }),
    )
    const { items } = await admin.must('GET /api/servers/{id}/events', {
      params: { id: serverId },
    })
    expect(items.map(({ reason }) => reason)).toContain('It fell')
  })

  test('executes the tasks of its version', async () => {
    const params = { id: serverId }
    await admin.must('POST /api/servers/{id}/command', { params, body: { command: 'say hello' } })
    const received = agent.heard.filter((message) => 'task' in message).at(-1)
    expect(received).toMatchObject({ task: { serverId, sendCommand: { text: 'say hello' } } })
    const { lines } = await admin.must('GET /api/servers/{id}/logs', { params })
    expect(lines).toEqual(['ready'])
  })

  test('responds unsupported to newer tasks, which is reported to the caller', async () => {
    const strange = agent.strange.length
    const { jobId } = await admin.must('POST /api/nodes/{id}/images/free', {
      params: { id: node.id },
    })
    const failed = await job(jobId, 'failed')
    expect(agent.strange.length).toBeGreaterThan(strange)
    expect(JSON.stringify(failed)).toContain('This agent cannot do that yet: update it')
  })

  test('is not asked to run virtual machines', async () => {
    const refused = await admin.call('PATCH /api/nodes/{id}/virtualization', {
      params: { id: node.id },
      body: { enabled: true },
    })
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({ code: 'unsupported_on_node' }),
    ])
  })
})

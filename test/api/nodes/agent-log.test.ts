import { expect, test } from 'vitest'
import { startRealAgent } from '../../support/real-agent.ts'
import { startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

test('the log of an agent is read over its own connection, without secrets', async () => {
  await using lodge = await startLodge()
  const node = await lodge.joinedNode()
  await using _agent = await startRealAgent(lodge, node)
  const admin = await lodge.limitedAdmin(['nodes.view'])
  const params = { id: node.id }
  await until(async () => (await admin.must('GET /api/nodes/{id}', { params })).state === 'online')
  const { lines } = await admin.must('GET /api/nodes/{id}/log', { params })
  const entries = lines.map((line) => JSON.parse(line) as { msg: string; nodeId?: string })
  expect(entries).toContainEqual(
    expect.objectContaining({ msg: 'the agent has started', nodeId: node.id }),
  )
  expect(lines.join()).not.toContain(node.credential)
  const one = await admin.must('GET /api/nodes/{id}/log', { params, query: { lines: 1 } })
  expect(one.lines).toHaveLength(1)
})

test('an agent that is too old to show its log is not asked', async () => {
  await using lodge = await startLodge()
  const node = await lodge.joinedNode()
  await lodge.standIn(node, { capabilities: ['container', 'abilities'] })
  const admin = await lodge.admin()
  const refused = await admin.call('GET /api/nodes/{id}/log', { params: { id: node.id } })
  expect(refused).toMatchObject({ status: 409, body: { code: 'unsupported_on_node' } })
})

test('the log of a disconnected agent is refused at once, with the place where it is', async () => {
  await using lodge = await startLodge()
  const node = await lodge.joinedNode()
  const admin = await lodge.admin()
  const refused = await admin.call('GET /api/nodes/{id}/log', { params: { id: node.id } })
  expect(refused).toMatchObject({ status: 503, body: { code: 'node_unavailable' } })
})

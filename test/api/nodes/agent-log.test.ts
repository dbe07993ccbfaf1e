import { READS_LOG } from '@lodge/shared/node-abilities.ts'
import { expect, test } from 'vitest'
import { WAITING_FOR_NODE_MAX } from '../../../control-plane/src/fleet/ask.ts'
import type { TestAgent } from '../../../control-plane/src/fleet/fleet.fixture.ts'
import { startRealAgent } from '../../support/real-agent.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
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

test('the log is not requested from an agent that is too old for it', async () => {
  await using lodge = await startLodge()
  const node = await lodge.joinedNode()
  await lodge.standIn(node, { capabilities: ['container', 'abilities'] })
  const admin = await lodge.admin()
  const refused = await admin.call('GET /api/nodes/{id}/log', { params: { id: node.id } })
  expect(refused).toMatchObject({ status: 409, body: { code: 'unsupported_on_node' } })
})

test('the log of a disconnected agent is refused immediately, with its path on the node', async () => {
  await using lodge = await startLodge()
  const node = await lodge.joinedNode()
  const admin = await lodge.admin()
  const refused = await admin.call('GET /api/nodes/{id}/log', { params: { id: node.id } })
  expect(refused).toMatchObject({ status: 503, body: { code: 'node_unavailable' } })
})

/** A connected agent that can show its log and does not respond automatically. */
async function silentAgent(lodge: Lodge) {
  const node = await lodge.joinedNode()
  const { line } = await lodge.standIn(node, {
    capabilities: ['container', 'abilities', READS_LOG],
  })
  if (!line) throw new Error('the agent is not connected')
  return { params: { id: node.id }, line }
}

test('a node that does not respond blocks few requests, and no database connection', async () => {
  await using lodge = await startLodge()
  const admin = await lodge.admin()
  const [slow, other] = [await silentAgent(lodge), await silentAgent(lodge)]
  const read = ({ params }: typeof slow) => admin.call('GET /api/nodes/{id}/log', { params })
  const waiting = Array.from({ length: WAITING_FOR_NODE_MAX }, () => read(slow))
  await slow.line.heardCount('task', WAITING_FOR_NODE_MAX)

  expect(await read(slow)).toMatchObject({
    status: 503,
    body: {
      code: 'node_unavailable',
      detail: expect.stringContaining(`${WAITING_FOR_NODE_MAX} requests wait`),
    },
  })
  // Transactions of other requests end immediately, those of the waiting requests would not.
  const held = `select from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`
  await until(async () => (await lodge.database.pool.query(held)).rowCount === 0)
  const elsewhere = read(other)
  await other.line.heardCount('task', 1)

  for (const { line } of [slow, other])
    for (const message of [...line.heard])
      if (message.$case === 'task') answer(line, message.value.taskId)
  expect((await elsewhere).status).toBe(200)
  for (const one of await Promise.all(waiting)) expect(one.status).toBe(200)
  const again = read(slow)
  await slow.line.heardCount('task', WAITING_FOR_NODE_MAX + 1)
  const last = slow.line.heard.findLast((message) => message.$case === 'task')
  answer(slow.line, last?.value.taskId ?? '')
  expect((await again).status).toBe(200)
})

test.each([
  ['could not', 'internal', 502, 'node_protocol_error'],
  ['is too old to', 'unsupported', 409, 'unsupported_on_node'],
])(
  'an agent that %s read its log is reported as the cause',
  async (_why, code, status, problem) => {
    await using lodge = await startLodge()
    const admin = await lodge.admin()
    const { params, line } = await silentAgent(lodge)
    const reading = admin.call('GET /api/nodes/{id}/log', { params })
    const { taskId } = await line.next('task')
    const failure = { code, detail: 'It did not work', retryable: false }
    line.say({
      $case: 'taskResult',
      value: { taskId, outcome: { $case: 'failure', value: failure } },
    })
    expect(await reading).toMatchObject({ status, body: { code: problem } })
  },
)

function answer(line: TestAgent, taskId: string): void {
  const output = { $case: 'logs' as const, value: { lines: ['{}'] } }
  line.say({
    $case: 'taskResult',
    value: { taskId, outcome: { $case: 'done', value: { output } } },
  })
}

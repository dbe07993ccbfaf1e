import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startLodge } from '../../support/stack.ts'
import type { StandInAgent } from '../../support/stand-in-agent.ts'
import { until } from '../../support/until.ts'

const FORMER = `x64/${'b'.repeat(64)}`

test('agents are replaced in waves: one, then more, and after a failure no further one', async () => {
  await using lodge = await startLodge({ environment: { LODGE_AGENT_FOLDER: '/dev/null' } })
  const admin = await lodge.admin()
  const { services } = lodge.controlPlane
  const program = path.join(lodge.dataFolder, 'program')
  Object.assign(services, { agentFolder: program })
  const nodes = await Promise.all(Array.from({ length: 5 }, () => lodge.joinedNode()))
  const agents: StandInAgent[] = []
  for (const node of nodes)
    agents.push(
      await lodge.standIn(node, {
        agentBuild: FORMER,
        capabilities: ['container', 'agent.update'],
      }),
    )
  const show = (id: string) => admin.must('GET /api/nodes/{id}', { params: { id } })
  const first = nodes[0]?.id ?? ''

  // Without an agent build to serve, nothing is outdated, and nothing can be replaced.
  const none = await admin.call('POST /api/nodes/{id}/agent-update', { params: { id: first } })
  expect([none.status, none.body]).toMatchObject([409, { code: 'no_agent_program' }])

  await mkdir(path.join(program, 'agent'), { recursive: true })
  await writeFile(path.join(program, 'agent/version'), '0.2.0\n')
  await writeFile(
    path.join(program, 'agent/files-linux-x64'),
    `${'a'.repeat(64)}  agent/src/main.js\n`,
  )
  await until(async () => (await show(first)).agentOutdated)
  const { items } = await admin.must('GET /api/notifications')
  expect(items.filter(({ type }) => type === 'node.agent_outdated')).toHaveLength(5)

  // Only who may change nodes, and only with a session.
  const customer = await lodge.customer()
  const viewer = await lodge.limitedAdmin(['nodes.view'])
  for (const caller of [customer, viewer])
    expect((await caller.call('POST /api/nodes/agent-update', { body: {} })).status).toBe(403)

  // One begins, and one answers with a failure in the second wave.
  const asked: string[] = []
  const gate = Promise.withResolvers<void>()
  for (const [index, agent] of agents.entries())
    agent.doing = (task) => {
      if (task.work?.$case !== 'updateAgent') return undefined
      asked.push(agent.nodeId)
      const { manifest } = task.work.value
      expect(JSON.parse(manifest)).toMatchObject({ version: '0.2.0', architecture: 'x64' })
      return gate.promise.then(() =>
        index === 2
          ? {
              $case: 'failure',
              value: { code: 'agent_update_failed', detail: 'It ended.', retryable: false },
            }
          : { $case: 'done', value: { output: undefined } },
      )
    }
  const order = (await Promise.all(nodes.map(({ id }) => show(id))))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    .map(({ id }) => id)
  const begun = await admin.must('POST /api/nodes/agent-update', { body: {} })
  expect(begun.nodes).toBe(5)
  const again = await admin.call('POST /api/nodes/{id}/agent-update', { params: { id: first } })
  expect([again.status, again.body]).toMatchObject([409, { code: 'job_in_progress' }])
  gate.resolve()
  const job = await until(async () => {
    const found = await admin.must('GET /api/jobs/{id}', { params: { id: begun.jobId } })
    return found.endedAt !== null && found
  })
  expect(job).toMatchObject({ state: 'failed', failure: { code: 'agent_update_failed' } })
  expect(job.failure?.detail).toContain('2 of 5 nodes were updated; the rest was left alone')
  expect([asked[0], asked.slice(1).toSorted()]).toEqual([order[0], order.slice(1, 3).toSorted()])

  // A node that is away when its turn comes is waited for, and one that goes away after its update is
  // not.
  const [, early, , late, punctual] = order.map((id) => agents.find(({ nodeId }) => nodeId === id))
  const isOffline = async (agent: StandInAgent | undefined) =>
    (await show(agent?.nodeId ?? '')).state === 'offline'
  const turn = Promise.withResolvers<void>()
  for (const agent of agents)
    agent.doing = (task) => {
      if (task.work?.$case !== 'updateAgent') return undefined
      if (agent === punctual) turn.resolve()
      return (async () => {
        if (agent === early) {
          late?.close()
          await until(() => isOffline(late))
        }
        return { $case: 'done', value: { output: undefined } }
      })()
    }
  const { jobId } = await admin.must('POST /api/nodes/agent-update', { body: {} })
  await turn.promise
  early?.close()
  await until(() => isOffline(early))
  await late?.connect()
  await until(async () => {
    const { state } = await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
    return state === 'done'
  })
  await early?.connect()

  // A disconnected node is left out, and updating it alone reports why.
  agents[4]?.close()
  await until(async () => (await show(nodes[4]?.id ?? '')).state === 'offline')
  const away = await admin.call('POST /api/nodes/{id}/agent-update', {
    params: { id: nodes[4]?.id ?? '' },
  })
  expect([away.status, away.body]).toMatchObject([503, { code: 'node_unavailable' }])
})

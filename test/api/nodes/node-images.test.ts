import { expect, test } from 'vitest'
import { startRealAgent } from '../../support/real-agent.ts'
import { startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

const MIB = 1024 * 1024

test('a node reports the size of its images, and removes the unused ones as a job', async () => {
  await using lodge = await startLodge()
  const node = await lodge.node()
  const admin = await lodge.admin()
  const params = { id: node.id }
  const images = { count: 11, bytes: 900 * MIB, unusedCount: 4, unusedBytes: 300 * MIB }
  await using agent = await startRealAgent(lodge, node, { images })
  const reported = async () => {
    const { preflight } = await admin.must('GET /api/nodes/{id}', { params })
    return preflight.find(({ id }) => id === 'images')?.summary ?? ''
  }
  await until(async () => (await reported()).includes('11 take'))
  expect(await reported()).toMatch(/11 take .*900.*, .*300.* of it unused/)
  const { jobId } = await admin.must('POST /api/nodes/{id}/images/free', { params })
  const job = await until(async () => {
    const found = await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
    return found.state === 'done' && found
  })
  expect(job.steps[0]?.detail).toMatch(/^4 images removed, .*300.* freed$/)
  expect(job.nodeId).toBe(node.id)
  await until(async () => (await reported()).includes('all in use'))
  expect(agent.driver.knobs.images).toMatchObject({ count: 7, unusedCount: 0 })
})

test('images of a disconnected node cannot be removed, and the response says so immediately', async () => {
  await using lodge = await startLodge()
  const { id } = await lodge.joinedNode()
  const admin = await lodge.admin()
  const refused = await admin.call('POST /api/nodes/{id}/images/free', { params: { id } })
  expect(refused.status).toBe(503)
  const viewer = await lodge.limitedAdmin(['nodes.view'])
  const denied = await viewer.call('POST /api/nodes/{id}/images/free', { params: { id } })
  expect(denied.status).toBe(403)
})

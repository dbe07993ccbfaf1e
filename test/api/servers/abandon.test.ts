import { expect, test } from 'vitest'
import { startLodge } from '../../support/stack.ts'

test('a server on a permanently lost node can be abandoned, and then the node can be deleted', async () => {
  await using lodge = await startLodge()
  const admin = await lodge.admin()
  const node = await lodge.node()
  const owner = await lodge.customer()
  const { id: templateId } = await lodge.template()
  const agent = await lodge.standIn(node)
  const size = { memoryMb: 128, cpuPercent: 10, diskMb: 128 }
  const body = { name: 'lost', ownerId: owner.id, templateId, ...size }
  const { serverId: id } = await admin.must('POST /api/servers', { body })

  const abandon = () =>
    admin.call('DELETE /api/servers/{id}', { params: { id }, query: { abandon: 'true' } })
  expect(await abandon()).toMatchObject({ status: 409, body: { code: 'invalid_state' } })

  agent.close()
  await expect.poll(async () => (await abandon()).status).toBe(202)
  expect((await admin.call('GET /api/servers/{id}', { params: { id } })).status).toBe(404)
  const gone = await admin.call('DELETE /api/nodes/{id}', { params: { id: node.id } })
  expect(gone.status).toBe(204)
})

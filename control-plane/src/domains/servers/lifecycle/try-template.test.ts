import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lodge, startLodge } from '../../../../../test/support/stack.ts'
import { until } from '../../../../../test/support/until.ts'
import { deleteDue } from './self-service.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

test('a template is tried on a server of its own, which is deleted automatically', async () => {
  const admin = await lodge.admin()
  const { id } = await lodge.template({ name: 'Echo' })
  const node = await lodge.node()
  const agent = await lodge.standIn(node)
  const before = Date.now()
  const tried = await admin.must('POST /api/templates/{id}/try', {
    params: { id },
    body: { nodeId: node.id, minutes: 5 },
  })
  await agent.heard(tried.serverId)
  const params = { id: tried.serverId }
  const server = await admin.must('GET /api/servers/{id}', { params })
  expect(server).toMatchObject({ name: 'Try Echo', nodeId: node.id, templateId: id, holds: [] })
  expect(server.deleteAt).toBe(tried.deleteAt)
  expect(Date.parse(tried.deleteAt) - before).toBeGreaterThan(4 * 60_000)

  expect(await deleteDue(lodge.controlPlane.services)).toBe(0)
  await lodge.database.pool.query(
    `update servers set delete_at = now() - interval '1 second' where id = $1`,
    [tried.serverId],
  )
  expect(await deleteDue(lodge.controlPlane.services)).toBe(1)
  await until(async () => {
    const { items } = await admin.must('GET /api/jobs')
    return items.some(({ kind, serverId }) => kind === 'server.delete' && serverId === params.id)
  })
})

test('trying a template needs the permission to create servers', async () => {
  const { id } = await lodge.template()
  const viewer = await lodge.limitedAdmin(['templates.view', 'templates.manage'])
  const refused = await viewer.call('POST /api/templates/{id}/try', { params: { id }, body: {} })
  expect([refused.status, refused.body]).toMatchObject([403, { code: 'permission_required' }])
})

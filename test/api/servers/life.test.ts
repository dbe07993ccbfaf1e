import { expect, test } from 'vitest'
import { startLodge } from '../../support/stack.ts'

test('a created server is shown as running once its node reports it', async () => {
  await using lodge = await startLodge()
  const customer = await lodge.customer()
  const template = await lodge.template()
  const node = await lodge.node()
  const agent = await lodge.standIn(node)
  const serverId = await lodge.server({ ownerId: customer.id, templateId: template.id })
  await agent.heard(serverId)
  await expect
    .poll(
      async () =>
        (await customer.must('GET /api/servers/{id}', { params: { id: serverId } })).status,
    )
    .toBe('running')
})

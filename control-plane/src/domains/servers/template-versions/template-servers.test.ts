import { TemplateDocument } from '@lodge/shared/templates/document.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lodge, startLodge } from '../../../../../test/support/stack.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

test('servers of an older version are listed and moved to the newest one when confirmed', async () => {
  const admin = await lodge.admin()
  const customer = await lodge.customer()
  const { id } = await lodge.template()
  const agent = await lodge.standIn(await lodge.node())
  const make = async (name: string) => {
    const { serverId } = await admin.must('POST /api/servers', {
      body: { name, ownerId: customer.id, templateId: id },
    })
    await agent.heard(serverId)
    return serverId
  }
  const [one, two] = [await make('One'), await make('Two')]
  const params = { id }
  const outdated = async () =>
    (await admin.must('GET /api/templates/{id}/outdated', { params })).items.map(
      (item) => item.name,
    )
  expect(await outdated()).toEqual([])

  const { document } = await admin.must('GET /api/templates/{id}', { params })
  const changed = TemplateDocument.parse({
    ...document,
    runtime: { ...document.runtime, environment: { NEW: 'yes' } },
  })
  await admin.must('PUT /api/templates/{id}', { params, body: changed })
  expect(await outdated()).toEqual(['One', 'Two'])
  const { items } = await admin.must('GET /api/templates', { query: { limit: 100 } })
  expect(items.find((item) => item.id === id)).toMatchObject({ servers: 2, outdatedServers: 2 })

  const unsure = await admin.call('POST /api/templates/{id}/apply', {
    params,
    body: { confirm: false },
  })
  expect([unsure.status, unsure.body]).toMatchObject([400, { code: 'confirmation_required' }])
  const strange = await admin.call('POST /api/templates/{id}/apply', {
    params,
    body: { confirm: true, serverIds: [id] },
  })
  expect([strange.status, strange.body]).toMatchObject([400, { code: 'validation_failed' }])

  const first = await admin.must('POST /api/templates/{id}/apply', {
    params,
    body: { confirm: true, serverIds: [one] },
  })
  expect(first.jobs.map((job) => job.serverId)).toEqual([one])
  expect(await outdated()).toEqual(['Two'])
  const rest = await admin.must('POST /api/templates/{id}/apply', {
    params,
    body: { confirm: true },
  })
  expect(rest.jobs.map((job) => job.serverId)).toEqual([two])
  for (const { jobId } of [...first.jobs, ...rest.jobs]) {
    await expect
      .poll(async () => (await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })).state)
      .toBe('done')
  }
  expect(await outdated()).toEqual([])
  const removal = await admin.call('DELETE /api/templates/{id}', { params })
  expect([removal.status, removal.body]).toMatchObject([409, { code: 'in_use' }])
})

import { expect, test } from 'vitest'
import { DOCUMENT, type Lodge, startLodge } from '../stack.ts'

const image = (name: string) => ({
  name,
  source: { kind: 'registry' as const, reference: `example/java:${name}` },
})

async function serverWithImages(lodge: Lodge) {
  const owner = await lodge.customer()
  const template = await lodge.template({
    runtime: { ...DOCUMENT.runtime, images: [image('21'), image('17')] },
  })
  const agent = await lodge.standIn(await lodge.node())
  const serverId = await lodge.server({ ownerId: owner.id, templateId: template.id, start: false })
  await agent.heard(serverId)
  return { owner, agent, serverId, params: { id: serverId } }
}

test('an owner chooses among the images of the template, and the node hears of it', async () => {
  await using lodge = await startLodge()
  const { owner, agent, serverId, params } = await serverWithImages(lodge)
  expect(await owner.must('GET /api/servers/{id}/startup', { params })).toMatchObject({
    image: '21',
    images: ['21', '17'],
  })
  const first = await agent.heard(serverId)

  const changed = await owner.must('PATCH /api/servers/{id}/settings', {
    params,
    body: { image: '17', variables: {} },
  })

  expect(changed.image).toBe('17')
  const wish = await agent.heard(serverId, first.generation + 1)
  expect(JSON.stringify(wish)).toContain('example/java:17')
  await owner.must('PATCH /api/servers/{id}/settings', {
    params,
    body: { variables: { GREETING: 'hi' } },
  })
  expect((await owner.must('GET /api/servers/{id}/startup', { params })).image).toBe('17')
})

test('an image that the template does not name is refused at its field, and nothing is changed', async () => {
  await using lodge = await startLodge()
  const { owner, params } = await serverWithImages(lodge)
  const { status, body } = await owner.call('PATCH /api/servers/{id}/settings', {
    params,
    body: { image: 'example/java:17', variables: { GREETING: 'hi' } },
  })
  expect(status).toBe(400)
  expect(body).toMatchObject({ errors: [{ pointer: '/image' }] })
  const startup = await owner.must('GET /api/servers/{id}/startup', { params })
  expect(startup.image).toBe('21')
  expect(startup.variables.find(({ env }) => env === 'GREETING')?.value).toBe('hello')
})

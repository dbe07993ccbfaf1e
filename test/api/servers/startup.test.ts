import { expect, test } from 'vitest'
import { sealVariables } from '../../../control-plane/src/domains/servers/spec/sealed.ts'
import type { Caller } from '../../support/caller.ts'
import { DOCUMENT, type Lodge, startLodge } from '../../support/stack.ts'
import { share } from '../support/share.ts'

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

test('an owner chooses among the images of the template, and the node receives the choice', async () => {
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
  const desired = await agent.heard(serverId, first.generation + 1)
  expect(JSON.stringify(desired)).toContain('example/java:17')
  await owner.must('PATCH /api/servers/{id}/settings', {
    params,
    body: { variables: { GREETING: 'hi' } },
  })
  expect((await owner.must('GET /api/servers/{id}/startup', { params })).image).toBe('17')
})

test('an image that the template does not name is refused at its field, and nothing changes', async () => {
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

const SECRET = 'correct horse battery'

async function serverWithSecret(lodge: Lodge) {
  const owner = await lodge.customer()
  const template = await lodge.template({
    runtime: {
      ...DOCUMENT.runtime,
      startup: { kind: 'argv', command: ['/bin/echo', '{{GREETING}}', '{{RCON_PASSWORD}}'] },
    },
    variables: [
      { name: 'Greeting', env: 'GREETING', default: 'hello' },
      { name: 'Password', env: 'RCON_PASSWORD', default: 'a default', secret: true },
    ],
  })
  const agent = await lodge.standIn(await lodge.node())
  const id = await lodge.server({
    ownerId: owner.id,
    templateId: template.id,
    start: false,
    variables: { RCON_PASSWORD: SECRET },
  })
  const rowText = async () =>
    (await lodge.database.pool.query(`select s::text as text from servers s where id = $1`, [id]))
      .rows[0].text as string
  const startup = (caller: Caller) =>
    caller.must('GET /api/servers/{id}/startup', { params: { id } })
  return { owner, agent, id, rowText, startup }
}
const passwordIn = ({ variables }: { variables: { env: string; value: string }[] }) =>
  variables.find(({ env }) => env === 'RCON_PASSWORD')?.value

test('a secret variable is encrypted in the database, plain on its node, and shown to those who may change it', async () => {
  await using lodge = await startLodge()
  const { owner, agent, id, rowText, startup } = await serverWithSecret(lodge)
  expect(await rowText()).not.toContain(SECRET)
  const spec = JSON.parse((await agent.heard(id)).containerSpec)
  expect(spec.command).toEqual(['/bin/echo', 'hello', SECRET])
  expect(spec.environment.RCON_PASSWORD).toBe(SECRET)

  const seen = await startup(owner)
  expect(passwordIn(seen)).toBe(SECRET)
  expect(JSON.stringify([seen.command, seen.environment])).not.toContain(SECRET)
  const looker = await lodge.customer()
  await share(lodge, id, owner, looker, ['startup.view'])
  expect(JSON.stringify(await startup(looker))).not.toContain(SECRET)

  // Another value changes: the secret one stays the same and encrypted.
  await owner.must('PATCH /api/servers/{id}/settings', {
    params: { id },
    body: { variables: { GREETING: 'good day' } },
  })
  const next = JSON.parse((await agent.heard(id, 2)).containerSpec)
  expect(next.command).toEqual(['/bin/echo', 'good day', SECRET])
  expect(await rowText()).not.toContain(SECRET)
})

test('plain secrets from an earlier version are encrypted, and their node receives no change', async () => {
  await using lodge = await startLodge()
  const { owner, agent, id, rowText, startup } = await serverWithSecret(lodge)
  const before = await agent.heard(id)
  await lodge.database.pool.query(
    `update servers set sealed = null, variables = $2, desired_spec = $3 where id = $1`,
    [id, { RCON_PASSWORD: SECRET }, before.containerSpec],
  )
  expect(await rowText()).toContain(SECRET)
  await sealVariables(lodge.controlPlane.services)
  expect(await rowText()).not.toContain(SECRET)
  expect(passwordIn(await startup(owner))).toBe(SECRET)
  agent.close()
  await agent.connect()
  const after = await agent.heard(id)
  expect(after.generation).toBe(before.generation)
  expect(JSON.parse(after.containerSpec)).toEqual(JSON.parse(before.containerSpec))
})

test('only an owner renames a server', async () => {
  await using lodge = await startLodge()
  const { owner, params } = await serverWithImages(lodge)
  const rename = (caller: Caller, name: string) =>
    caller.call('PATCH /api/me/servers/{id}', { params, body: { name } })
  expect(await rename(owner, 'My castle')).toMatchObject({
    status: 200,
    body: { name: 'My castle' },
  })
  expect((await rename(owner, 'two\nlines')).status).toBe(400)
  expect((await rename(await lodge.customer(), 'Mine now')).status).toBe(404)
})

test('a customer sees no values of a template, only the names of the variables that can be set', async () => {
  await using lodge = await startLodge()
  await lodge.template()
  const values = async (caller: Caller) =>
    (await caller.must('GET /api/templates', { query: { limit: 100 } })).items.flatMap(
      ({ variables }) => variables.map((variable) => variable.default),
    )
  const seen = await values(await lodge.customer())
  expect(seen.length).toBeGreaterThan(0)
  expect(new Set(seen)).toEqual(new Set(['']))
  expect(await values(await lodge.admin())).toContain('hello')
})

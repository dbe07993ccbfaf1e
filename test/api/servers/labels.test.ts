import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { share } from '../support/share.ts'

let lodge: Lodge
let admin: Caller
let ann: Caller
let bob: Caller
let ids: string[]
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  ann = await lodge.customer()
  bob = await lodge.customer()
  const template = await lodge.template({
    connection: [
      'Join {{server.name}} at {{server.address}}:{{SERVER_PORT}}, ask for {{GREETING}}.',
      'The password is {{server.memory}}.',
    ],
    commands: [{ command: 'players', description: 'Who is here' }],
  })
  const node = await lodge.node()
  await lodge.standIn(node)
  const make = () => lodge.server({ ownerId: ann.id, templateId: template.id, nodeId: node.id })
  ids = [await make(), await make(), await make()]
  await share(lodge, ids[0] ?? '', ann, bob, ['console.read'])
})
afterAll(() => lodge[Symbol.asyncDispose]())

const at = (index: number) => ({ params: { id: ids[index] ?? '' } })
const found = async (caller: Caller, filter: string) =>
  (await caller.must('GET /api/servers', { query: { filter } })).items
    .map(({ id }) => ids.indexOf(id))
    .sort()

test('tags are lower-cased, sorted and unique, and a filter requires all of its tags', async () => {
  const tagged = await ann.must('PATCH /api/servers/{id}/labels', {
    ...at(0),
    body: { tags: ['PvP', 'eu', 'pvp'], icon: 'castle' },
  })
  expect(tagged).toMatchObject({ tags: ['eu', 'pvp'], icon: 'castle' })
  await ann.must('PATCH /api/servers/{id}/labels', { ...at(1), body: { tags: ['eu'] } })

  expect(await found(ann, 'tag:EU')).toEqual([0, 1])
  expect(await found(ann, 'tag:eu tag:pvp')).toEqual([0])
  expect(await found(ann, 'tag:eu,pvp')).toEqual([0, 1])
  expect(await found(admin, 'tag:pvp')).toEqual([0])
  expect(await found(bob, 'tag:eu')).toEqual([0])
  const stranger = await lodge.customer()
  expect(await found(stranger, 'tag:pvp')).toEqual([])
  const labels = (caller: Caller) => caller.must('GET /api/me/servers/labels')
  expect((await labels(ann)).tags).toEqual(['eu', 'pvp'])
  expect((await labels(stranger)).tags).toEqual([])
})

test('a change of icon or tags does not reach the node, a change of the name does', async () => {
  const generation = async () => {
    const { rows } = await lodge.database.pool.query(
      'select generation::int from servers where id = $1',
      [ids[0]],
    )
    return rows[0].generation
  }
  const before = await generation()
  await ann.must('PATCH /api/servers/{id}/labels', {
    ...at(0),
    body: { tags: ['eu', 'pvp'], icon: null },
  })
  expect(await generation()).toBe(before)
  const renamed = await ann.must('PATCH /api/servers/{id}/labels', {
    ...at(0),
    body: { name: 'Keep', icon: 'shield' },
  })
  expect(renamed).toMatchObject({ name: 'Keep', icon: 'shield' })
  expect(await generation()).toBeGreaterThan(before)
})

test('a tag of two words is refused at its place', async () => {
  const { status, body } = await ann.call('PATCH /api/servers/{id}/labels', {
    ...at(0),
    body: { tags: ['fine', 'two words'] },
  })
  expect(status).toBe(400)
  expect(body).toMatchObject({ errors: [{ pointer: '/tags/1' }] })
})

test('folders and favourites belong to one person and filter that person’s list', async () => {
  await ann.must('PUT /api/servers/{id}/mark', {
    ...at(0),
    body: { folder: 'Games', favourite: true },
  })
  await ann.must('PUT /api/servers/{id}/mark', {
    ...at(1),
    body: { folder: 'Games', favourite: false },
  })
  await bob.must('PUT /api/servers/{id}/mark', {
    ...at(0),
    body: { folder: "Ann's", favourite: false },
  })

  expect(await ann.must('GET /api/servers/{id}', at(0))).toMatchObject({
    folder: 'Games',
    favourite: true,
  })
  expect(await bob.must('GET /api/servers/{id}', at(0))).toMatchObject({
    folder: "Ann's",
    favourite: false,
  })
  expect(await found(ann, 'folder:Games')).toEqual([0, 1])
  expect(await found(ann, 'favourite:yes')).toEqual([0])
  expect(await found(ann, 'folder:games tag:pvp')).toEqual([0])
  expect(await found(bob, 'folder:Games')).toEqual([])
  expect(await found(admin, 'favourite:yes')).toEqual([])
  expect((await ann.must('GET /api/me/servers/labels')).folders).toEqual(['Games'])

  // A star and a folder are changed apart, so that one never takes the other along.
  await ann.must('PUT /api/servers/{id}/mark', { ...at(1), body: { favourite: true } })
  const kept = await ann.must('PUT /api/servers/{id}/mark', {
    ...at(1),
    body: { favourite: false },
  })
  expect(kept).toEqual({ folder: 'Games', favourite: false })
  await ann.must('PUT /api/servers/{id}/mark', { ...at(1), body: { folder: null } })
  expect(await found(ann, 'folder:Games')).toEqual([0])
})

test('notes can be read by everybody who sees the server and written by those who may rename it', async () => {
  const text = 'Backups on Sundays.\n\n- ask Ann first'
  expect(await ann.must('GET /api/servers/{id}/notes', at(2))).toEqual({
    text: '',
    changedAt: null,
    changedBy: null,
  })
  await ann.must('PUT /api/servers/{id}/notes', { ...at(0), body: { text } })
  expect(await bob.must('GET /api/servers/{id}/notes', at(0))).toMatchObject({
    text,
    changedBy: ann.email,
  })
  const refused = await bob.call('PUT /api/servers/{id}/notes', { ...at(0), body: { text: '' } })
  expect(refused.status).toBe(403)
  expect((await bob.call('GET /api/servers/{id}/notes', at(2))).status).toBe(404)
  expect((await admin.must('GET /api/servers/{id}/notes', at(0))).text).toBe(text)
})

test('the guide fills in the public address, and omits a hint that it cannot fill in', async () => {
  const server = await ann.must('GET /api/servers/{id}', at(1))
  expect(await ann.must('GET /api/servers/{id}/guide', at(1))).toEqual({
    connection:
      server.address === null
        ? []
        : [`Join ${server.name} at ${server.address}:${server.port}, ask for hello.`],
    commands: [{ command: 'players', description: 'Who is here' }],
  })
})

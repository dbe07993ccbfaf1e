import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { FileAccess } from '@lodge/shared/file-rules.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { share } from '../support/share.ts'
import { at, type FileWorld, fileWorld, putting } from './world.ts'

let world: FileWorld
let owner: Caller
let serverId: string
beforeAll(async () => {
  world = await fileWorld()
  ;({ owner } = world)
})
beforeEach(async () => {
  await world.lodge.database.pool.query('truncate rate_limits')
  serverId = await world.another()
})
afterAll(() => world?.[Symbol.asyncDispose]())

const params = () => ({ params: { id: serverId } })
const on = (name: string) => path.join(world.folderOf(serverId), name)
const write = async (name: string, text: string | Buffer) =>
  expect((await owner.send(putting(serverId, name, text))).statusCode).toBe(200)
const remove = (paths: string[], more: { permanent?: boolean } = {}, by = owner) =>
  by.call('POST /api/servers/{id}/files/delete', { ...params(), body: { paths, ...more } })
const restore = (ids: string[], by = owner) =>
  by.call('POST /api/servers/{id}/files/bin/restore', { ...params(), body: { ids } })
const list = (by = owner) => by.must('GET /api/servers/{id}/files/bin', { ...params(), query: {} })

async function deleted(...paths: string[]): Promise<string> {
  const { body } = await remove(paths)
  if (!('deletionId' in body) || body.deletionId === null) throw new Error('nothing was kept')
  return body.deletionId
}

test('deleted files are listed with person and time, and one request restores all of them', async () => {
  await write('/world/level.dat', 'level')
  await write('/motd.txt', 'hello')
  const id = await deleted('/world', '/motd.txt')
  expect(await readdir(world.folderOf(serverId))).toEqual(['.lodge'])
  const { items, usedBytes } = await list()
  const email = (await owner.must('GET /api/auth/me', {})).email
  expect(items).toMatchObject([
    { id: `${id}.0`, path: '/world', kind: 'folder', deletedBy: email },
    { id: `${id}.1`, path: '/motd.txt', kind: 'file', sizeBytes: 5, deletedBy: email },
  ])
  const [first] = items
  expect(Date.parse(first?.keptUntil ?? '') - Date.parse(first?.deletedAt ?? '')).toBe(
    7 * 86_400_000,
  )
  const usage = await owner.must('GET /api/servers/{id}/files/usage', params())
  expect(usage.binBytes).toBe(usedBytes)
  const back = await restore([id])
  expect(back.body).toMatchObject({
    items: [
      { path: '/world', entry: { path: '/world', kind: 'folder' } },
      { path: '/motd.txt', entry: { path: '/motd.txt' } },
    ],
  })
  expect(await readFile(on('world/level.dat'), 'utf8')).toBe('level')
  expect((await restore([id])).body).toMatchObject({ code: 'file_not_found' })
})

test('the audit record says which files were restored and which are gone for good', async () => {
  for (const name of ['/a', '/b', '/c']) await write(name, name)
  const id = await deleted('/a', '/b', '/c')
  await restore([`${id}.0`])
  await owner.must('POST /api/servers/{id}/files/bin/delete', {
    ...params(),
    body: { ids: [`${id}.1`] },
  })
  await owner.must('POST /api/servers/{id}/files/bin/empty', params())
  expect((await list()).items).toEqual([])
  const { items } = await world.admin.must('GET /api/servers/{id}/activity', {
    ...params(),
    query: {},
  })
  expect(items.map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      'deleted /a and 2 more on One',
      'restored /a from the deleted files of One',
      'deleted /b of One for good',
      'emptied the deleted files of One',
    ]),
  )
})

test('C5: a collaborator’s folder rules apply to the bin by the files’ original paths', async () => {
  const editor = await world.lodge.customer()
  await share(world.lodge, serverId, owner, editor, ['files.read', 'files.write', 'files.delete'])
  for (const name of ['/secrets/key', '/config/a.yml', '/open.txt']) await write(name, name)
  const id = await deleted('/secrets/key', '/config/a.yml', '/open.txt')
  const rules: { path: string; access: FileAccess }[] = [
    { path: '/secrets', access: 'none' },
    { path: '/config', access: 'read' },
  ]
  await world.lodge.database.pool.query(
    'update server_collaborators set files = $1 where user_id = $2 and server_id = $3',
    [JSON.stringify(rules), editor.id, serverId],
  )
  expect((await list(editor)).items.map((item) => item.path)).toEqual([
    '/config/a.yml',
    '/open.txt',
  ])
  expect((await restore([id], editor)).status).toBe(403)
  expect((await restore([`${id}.0`], editor)).status).toBe(404)
  expect((await restore([`${id}.1`], editor)).body).toMatchObject({ code: 'file_forbidden' })
  await editor.must('POST /api/servers/{id}/files/bin/empty', params())
  expect((await list()).items.map((item) => item.path)).toEqual(['/secrets/key', '/config/a.yml'])
  expect((await restore([id])).status).toBe(200)
  // A person who may only read sees the bin and cannot change anything in it.
  const reader = await world.lodge.customer()
  await share(world.lodge, serverId, owner, reader, ['files.read'])
  const again = await deleted('/config/a.yml')
  expect((await list(reader)).items).toHaveLength(1)
  for (const [verb, body] of [
    ['restore', { ids: [again] }],
    ['delete', { ids: [again] }],
    ['empty', undefined],
  ] as const) {
    const { statusCode, json } = await reader.send({
      method: 'POST',
      url: at(serverId, `/bin/${verb}`),
      ...(body && { payload: body }),
    })
    expect([statusCode, json().code], verb).toEqual([403, 'permission_required'])
  }
})

test('files that do not fit into the bin are deleted permanently, unless the request asks to keep them', async () => {
  const { diskMb = 0 } = await owner.must('GET /api/servers/{id}', params())
  const large = Buffer.alloc((diskMb / 4 + 1) * 1_048_576, 'l')
  await write('/large.bin', large)
  const refused = await remove(['/large.bin'], { permanent: false })
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'too_large_for_bin' }])
  expect((await remove(['/large.bin'])).body).toEqual({ items: [], deletionId: null })
  await write('/small.txt', 'small')
  expect((await remove(['/small.txt'], { permanent: true })).body).toEqual({
    items: [],
    deletionId: null,
  })
  expect((await list()).items).toEqual([])
})

test('the host sets how long deleted files are kept, or turns the bin off', async () => {
  const settings = await world.admin.must('GET /api/settings/self-service', {})
  const keep = (deletedFilesDays: number) =>
    world.admin.must('PUT /api/settings/self-service', { body: { ...settings, deletedFilesDays } })
  await keep(0)
  await write('/a.txt', 'a')
  expect((await remove(['/a.txt'], { permanent: false })).body).toMatchObject({
    code: 'too_large_for_bin',
  })
  expect((await remove(['/a.txt'])).body).toEqual({ items: [], deletionId: null })
  await keep(30)
  await write('/a.txt', 'a')
  await deleted('/a.txt')
  const [item] = (await list()).items
  expect(Date.parse(item?.keptUntil ?? '') - Date.parse(item?.deletedAt ?? '')).toBe(
    30 * 86_400_000,
  )
  await keep(settings.deletedFilesDays)
})

test('an agent of an earlier version deletes permanently, and lists no deleted files', async () => {
  const without = (change: string) =>
    world.lodge.database.pool.query(
      `update nodes set capabilities = ${change}(capabilities, 'agent.bin') where id = $1`,
      [world.node.id],
    )
  await writeFile(on('a.txt'), 'a')
  await without('array_remove')
  expect((await remove(['/a.txt'], { permanent: false })).body).toMatchObject({
    code: 'too_large_for_bin',
  })
  expect((await remove(['/a.txt'])).body).toEqual({ items: [], deletionId: null })
  expect(await list()).toEqual({ items: [], nextAfter: null, usedBytes: 0 })
  await without('array_append')
})

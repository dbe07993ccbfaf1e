import { lstat, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileRules } from '@lodge/shared/file-rules.ts'
import { FileList, FileSpace } from '@lodge/shared/files.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type Asking, FileFixture, type Reply } from './testing/file-fixture.ts'

/** All may be changed, but what is in /closed is hidden and what is in /shown only read. */
const rules: FileRules = [
  { path: '/closed', access: 'none' },
  { path: '/shown', access: 'read' },
  { path: '/mixed/closed', access: 'none' },
]
const limited: Asking = { rules }

let files: FileFixture
beforeEach(async () => {
  await files?.close()
  files = await FileFixture.open()
  for (const path of ['/closed/key', '/shown/doc', '/mixed/closed/key', '/mixed/open', '/own'])
    await files.put(path, 'the SECRET word')
  for (const folder of ['closed', 'shown', 'mixed'])
    await symlink(folder, join(files.data, `to-${folder}`))
})
afterAll(() => files.close())

const names = ({ json }: Reply) => FileList.parse(json).items.map(({ name }) => name)
const work = async (document: object) => {
  const body = JSON.stringify({ rules, may: ['read', 'write', 'delete'], ...document })
  const { bytes } = await files.ask('POST', `/v1/tasks/${crypto.randomUUID()}`, { body })
  return JSON.parse(bytes.toString().trim().split('\n').at(-1) ?? '')
}

test('what a rule closes is not listed, searched or packed, by any way to it', async () => {
  expect(names(await files.list('/', limited))).not.toContain('closed')
  expect(names(await files.list('/mixed', limited))).toEqual(['open'])
  expect(names(await files.list('/to-mixed', limited))).toEqual(['open'])
  for (const path of ['/closed', '/to-closed', '/to-mixed/closed'])
    expect((await files.list(path, limited)).json).toMatchObject({ code: 'file_forbidden' })
  for (const path of ['/closed/key', '/to-closed/key', '/to-mixed/closed/key'])
    expect((await files.get(path, limited)).json).toMatchObject({ code: 'file_forbidden' })
  const body = JSON.stringify({ path: '/', content: 'secret' })
  const found = (await files.ask('POST', '/v1/search', { ...limited, body })).bytes.toString()
  const lines = found
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.flatMap(({ entry }) => entry?.path ?? [])).toEqual([
    '/mixed/open',
    '/own',
    '/shown/doc',
  ])
  const space = async (path: string, asking: Asking = limited) =>
    (await files.ask('GET', `/v1/space?path=${path}`, asking)).json
  for (const path of ['/closed', '/to-mixed/closed'])
    expect(await space(path)).toMatchObject({ code: 'file_forbidden' })
  expect(await space('/to-closed')).toMatchObject({ code: 'not_a_folder' })
  const seen = FileSpace.parse(await space('/'))
  expect(seen.files.map(({ entry }) => entry.path).toSorted()).toEqual([
    '/mixed/open',
    '/own',
    '/shown/doc',
  ])
  // Of a closed folder that leads to an open one, only that is measured.
  const only = {
    rules: [{ path: '/', access: 'none' } as const, { path: '/mixed', access: 'read' } as const],
  }
  const file = {
    rules: [{ path: '/', access: 'none' } as const, { path: '/own', access: 'read' } as const],
  }
  const alone = FileSpace.parse(await space('/', file))
  expect(alone.files.map(({ entry }) => entry.path)).toEqual(['/own'])
  const led = FileSpace.parse(await space('/', only))
  expect(led.items.map(({ entry }) => entry.path)).toEqual(['/mixed'])
  expect(led.files.map(({ entry }) => entry.path).toSorted()).toEqual([
    '/mixed/closed/key',
    '/mixed/open',
  ])
  await work({ do: 'archive', paths: ['/'], to: '/all.zip', format: 'zip', replace: false })
  const listing = await work({ do: 'extract', path: '/all.zip', to: '/unpacked', replace: false })
  expect(listing.done).toMatchObject({ skippedCount: 0 })
  expect(await readdir(join(files.data, 'unpacked/mixed'))).toEqual(['open'])
  expect(await readdir(join(files.data, 'unpacked'))).not.toContain('closed')
  await work({ do: 'copy', moves: [{ from: '/mixed', to: '/copy' }], replace: false })
  expect(await readdir(join(files.data, 'copy'))).toEqual(['open'])
})

test('what a rule protects is not changed, by any way to it', async () => {
  for (const folder of ['/closed', '/shown', '/to-shown', '/to-closed', '/to-mixed/closed']) {
    const refused = [
      await files.put(`${folder}/new`, 'x', limited),
      await files.put(`${folder}/doc`, 'x', limited),
      await files.do({ do: 'mkdir', path: `${folder}/sub` }, limited),
      await files.do(
        { do: 'rename', moves: [{ from: '/own', to: `${folder}/own` }], replace: true },
        limited,
      ),
      await files.do({ do: 'copy', from: '/own', to: `${folder}/own`, replace: true }, limited),
      await files.do(
        { do: 'chmod', paths: [`${folder}/doc`, `${folder}/key`], mode: '600' },
        limited,
      ),
      await files.do({ do: 'delete', paths: [`${folder}/doc`] }, limited),
      await files.do({ do: 'delete', paths: [`${folder}/key`] }, limited),
    ]
    for (const reply of refused) expect(reply.status, folder).toBeGreaterThanOrEqual(400)
  }
  const start = { path: '/to-shown/doc', sizeBytes: 1, replace: true }
  const upload = await files.ask('POST', '/v1/uploads', { ...limited, body: JSON.stringify(start) })
  expect(upload.json).toMatchObject({ code: 'file_forbidden' })
  for (const path of ['/closed/key', '/shown/doc', '/mixed/closed/key'])
    expect((await files.get(path)).bytes.toString()).toBe('the SECRET word')
  expect((await lstat(join(files.data, 'closed/key'))).mode & 0o777).toBe(0o644)
})

test('a folder that contains something protected is neither deleted nor moved', async () => {
  const remove = { do: 'delete', paths: ['/mixed'] }
  expect((await files.do(remove, limited)).json).toMatchObject({ code: 'file_forbidden' })
  const move = { do: 'rename', moves: [{ from: '/mixed', to: '/elsewhere' }], replace: false }
  expect((await files.do(move, limited)).json).toMatchObject({ code: 'file_forbidden' })
  expect((await work({ do: 'delete', paths: ['/mixed'] })).refused).toMatchObject({
    code: 'file_forbidden',
  })
  // A folder that nobody may look into cannot be filled from elsewhere either.
  await files.do({ do: 'mkdir', path: '/other/closed' }, limited)
  await files.do({ do: 'delete', paths: ['/mixed'] })
  const fill = { do: 'rename', moves: [{ from: '/other', to: '/mixed' }], replace: false }
  expect((await files.do(fill, limited)).json).toMatchObject({ code: 'file_forbidden' })
})

test('a closed folder that leads to an open one shows only the way', async () => {
  const guest: Asking = {
    rules: [
      { path: '/', access: 'none' },
      { path: '/mixed/closed', access: 'read' },
    ],
  }
  expect(names(await files.list('/', guest))).toEqual(['mixed'])
  expect(names(await files.list('/mixed', guest))).toEqual(['closed'])
  expect(names(await files.list('/mixed/closed', guest))).toEqual(['key'])
  expect((await files.get('/mixed/open', guest)).json).toMatchObject({ code: 'file_forbidden' })
  expect((await files.get('/mixed/closed/key', guest)).status).toBe(200)
})

test('rights apply beside the rules, and without any nothing is possible', async () => {
  const reader: Asking = { may: ['read'] }
  expect((await files.get('/own', reader)).status).toBe(200)
  expect((await files.put('/own', 'x', reader)).json).toMatchObject({ code: 'file_forbidden' })
  const writer: Asking = { may: ['read', 'write'] }
  const remove = { do: 'delete', paths: ['/own'] }
  expect((await files.do(remove, writer)).json).toMatchObject({ code: 'file_forbidden' })
  expect((await files.get('/own', { may: ['write'] })).json).toMatchObject({
    code: 'file_forbidden',
  })
  const nothing = await files.get('/own', { headers: { 'x-lodge-may': undefined } })
  expect(nothing.json).toMatchObject({ code: 'invalid_file_request' })
  const unreadable = await files.get('/own', { headers: { 'x-lodge-rules': '{' } })
  expect(unreadable.json).toMatchObject({ code: 'invalid_file_request' })
  const foreign: FileRules = [{ path: '/日本', access: 'none' }]
  await files.put('/日本/key', 'x')
  expect((await files.get('/日本/key', { rules: foreign })).json).toMatchObject({
    code: 'file_forbidden',
  })
})

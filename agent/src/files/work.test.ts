import { writeFileSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FileList } from '@lodge/shared/files.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FileFixture } from './testing/file-fixture.ts'

let files: FileFixture
beforeEach(async () => {
  files = await FileFixture.open()
})
afterEach(() => files.close())

const everything = { rules: [], may: ['read', 'write', 'delete'] }
const send = (id: string, work: object) =>
  files.ask('POST', `/v1/tasks/${id}`, { body: JSON.stringify({ ...everything, ...work }) })
const end = async (id: string, work: object) =>
  JSON.parse((await send(id, work)).bytes.toString().trim().split('\n').at(-1) ?? '')

test('a copy that was killed in the middle is made whole when its task comes again', async () => {
  for (let file = 0; file < 12; file += 1)
    await files.put(`/world/region/${file}`, Buffer.alloc(12_000_000, `${file}`))
  const work = { do: 'copy', moves: [{ from: '/world', to: '/kept/world' }], replace: false }
  const broken = send('copy-1', work).catch((error: unknown) => error)
  const staged = join(files.data, '.lodge/tasks/copy-1/out/0/region')
  await expect.poll(() => readdir(staged).catch(() => []), { interval: 5 }).not.toEqual([])
  await files.killHelper()
  expect(await broken).toBeInstanceOf(Error)
  expect(await readdir(files.data)).not.toContain('kept')
  const { done } = await end('copy-1', work)
  expect(done).toMatchObject({ entries: 14, bytes: 144_000_000, skippedCount: 0 })
  const [one, other] = await Promise.all(
    ['world', 'kept/world'].map((at) => readFile(join(files.data, at, 'region/7'))),
  )
  expect(other && one?.equals(other)).toBe(true)
  expect(await readdir(join(files.data, '.lodge/tasks/copy-1'))).toEqual(['done.json', 'plan.json'])
})

test('a task that is sent again never has a second effect', async () => {
  await files.put('/old/file', 'old')
  const remove = { do: 'delete', paths: ['/old'] }
  const first = await end('delete-1', remove)
  expect(first.done).toMatchObject({ entries: 2 })
  await files.put('/old/file', 'made since')
  await files.killHelper()
  expect(await end('delete-1', remove)).toEqual(first)
  expect((await files.get('/old/file')).bytes.toString()).toBe('made since')
})

test('what killed tasks have deleted or not finished goes at the next start, whether they come again or not', async () => {
  const make = async (path: string, document?: string): Promise<void> => {
    if (document === undefined) await mkdir(join(files.data, path))
    else await writeFile(join(files.data, path), document)
    await files.own(path)
  }
  for (const path of ['.lodge', '.lodge/tasks']) await make(path)
  for (const [task, folder, document] of [
    ['deletes', 'trash', 'plan.json'],
    ['prepares', 'out', undefined],
    ['goes-on', 'out', 'plan.json'],
    ['is-done', 'out', 'plan.json'],
  ] as const) {
    const at = `.lodge/tasks/${task}`
    for (const path of [at, `${at}/${folder}`, `${at}/${folder}/0`]) await make(path)
    await make(`${at}/${folder}/0/world.dat`, 'bytes')
    if (document) await make(`${at}/${document}`, '{}')
  }
  await make('.lodge/tasks/is-done/done.json', '{}')
  await files.list('/')
  const kept = async () =>
    (await readdir(join(files.data, '.lodge'), { recursive: true })).filter((path) =>
      path.endsWith('world.dat'),
    )
  await expect.poll(kept).toEqual(['tasks/goes-on/out/0/world.dat'])
})

test('a cancelled task leaves nothing behind', async () => {
  for (let file = 0; file < 10; file += 1)
    await files.put(`/big/${file}`, Buffer.alloc(20_000_000, `${file}`))
  const body = JSON.stringify({
    ...everything,
    ...{ do: 'archive', paths: ['/big'], to: '/big.tar.gz', format: 'tar.gz', replace: false },
  })
  const socket = await files.helpers.connect('a-server')
  socket.write(
    `POST /v1/tasks/gone HTTP/1.1\r\nhost: files\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await expect
    .poll(() => lstat(join(files.data, '.lodge/tasks/gone/out/0')).catch(() => null), {
      interval: 5,
    })
    .not.toBeNull()
  socket.destroy()
  await expect.poll(() => readdir(join(files.data, '.lodge/tasks'))).toEqual([])
  expect(await readdir(files.data)).not.toContain('big.tar.gz')
})

test('text is found in a file that is one long line, and each line once', async () => {
  const line = `${'x'.repeat(300_000)} needle ${'y'.repeat(300_000)} needle`
  await files.put('/one.json', `first needle\n${line}\nlast`)
  const body = JSON.stringify({ path: '/', content: 'needle' })
  const { bytes } = await files.ask('POST', '/v1/search', { body })
  const lines = bytes.toString().trim().split('\n').slice(0, -1)
  expect(lines.map((one) => JSON.parse(one).line)).toEqual([1, 2])
})

test('a folder of ten thousand files is listed page by page, in order', async () => {
  await mkdir(join(files.data, 'many'))
  for (let file = 0; file < 10_000; file += 1)
    writeFileSync(join(files.data, 'many', String(file).padStart(5, '0')), '')
  const names: string[] = []
  let after = ''
  for (;;) {
    const query = `path=${encodeURIComponent('/many')}&limit=1000${after}`
    const { json } = await files.ask('GET', `/v1/list?${query}`)
    const { items, nextAfter } = FileList.parse(json)
    names.push(...items.map(({ name }) => name))
    if (nextAfter === null) break
    after = `&after=${encodeURIComponent(nextAfter)}`
  }
  expect(names).toHaveLength(10_000)
  expect(names).toEqual(
    names.toSorted((one, two) => Buffer.compare(Buffer.from(one), Buffer.from(two))),
  )
})

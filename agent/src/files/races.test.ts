import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BinList } from '@lodge/shared/deleted-files.ts'
import { UploadStarted } from '@lodge/shared/files.ts'
import { expect, test } from 'vitest'
import { lengthOf } from '../../../test/run/lengths.ts'
import { PATIENCE_MS } from '../../../test/run/patience.ts'
import { FileFixture, UID } from './testing/file-fixture.ts'

test('no race of renames and links ever leads out of the folder of a server', async () => {
  const files = await FileFixture.open()
  // Without the sandbox, in which nothing outside exists: what is proven is the way of opening.
  files.openly()
  const outside = join(files.folder, 'outside')
  await mkdir(join(outside, 'victim'), { recursive: true })
  await writeFile(join(outside, 'secret'), 'the OUTSIDE secret')
  await writeFile(join(outside, 'victim/file'), 'the OUTSIDE secret')
  if (process.getuid?.() === 0)
    for (const path of ['', 'secret', 'victim', 'victim/file'])
      await chown(join(outside, path), UID, UID)
  const picture = async () =>
    await Promise.all(
      ['.', 'secret', 'victim', 'victim/file'].map(async (path) => {
        const { mode, ino, size, mtimeMs } = await lstat(join(outside, path))
        return [path, mode, ino, size, mtimeMs]
      }),
    )
  const before = await picture()
  await files.list('/')
  const attacker = spawn(
    process.execPath,
    [fileURLToPath(import.meta.resolve('./testing/swap.ts')), files.data, outside],
    { stdio: 'ignore', ...(process.getuid?.() === 0 && { uid: UID, gid: UID }) },
  )
  const zip = await archiveOf(files)
  const endsAt = performance.now() + lengthOf('LODGE_FILE_RACE_SECONDS') * 1000
  const seen: Buffer[] = []
  const statuses = new Set<number>()
  let rounds = 0
  // A race that was one: some were let through, and some were refused for the link.
  const isRaced = () => rounds > 5 && statuses.has(200) && statuses.has(403)
  const patienceEndsAt = performance.now() + PATIENCE_MS
  while (performance.now() < (isRaced() ? endsAt : patienceEndsAt)) {
    rounds += 1
    const replies = await Promise.all(attacks(files, zip, rounds))
    for (const { bytes, status } of replies) {
      seen.push(bytes)
      statuses.add(status)
    }
    if (seen.some((bytes) => bytes.includes('OUTSIDE'))) break
    seen.length = 0
  }
  attacker.kill('SIGKILL')
  await once(attacker, 'exit')
  expect(seen.some((bytes) => bytes.includes('OUTSIDE'))).toBe(false)
  expect(await picture()).toEqual(before)
  expect((await readdir(outside)).toSorted()).toEqual(['secret', 'victim'])
  expect(await readFile(join(outside, 'victim/file'), 'utf8')).toBe('the OUTSIDE secret')
  // Nothing that was copied or packed on the way contains it either.
  const all = await readdir(files.data, { recursive: true, withFileTypes: true })
  const leaked: string[] = []
  for (const entry of all) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && (await readFile(path)).includes('OUTSIDE')) leaked.push(path)
  }
  expect(leaked).toEqual([])
  expect(isRaced()).toBe(true)
  await files.close()
})

async function archiveOf(files: FileFixture): Promise<string> {
  await files.put('/source/victim/file', 'from an archive')
  await files.put('/source/new', 'from an archive')
  const { bytes } = await files.ask(
    'GET',
    '/v1/archive?path=%2Fsource%2Fvictim&path=%2Fsource%2Fnew&format=zip',
  )
  await files.put('/some.zip', bytes)
  return '/some.zip'
}

/** Every operation, on a path that is a folder and a link in turns. */
function attacks(files: FileFixture, zip: string, round: number) {
  const work = (document: object) =>
    files.ask('POST', `/v1/tasks/race-${round}-${Math.random().toString(36).slice(2)}`, {
      body: JSON.stringify({ rules: [], may: ['read', 'write', 'delete'], ...document }),
    })
  const bin = (path: string, document: object) =>
    files.ask('POST', `/v1/bin${path}`, { body: JSON.stringify(document) })
  const all = [
    () => files.list('/swap'),
    () => files.get('/swap/secret'),
    () => files.put('/swap/secret', 'overwritten'),
    () => files.put('/swap/new/file', 'made'),
    () => files.do({ do: 'mkdir', path: '/swap/made' }),
    () => files.do({ do: 'chmod', paths: ['/swap/secret', '/swap/victim'], mode: '777' }),
    () => files.do({ do: 'delete', paths: ['/swap/victim'] }),
    () =>
      files.do({
        do: 'rename',
        moves: [{ from: '/swap/victim', to: `/taken-${round}` }],
        replace: true,
      }),
    () =>
      files.do({ do: 'rename', moves: [{ from: '/source/new', to: '/swap/put' }], replace: true }),
    () => files.do({ do: 'copy', from: '/swap/secret', to: '/copied', replace: true }),
    () => files.do({ do: 'copy', from: '/some.zip', to: '/swap/copied', replace: true }),
    () => files.ask('GET', '/v1/archive?path=%2Fswap&format=tar.gz'),
    () => files.ask('POST', '/v1/search', { body: '{"path":"/","content":"secret"}' }),
    () => upload(files),
    () => work({ do: 'extract', path: zip, to: '/swap', replace: true }),
    () => work({ do: 'copy', moves: [{ from: '/swap', to: '/whole' }], replace: true }),
    () => work({ do: 'copy', moves: [{ from: '/source', to: '/swap/source' }], replace: true }),
    () =>
      work({ do: 'archive', paths: ['/swap'], to: '/packed.zip', format: 'zip', replace: true }),
    () => work({ do: 'delete', paths: ['/swap/victim'] }),
    () =>
      bin('', { paths: ['/swap/victim', '/swap/secret'], by: null, days: 1, otherwise: 'delete' }),
    () => restoreSome(files),
  ]
  return all
    .filter((_, index) => (index + round) % 4 === 0)
    .map((attack) =>
      // An archive whose files vanish while it is sent breaks off.
      attack().catch(() => ({ bytes: Buffer.alloc(0), status: 0 })),
    )
}

async function upload(files: FileFixture) {
  const body = JSON.stringify({ path: '/swap/uploaded', sizeBytes: 4, replace: true })
  const started = await files.ask('POST', '/v1/uploads', { body })
  if (started.status !== 201) return started
  return await files.ask('PATCH', `/v1/uploads/${UploadStarted.parse(started.json).uploadId}`, {
    headers: { 'x-offset': 0 },
    body: 'four',
  })
}

/** What was deleted from the path that changes goes back to it. */
async function restoreSome(files: FileFixture) {
  const listed = await files.ask('GET', '/v1/bin?limit=2')
  const ids = BinList.parse(listed.json).items.map(({ id }) => id)
  if (ids.length === 0) return listed
  return await files.ask('POST', '/v1/bin/restore', { body: JSON.stringify({ ids }) })
}

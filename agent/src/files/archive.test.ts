import { execFile } from 'node:child_process'
import {
  chmod,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { createGzip, gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { HOSTILE, tarOf } from './testing/archives.ts'
import { FileFixture, UID } from './testing/file-fixture.ts'

const run = promisify(execFile)
let files: FileFixture
beforeAll(async () => {
  files = await FileFixture.open()
  await makeTree(join(files.data, 'tree'))
  if (process.getuid?.() === 0) await run('chown', ['-hR', `${UID}:${UID}`, files.data])
})
afterAll(() => files.close())

const NAMES = [
  'café',
  'Привет',
  '日本語',
  'مرحبا',
  '🎮',
  'a b  c',
  'quote\'"',
  '-rf',
  'ÀÉ'.normalize('NFD'),
]

async function makeTree(root: string): Promise<void> {
  await mkdir(join(root, 'empty'), { recursive: true })
  for (const [index, name] of NAMES.entries()) {
    await mkdir(join(root, name))
    for (let file = 0; file < 40; file += 1) {
      const path = join(root, name, `${file}.txt`)
      await writeFile(path, `${name} ${'content '.repeat(file * 50)}`)
      await chmod(path, [0o644, 0o755, 0o600, 0o444][file % 4] ?? 0o644)
      await utimes(path, 1_500_000_000 + index, 1_500_000_000.25 + index * 1000 + file)
    }
  }
  await writeFile(join(root, 'long'), Buffer.alloc(3_000_001, 'x'))
  await writeFile(join(root, `${'n'.repeat(250)}.txt`), 'a long name')
  await link(join(root, 'long'), join(root, 'hard'))
  await symlink('long', join(root, 'link'))
  await symlink('../nowhere', join(root, 'dangling'))
  await writeFile(join(root, 'sparse'), 'begin')
  await truncate(join(root, 'sparse'), 40_000_000)
  await chmod(join(root, 'empty'), 0o500)
}

/** Everything that a tree is, by path. */
async function shape(root: string, seconds: boolean): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const name of await readdir(root, { recursive: true })) {
    const path = join(root, name)
    const stats = await lstat(path)
    const time = seconds ? Math.floor(stats.mtimeMs / 1000) : Math.round(stats.mtimeMs)
    const content = stats.isSymbolicLink()
      ? await readlink(path)
      : stats.isFile()
        ? (await readFile(path)).toString('base64').slice(0, 500)
        : null
    const [mode, modified] = stats.isDirectory() ? [stats.mode, 0] : [stats.mode, time]
    found[name] = [mode, stats.size * (stats.isDirectory() ? 0 : 1), modified, content]
  }
  return found
}

const work: FileFixture['task'] = (document) => files.task(document)

for (const format of ['tar.gz', 'tar.zst', 'zip'] as const) {
  test(`a tree comes back from ${format} as it was`, async () => {
    const to = `/packed.${format}`
    const packed = await work({ do: 'archive', paths: ['/tree'], to, format, replace: false })
    expect(packed.done).toMatchObject({ skippedCount: 0 })
    const back = await work({ do: 'extract', path: to, to: `/back-${format}`, replace: false })
    expect(back.done).toMatchObject({ skippedCount: 0 })
    const original = await shape(join(files.data, 'tree'), format === 'zip')
    const copy = join(files.data, `back-${format}`, 'tree')
    expect(await shape(copy, format === 'zip')).toEqual(original)
    expect((await lstat(join(copy, 'sparse'))).blocks).toBeLessThan(1_000)
    if (format !== 'zip') expect((await lstat(join(copy, 'hard'))).nlink).toBe(2)
    const again = await work({ do: 'archive', paths: ['/tree'], to, format, replace: false })
    expect(again.refused).toMatchObject({ code: 'file_exists' })
  })
}

test('what is downloaded as an archive is read by foreign tools', async () => {
  const { bytes } = await files.ask('GET', '/v1/archive?path=%2Ftree&format=tar.gz')
  const archive = join(files.folder, 'download.tar.gz')
  await writeFile(archive, bytes)
  const into = join(files.folder, 'foreign')
  await mkdir(into)
  await run('tar', ['-xpzf', archive, '-C', into])
  expect(await shape(join(into, 'tree'), true)).toEqual(await shape(join(files.data, 'tree'), true))
})

test('an archive never writes outside its folder', async () => {
  for (const [name, entries] of Object.entries(HOSTILE)) {
    await files.put(`/${name}.tgz`, await tarOf(entries))
    const result = await work({
      do: 'extract',
      path: `/${name}.tgz`,
      to: `/in-${name}`,
      replace: true,
    })
    if (name === 'throughLink') continue
    expect(result.refused, name).toMatchObject({ code: 'invalid_archive' })
    expect(await readdir(files.data)).not.toContain(`in-${name}`)
  }
  expect(await readdir(join(files.data, 'tree'))).not.toContain('walked')
  expect(await readdir(join(files.data, 'tree'))).not.toContain('walked-again')
  expect(await readdir(files.folder)).not.toContain('climbed')
})

test('devices and links that lead out are left out, and said to be', async () => {
  const archive = await tarOf([
    { name: 'null', type: 'character-device', devmajor: 1, devminor: 3 },
    { name: 'pipe', type: 'fifo' },
    { name: 'passwd', type: 'symlink', linkname: '/etc/passwd' },
    { name: 'up', type: 'symlink', linkname: '../../../etc' },
    { name: 'fine', mode: 0o4755, text: 'kept' },
    { name: 'other', type: 'link', linkname: 'left/out' },
  ])
  await files.put('/odd.tgz', archive)
  const { done } = await work({ do: 'extract', path: '/odd.tgz', to: '/odd', replace: false })
  expect(done?.skipped.map(({ path }) => path)).toEqual(['null', 'pipe', 'passwd', 'up', 'other'])
  expect(await readdir(join(files.data, 'odd'))).toEqual(['fine'])
  expect((await lstat(join(files.data, 'odd/fine'))).mode & 0o7777).toBe(0o755)
})

test('names of old programs are read, whatever encoding they have', async () => {
  const old = join(files.folder, 'old')
  await mkdir(old)
  for (const byte of [0xe9, 0xe8])
    await writeFile(Buffer.concat([Buffer.from(`${old}/caf`), Buffer.of(byte)]), 'x')
  await writeFile(join(old, 'größe'), 'x')
  await run('tar', ['-czf', `${old}.tgz`, '-C', old, '.'])
  await files.put('/old.tgz', await readFile(`${old}.tgz`))
  await work({ do: 'extract', path: '/old.tgz', to: '/old', replace: false })
  expect((await readdir(join(files.data, 'old'))).toSorted()).toEqual(
    ['café', 'cafè', 'größe'].toSorted(),
  )

  const zip = new ZipFile()
  zip.addBuffer(Buffer.from('x'), 'größe')
  zip.end()
  const bytes = await buffer(zip.outputStream)
  // As macOS writes it: UTF-8 that is not said to be.
  for (const [mark, flags] of [
    ['PK\x03\x04', 6],
    ['PK\x01\x02', 8],
  ] as const) {
    const at = bytes.indexOf(mark) + flags
    bytes.writeUInt16LE(bytes.readUInt16LE(at) & ~0x800, at)
  }
  await files.put('/mac.zip', bytes)
  await work({ do: 'extract', path: '/mac.zip', to: '/mac', replace: false })
  expect(await readdir(join(files.data, 'mac'))).toEqual(['größe'])
})

test('a bomb is refused before it fills the disk', async () => {
  const gzip = createGzip()
  const tar = pack()
  tar.entry({ name: 'zeros', size: 400_000_000 }).end(Buffer.alloc(400_000_000))
  tar.finalize()
  const parts: Buffer[] = []
  void (async () => {
    for await (const part of tar) gzip.write(part)
    gzip.end()
  })()
  for await (const part of gzip) parts.push(part)
  await files.put('/bomb.tgz', Buffer.concat(parts))
  const { refused } = await work({ do: 'extract', path: '/bomb.tgz', to: '/bomb', replace: false })
  expect(refused).toMatchObject({ code: 'invalid_archive' })
  expect(await readdir(join(files.data, '.lodge/tasks'))).not.toContain(`task-${files.tasks}`)
})

test('a damaged, an unknown and a foreign archive are told apart from a failure', async () => {
  await files.put('/damaged.zip', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100)]))
  await files.put('/damaged.tgz', gzipSync(Buffer.alloc(2_000, 'x')).subarray(0, 30))
  await files.put('/text', 'no archive')
  for (const path of ['/damaged.zip', '/damaged.tgz', '/text']) {
    const { refused } = await work({ do: 'extract', path, to: '/never', replace: false })
    expect(refused, path).toMatchObject({ code: 'invalid_archive' })
  }
})

test('what is there already stays, unless it is to be replaced', async () => {
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from('new'), 'a')
  zip.addBuffer(Buffer.from('new'), 'folder/b')
  zip.addBuffer(Buffer.from('new'), '.lodge/uploads/c')
  zip.end()
  const parts: Buffer[] = []
  for await (const part of zip.outputStream) parts.push(part as Buffer)
  await files.put('/some.zip', Buffer.concat(parts))
  await files.put('/folder/b', 'old')
  const first = await work({ do: 'extract', path: '/some.zip', to: '/', replace: false })
  expect(first.done).toMatchObject({ skippedCount: 2 })
  expect((await files.get('/folder/b')).bytes.toString()).toBe('old')
  expect((await files.get('/a')).bytes.toString()).toBe('new')
  await work({ do: 'extract', path: '/some.zip', to: '/', replace: true })
  expect((await files.get('/folder/b')).bytes.toString()).toBe('new')
  expect(await readdir(join(files.data, '.lodge/uploads'))).toEqual([])
})

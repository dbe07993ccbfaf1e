import { execFile } from 'node:child_process'
import {
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONVERTER } from './seven-zip.ts'
import { HOSTILE, type TarEntry, tarOf } from './testing/archives.ts'
import { FileFixture } from './testing/file-fixture.ts'

const run = promisify(execFile)
let files: FileFixture
beforeAll(async () => {
  files = await FileFixture.open()
})
afterAll(() => files.close())

/** Puts a 7z archive of exactly these entries into the server. */
async function put(name: string, entries: readonly TarEntry[]): Promise<void> {
  const tar = join(files.folder, `${name}.tgz`)
  await writeFile(tar, await tarOf(entries))
  await run(CONVERTER, ['-P', '-c', '--format', '7zip', '-f', `${tar}.7z`, `@${tar}`], {
    env: { LC_ALL: 'C.UTF-8' },
  })
  await files.put(`/${name}.7z`, await readFile(`${tar}.7z`))
}

const extract = (name: string) =>
  files.task({ do: 'extract', path: `/${name}.7z`, to: `/in-${name}`, replace: true })

test('a 7z archive is unpacked with its folders, links, permissions and names', async () => {
  const large = Buffer.alloc(5_000_000, 'some content ')
  const tree = join(files.folder, 'tree')
  await mkdir(join(tree, 'empty'), { recursive: true })
  await mkdir(join(tree, 'größe/日本語'), { recursive: true })
  await writeFile(join(tree, 'größe/日本語/🎮.txt'), 'played')
  await writeFile(join(tree, 'large'), large)
  await writeFile(join(tree, 'run.sh'), '#!', { mode: 0o755 })
  await symlink('run.sh', join(tree, 'link'))
  const packed = join(files.folder, 'tree.7z')
  await run('7zz', ['a', '-snl', packed, '.'], { cwd: tree })
  await files.put('/tree.7z', await readFile(packed))
  const { done } = await extract('tree')
  expect(done).toMatchObject({ entries: 7, bytes: 5_000_008, skippedCount: 0 })
  const at = (path: string) => join(files.data, 'in-tree', path)
  expect(await readFile(at('größe/日本語/🎮.txt'), 'utf8')).toBe('played')
  expect(large.equals(await readFile(at('large')))).toBe(true)
  expect((await lstat(at('run.sh'))).mode & 0o7777).toBe(0o755)
  expect(await readlink(at('link'))).toBe('run.sh')
  expect(await readdir(at('empty'))).toEqual([])
})

test('a 7z archive never writes outside its folder', async () => {
  for (const name of ['climbing', 'absolute', 'throughLink'] as const) {
    await put(name, HOSTILE[name])
    const { refused } = await extract(name)
    if (name === 'throughLink') continue
    expect(refused, name).toMatchObject({ code: 'invalid_archive' })
    expect(await readdir(files.data)).not.toContain(`in-${name}`)
  }
  expect(await readdir(files.folder)).not.toContain('climbed')
  const found = await readdir(files.data, { recursive: true })
  expect(found.filter((path) => path.includes('walked'))).toEqual([])
})

test('links that lead out are left out, and no setuid bit survives', async () => {
  await put('odd', [
    { name: 'passwd', type: 'symlink', linkname: '/etc/passwd' },
    { name: 'fine', mode: 0o4755, text: 'kept' },
  ])
  const { done } = await extract('odd')
  expect(done?.skipped.map(({ path }) => path)).toEqual(['passwd'])
  expect(await readdir(join(files.data, 'in-odd'))).toEqual(['fine'])
  expect((await lstat(join(files.data, 'in-odd/fine'))).mode & 0o7777).toBe(0o755)
})

test('a bomb, a cut and an encrypted 7z archive are refused and leave nothing', async () => {
  const zeros = join(files.folder, 'zeros')
  await writeFile(zeros, '')
  await truncate(zeros, 300_000_000)
  await run('7zz', ['a', '-mx=1', join(files.folder, 'bomb.7z'), zeros])
  await files.put('/bomb.7z', await readFile(join(files.folder, 'bomb.7z')))
  await put('whole', [{ name: 'a', text: 'x'.repeat(10_000) }])
  const whole = await readFile(join(files.data, 'whole.7z'))
  await files.put('/cut.7z', whole.subarray(0, -20))
  const secret = join(files.folder, 'secret.7z')
  await run('7zz', ['a', '-psecret', secret, join(files.folder, 'whole.tgz')])
  await files.put('/secret.7z', await readFile(secret))
  for (const name of ['bomb', 'cut', 'secret']) {
    const { refused } = await extract(name)
    expect(refused, name).toMatchObject({ code: 'invalid_archive' })
    expect(await readdir(files.data)).not.toContain(`in-${name}`)
    expect(await readdir(join(files.data, '.lodge/tasks'))).not.toContain(`task-${files.tasks}`)
  }
})

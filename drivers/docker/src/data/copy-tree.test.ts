import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyTree } from './copy-tree.ts'

const run = promisify(execFile)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lodge-copy-'))
})
afterAll(async () => {
  await run('umount', [path.join(folder, 'plain')]).catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
})

const copy = (from: string, to: string) =>
  copyTree({
    ...{ from, to, owner: null, ownDisk: true },
    onProgress: () => {},
    signal: new AbortController().signal,
  })

/** A header of a tar archive, whose other fields do not matter here. */
function header(name: string, type: string, size: number): Buffer {
  const block = Buffer.alloc(512)
  block.write(name, 0)
  block.write('0000644\0', 100)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write('00000000000\0', 136)
  block.write('        ', 148)
  block.write(`${type}ustar\x0000`, 156)
  const sum = block.reduce((all, byte) => all + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

const padded = (text: string) =>
  Buffer.concat([Buffer.from(text), Buffer.alloc(512)]).subarray(0, 512)

/** A folder with one file that has an extended attribute. */
async function withAttribute(name: string): Promise<string> {
  const record = '30 SCHILY.xattr.user.note=abc\n'
  const archive = path.join(folder, `${name}.tar`)
  await writeFile(
    archive,
    Buffer.concat([
      ...[header('x', 'x', record.length), padded(record), header('file', '0', 5), padded('hello')],
      Buffer.alloc(1024),
    ]),
  )
  const made = path.join(folder, name)
  await mkdir(made)
  await run('tar', ['--xattrs', '-xf', archive, '-C', made])
  return made
}

async function attributesIn(place: string): Promise<boolean> {
  const { stdout } = await run('tar', ['--xattrs', '-cf', '-', '-C', place, '.'])
  return stdout.includes('SCHILY.xattr.user.note=abc')
}

test('a copy has the extended attributes of its files, or there is none', async () => {
  const from = await withAttribute('from')
  expect(await attributesIn(from)).toBe(true)
  const to = path.join(folder, 'to')
  await mkdir(to)
  await copy(from, to)
  expect(await attributesIn(to)).toBe(true)

  const plain = path.join(folder, 'plain')
  await mkdir(plain)
  await run('mount', ['-t', 'ramfs', 'none', plain])
  await expect(copy(from, plain)).rejects.toMatchObject({ code: 'unsupported' })
})

import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyFingerprinted } from './copy-file.ts'

const MIB = 1024 * 1024
const signal = new AbortController().signal
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lodge-copy-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('copies every byte with its fingerprint and leaves holes for zeros', async () => {
  const from = join(folder, 'from')
  // Data that is not aligned to blocks, with zeros between and at the end.
  const bytes = Buffer.concat([
    randomBytes(300_001),
    Buffer.alloc(3 * MIB),
    randomBytes(MIB + 7),
    Buffer.alloc(2 * MIB + 3),
  ])
  await writeFile(from, bytes)
  const to = join(folder, 'to')
  await writeFile(to, 'what was there before')
  let told = 0
  const sha256 = await copyFingerprinted(from, to, signal, (count) => {
    told += count
  })
  expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  expect((await readFile(to)).equals(bytes)).toBe(true)
  expect((await stat(to)).blocks * 512).toBeLessThan(2 * MIB)
  expect(told).toBe(bytes.length)
})

it('copies an empty file, and stops on abort', async () => {
  const from = join(folder, 'nothing')
  await writeFile(from, '')
  const to = join(folder, 'to nothing')
  const sha256 = await copyFingerprinted(from, to, signal)
  expect(sha256).toBe(createHash('sha256').digest('hex'))
  expect((await stat(to)).size).toBe(0)
  await writeFile(from, randomBytes(MIB))
  const stop = new AbortController()
  const work = copyFingerprinted(from, to, stop.signal, () => stop.abort(new Error('enough')))
  await expect(work).rejects.toThrow('enough')
})

import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { paddedPieces, pieces } from './pieces.ts'

test('a file that is cut off while it is read ends there, and goes on with zeros where its size is written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lodge-pieces-'))
  const size = 1_000_000
  const readOf = async (way: typeof pieces) => {
    await writeFile(join(folder, 'log'), Buffer.alloc(size, 'x'))
    await using file = await open(join(folder, 'log'), 'r+')
    const parts: Buffer[] = []
    for await (const part of way(file.fd, size)) {
      parts.push(part)
      await file.truncate(0)
    }
    const bytes = Buffer.concat(parts)
    const zeros = bytes.indexOf(0)
    return { bytes: bytes.length, text: zeros < 0 ? bytes.length : zeros }
  }
  const copied = await readOf(pieces)
  expect(copied.bytes).toBe(copied.text)
  expect(copied.bytes).toBeLessThan(size)
  expect(await readOf(paddedPieces)).toEqual({ bytes: size, text: copied.text })
  await rm(folder, { recursive: true })
})

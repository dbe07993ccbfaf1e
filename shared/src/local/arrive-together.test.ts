import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { arriveTogether } from './arrive-together.ts'

const KIB = 1024

function together() {
  const stream = new Readable({ read: () => undefined, highWaterMark: 64 * KIB })
  arriveTogether(stream)
  const parts: Buffer[] = []
  return { stream, parts, read: () => stream.on('data', (part) => parts.push(part)) }
}

test('what arrives in one turn is one part, in order and whole', async () => {
  const { stream, parts, read } = together()
  read()
  for (const text of ['one ', 'two ', 'three']) stream.push(Buffer.from(text))
  await setImmediate()
  stream.push(Buffer.from('later'))
  stream.push(null)
  await stream.toArray().catch(() => undefined)
  expect(parts.map(String)).toEqual(['one two three', 'later'])
  expect(stream.readableEnded).toBe(true)
})

test('a part is passed on before it grows too large', async () => {
  const { stream, parts, read } = together()
  read()
  for (let count = 0; count < 40; count++) stream.push(Buffer.alloc(16 * KIB, count))
  await setImmediate()
  expect(parts.map(({ byteLength }) => byteLength / KIB)).toEqual([256, 256, 128])
  expect(parts.map(([first]) => first)).toEqual([0, 16, 32])
})

test('a reader that does not read stops the source, and hears everything later', async () => {
  const { stream, parts, read } = together()
  let sent = 0
  while (stream.push(Buffer.alloc(16 * KIB))) {
    sent += 1
    expect(sent).toBeLessThan(32)
    await setImmediate()
  }
  read()
  stream.push(Buffer.alloc(KIB))
  await setImmediate()
  expect(Buffer.concat(parts).byteLength).toBe((sent + 1) * 16 * KIB + KIB)
  expect(stream.push(Buffer.alloc(KIB))).toBe(true)
})

test('nothing follows the end of a stream that broke off', async () => {
  const { stream, parts, read } = together()
  read()
  stream.push(Buffer.from('lost'))
  stream.destroy()
  await setImmediate()
  expect(parts).toEqual([])
})

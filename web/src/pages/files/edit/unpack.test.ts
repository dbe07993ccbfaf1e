import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { MOST_UNPACKED_BYTES, unpack } from './unpack.ts'

const packed = (content: string | Buffer) => new Uint8Array(gzipSync(content))

test('a gzipped log is read, and other gzipped data is not taken for text', async () => {
  expect(await unpack(packed('12:00 Größe\r\n12:01 Ende\n'))).toEqual({
    text: '12:00 Größe\r\n12:01 Ende\n',
    isCut: false,
  })
  expect(await unpack(packed(Buffer.from([1, 0, 2, 0])))).toBeUndefined()
  expect(await unpack(new TextEncoder().encode('not packed at all'))).toBeUndefined()
  expect(await unpack(packed('cut off').subarray(0, 15))).toBeUndefined()
})

test('a log that would fill the memory is cut after a whole line', async () => {
  const line = 'ä line that says the same again and again\n'
  const found = await unpack(packed(line.repeat(10_000_000 / line.length)))
  expect(found?.isCut).toBe(true)
  expect(found?.text.length).toBeLessThan(MOST_UNPACKED_BYTES + 100_000)
  expect(found?.text).toMatch(/^(?:ä line that says the same again and again\n)+$/)
})

import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { gathered } from './gathered.ts'

test('what arrives while the receiver works comes at once, and not without limit', async () => {
  const stream = new PassThrough({ highWaterMark: 64 * 1024 })
  const received = gathered(stream)
  const first = received.next()
  stream.write('one')
  expect((await first).value?.map(String)).toEqual(['one'])
  const block = Buffer.alloc(64 * 1024)
  let sent = 0
  for (; sent < 100 && stream.write(block); sent++) await turn()
  // A megabyte in hand, and what the stream itself holds.
  expect(sent).toBeGreaterThanOrEqual(16)
  expect(sent).toBeLessThan(24)
  const second = await received.next()
  expect(second.value?.length).toBeGreaterThanOrEqual(16)
  stream.end()
  for await (const _ of received);
})

test('what arrived before a stream broke off comes before the error', async () => {
  const stream = new PassThrough()
  const received = gathered(stream)
  const first = received.next()
  stream.write('one')
  expect((await first).value?.map(String)).toEqual(['one'])
  stream.write('two')
  await turn()
  stream.destroy(new Error('broken off'))
  expect((await received.next()).value?.map(String)).toEqual(['two'])
  await expect(received.next()).rejects.toThrow('broken off')
})

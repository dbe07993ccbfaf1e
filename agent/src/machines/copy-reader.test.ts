import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CopyReader, copyReader } from './copy-reader.ts'

const HEAD = 'HTTP/1.1 206 Partial Content\r\ncontent-length: 6\r\n\r\n'
const server = createServer()
let other: Promise<Socket>
let reader: CopyReader

beforeEach(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  other = once(server, 'connection').then(([socket]) => socket as Socket)
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  reader = copyReader(async () => createConnection(port, '127.0.0.1'))
})
afterEach(async () => {
  reader.close()
  ;(await other).destroy()
  await new Promise((resolve) => server.close(resolve))
})

test('reads a file completely', async () => {
  const reading = reader.read('disk', 0, new AbortController().signal)
  ;(await other).write(`${HEAD}abcdef`)
  expect((await buffer(await reading)).toString()).toBe('abcdef')
})

test('a connection lost in the middle of a file fails as retryable', async () => {
  const reading = reader.read('disk', 0, new AbortController().signal)
  ;(await other).write(`${HEAD}abc`)
  const bytes = buffer(await reading)
  ;(await other).destroy()
  await expect(bytes).rejects.toMatchObject({ code: 'runtime_unavailable', retryable: true })
})

test('a cancelled read fails with the reason of the cancellation', async () => {
  const stop = new AbortController()
  const reading = reader.read('disk', 0, stop.signal)
  ;(await other).write(`${HEAD}abc`)
  const bytes = buffer(await reading)
  stop.abort(new Error('enough'))
  await expect(bytes).rejects.toThrow('enough')
})

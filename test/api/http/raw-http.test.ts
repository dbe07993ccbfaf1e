import net from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

/** Everything received after sending these bytes, until the server closes or `enough` has arrived. */
function exchange(bytes: string, enough: (text: string) => boolean = () => false): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = net.connect(lodge.controlPlane.port, '127.0.0.1')
  let text = ''
  const end = () => {
    socket.destroy()
    resolve(text)
  }
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    if (enough(text)) end()
  })
  socket.on('error', end)
  socket.on('close', end)
  socket.write(bytes, 'latin1')
  return promise
}

const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
const countOf = (text: string) => text.split(/^HTTP\/1\.1 /m).length - 1
const HOST = 'Host: panel.test\r\n'

test.each([
  [
    'two lengths',
    `POST /api/auth/login HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  ],
  [
    'a length and chunks',
    `POST /api/auth/login HTTP/1.1\r\n${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/auth/status HTTP/1.1\r\n${HOST}\r\n`,
  ],
  ['a length with a sign', `POST /api/auth/login HTTP/1.1\r\n${HOST}Content-Length: +2\r\n\r\n{}`],
  ['a space before the colon', `GET /api/auth/status HTTP/1.1\r\n${HOST}X-A : b\r\n\r\n`],
  ['a folded header', `GET /api/auth/status HTTP/1.1\r\n${HOST}X-A: b\r\n c\r\n\r\n`],
  ['a NUL in a header', `GET /api/auth/status HTTP/1.1\r\n${HOST}X-A: b\0c\r\n\r\n`],
  [
    'two hosts',
    `GET /api/auth/status HTTP/1.1\r\n${HOST}Host: other.test\r\nConnection: close\r\n\r\n`,
  ],
  [
    'two hosts of a WebSocket',
    `GET /api/relay HTTP/1.1\r\n${HOST}Host: other.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  ],
  ['no host', 'GET /api/auth/status HTTP/1.1\r\n\r\n'],
  ['something else entirely', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  [
    'an unknown chunk size',
    `POST /api/auth/login HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ],
])('%s is refused and the connection closed', async (_name, bytes) => {
  const text = await exchange(bytes)
  expect(statusOf(text), text).toBe(400)
  expect(countOf(text)).toBe(1)
  expect(text).not.toMatch(/node_modules|HPE_|at .*\.js/)
})

test('A10: more than 16 KiB of headers are refused', async () => {
  const text = await exchange(
    `GET /api/auth/status HTTP/1.1\r\n${HOST}X-A: ${'a'.repeat(20_000)}\r\n\r\n`,
  )
  expect(statusOf(text)).toBe(431)
})

test('A10: a body shorter than announced times out', async () => {
  const socket = net.connect(lodge.controlPlane.port, '127.0.0.1')
  socket.write(
    `POST /api/auth/login HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  )
  // Meanwhile other callers are served.
  const text = await exchange(`GET /api/auth/status HTTP/1.1\r\n${HOST}\r\n`, (heard) =>
    heard.includes('bootstrapped'),
  )
  expect(statusOf(text)).toBe(200)
  expect(lodge.controlPlane.app.bodyPace.wholeMs).toBe(30_000)
  expect(lodge.controlPlane.app.server.headersTimeout).toBe(10_000)
  socket.destroy()
})

test('an address that cannot be decoded is an ordinary problem', async () => {
  for (const path of ['/api/servers/%', '/api/servers/%c0%ae', '/api/servers/%ff%fe']) {
    const text = await exchange(`GET ${path} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
    expect(statusOf(text)).toBe(404)
    expect(text).toContain('application/problem+json')
    expect(text).toContain('"code":"not_found"')
  }
})

test('a path that leaves the web folder finds nothing', async () => {
  for (const path of [
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '//etc/passwd',
    '/assets/%2e%2e/x',
  ]) {
    const text = await exchange(`GET ${path} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
    expect(text).not.toMatch(/"workspaces"|root:x:/)
    expect([200, 404]).toContain(statusOf(text))
  }
})

test('only enrolment is available on the port of the agents', async () => {
  const { port, caCertificate } = lodge.controlPlane.services.fleet
  const { request } = await import('node:https')
  const ask = (path: string, method = 'GET') =>
    new Promise<number>((resolve, reject) => {
      const call = request(
        {
          host: '127.0.0.1',
          port,
          path,
          method,
          ca: caCertificate,
          servername: 'lodge',
          agent: false,
        },
        (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        },
      )
      call.on('error', reject)
      call.end()
    })
  for (const path of [
    '/',
    '/api/auth/status',
    '/api/servers',
    '/api/agent',
    '/api/agentx',
    '/api/agent/../auth/status',
  ])
    expect([path, await ask(path)]).toEqual([path, 404])
  expect(await ask('/api/agent/enroll', 'POST')).toBe(400)
})

test('a WebSocket whose Upgrade header a proxy has dropped learns why it does not open', async () => {
  const request = `GET /api/relay HTTP/1.1\r\n${HOST}Connection: close\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`
  const text = await exchange(request)
  expect(statusOf(text)).toBe(426)
  expect(text).toContain('"code":"websocket_required"')
  expect(text).toContain('a proxy did not pass on its Upgrade header')
})

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import net from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineDomain, routesOf } from '../../../control-plane/src/domain.ts'
import { post } from '../../../control-plane/src/http/endpoint.ts'
import { bytesBody, streamBody } from '../../../control-plane/src/http/raw-body.ts'
import { accessMatrix } from '../../../control-plane/src/http/reference/matrix.ts'
import { openapi } from '../../../control-plane/src/http/reference/openapi.ts'
import { modules } from '../../../control-plane/src/modules.ts'
import type { ProblemDocument } from '../../../shared/src/problems.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

const SECRET = 'a secret of both sides'
const MOST_BYTES = 4096
const MOST_STREAMED = 8 * 1024 * 1024
const sign = (bytes: Uint8Array) => createHmac('sha256', SECRET).update(bytes).digest()

/** The bodies that the handlers received. */
const given: { hooks: Buffer[]; uploads: string[] } = { hooks: [], uploads: [] }

const receiveHook = post('/api/auth/test-hook', {
  summary: 'A webhook that is signed over its exact bytes',
  access: { who: 'anyone' },
  body: bytesBody({ maxBytes: MOST_BYTES, contentTypes: ['application/json', 'text/plain'] }),
  reply: z.object({ valid: z.boolean() }),
  async handle({ body, http }) {
    // @ts-expect-error: bytes are not parsed, so they have no fields
    void body.event
    given.hooks.push(body satisfies Buffer)
    const signature = Buffer.from(String(http.request.headers['x-signature'] ?? ''), 'hex')
    const own = sign(body)
    return { valid: own.length === signature.length && timingSafeEqual(own, signature) }
  },
})

const receiveUpload = post('/api/auth/test-upload', {
  summary: 'An upload that is read piece by piece',
  access: { who: 'anyone' },
  body: streamBody({ maxBytes: MOST_STREAMED, contentTypes: ['message/rfc822'] }),
  reply: z.object({ sha256: z.string(), bytes: z.int() }),
  async handle({ body }) {
    // @ts-expect-error: a stream is not held in memory, so it has no length
    void body.byteLength
    const hash = createHash('sha256')
    let bytes = 0
    try {
      for await (const chunk of body) {
        hash.update(chunk)
        bytes += chunk.length
      }
    } catch (error) {
      given.uploads.push('broken off')
      throw error
    }
    given.uploads.push('whole')
    return { sha256: hash.digest('hex'), bytes }
  },
})

const leaveUnread = post('/api/auth/test-unread', {
  summary: 'An upload that is refused before it is read',
  access: { who: 'admin', may: 'settings.manage' },
  body: streamBody({ maxBytes: MOST_STREAMED, contentTypes: ['message/rfc822'] }),
  reply: z.object({ ok: z.boolean() }),
  recorded: 'sent a test upload',
  handle: async () => ({ ok: true }),
})

// @ts-expect-error: a raw body has a limit
bytesBody({ contentTypes: ['text/plain'] })
// @ts-expect-error: and content types that it is of
streamBody({ maxBytes: 1, contentTypes: [] })

const HEADINGS = [{ name: 'Toys', description: 'For tests', paths: ['/api/auth'] }]
const routes = { receiveHook, receiveUpload, leaveUnread }
const toy = defineDomain({ name: 'toy', routes: [routes] })

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge({ modules: [...modules, toy] })
})
afterAll(() => lodge[Symbol.asyncDispose]())

const send = (path: string, body: BodyInit, headers: Record<string, string>) =>
  fetch(`${lodge.url}${path}`, { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
const codeOf = async (response: Response) => {
  const { status, code } = (await response.json()) as ProblemDocument
  return [response.status, status, code]
}

test('a signature over the exact bytes is valid, even if JSON would change them', async () => {
  const odd = Buffer.from('\uFEFF{ "a":1,\r\n "a": 2.0, "b": "\\u00e9" }\0 ', 'utf8')
  const raw = Buffer.concat([odd, Buffer.from([0xff, 0xfe, 0x00])])
  for (const bytes of [odd, raw, Buffer.alloc(0), Buffer.alloc(MOST_BYTES, 7)]) {
    const headers = {
      'content-type': 'application/json; charset=latin1',
      'x-signature': sign(bytes).toString('hex'),
    }
    const response = await send('/api/auth/test-hook', bytes, headers)
    expect(await response.json()).toEqual({ valid: true })
    expect(given.hooks.at(-1)?.equals(bytes)).toBe(true)
  }
  const forged = { 'content-type': 'text/plain', 'x-signature': sign(odd).toString('hex') }
  const other = await send('/api/auth/test-hook', Buffer.concat([odd, Buffer.of(32)]), forged)
  expect(await other.json()).toEqual({ valid: false })
})

test('a body over the limit is refused, announced or not, and not handled', async () => {
  const handled = given.hooks.length
  const headers = { 'content-type': 'text/plain' }
  const large = Buffer.alloc(MOST_BYTES + 1)
  const refused = [413, 413, 'payload_too_large']
  expect(await codeOf(await send('/api/auth/test-hook', large, headers))).toEqual(refused)
  const unannounced = new Blob([large]).stream()
  expect(await codeOf(await send('/api/auth/test-hook', unannounced, headers))).toEqual(refused)
  expect(given.hooks).toHaveLength(handled)
})

test('other content types and compressed bodies are refused, also those that other endpoints accept', async () => {
  const refused = [415, 415, 'unsupported_media_type']
  const cases: [string, Record<string, string>][] = [
    ['/api/auth/test-hook', { 'content-type': 'application/xml' }],
    ['/api/auth/test-hook', { 'content-type': 'application/offset+octet-stream' }],
    ['/api/auth/test-upload', { 'content-type': 'application/json' }],
    ['/api/auth/test-hook', { 'content-type': 'text/plain', 'content-encoding': 'gzip' }],
    // Other endpoints still refuse the content types of a raw one.
    ['/api/auth/login', { 'content-type': 'message/rfc822' }],
    ['/api/auth/login', { 'content-type': 'text/plain' }],
  ]
  for (const [path, headers] of cases)
    expect(await codeOf(await send(path, '{}', headers))).toEqual(refused)
})

test('a stream is handed over as it arrives, and its bytes are counted', async () => {
  const headers = { 'content-type': 'message/rfc822' }
  const mail = Buffer.alloc(MOST_STREAMED, 'a line of a mail\r\n')
  const response = await send('/api/auth/test-upload', mail, headers)
  const sha256 = createHash('sha256').update(mail).digest('hex')
  expect(await response.json()).toEqual({ sha256, bytes: mail.length })
})

test('a stream over the limit ends at the limit, announced or not', async () => {
  const headers = { 'content-type': 'message/rfc822' }
  const refused = [413, 413, 'payload_too_large']
  const mail = Buffer.alloc(MOST_STREAMED + 1)
  const whole = given.uploads.filter((end) => end === 'whole').length
  expect(await codeOf(await send('/api/auth/test-upload', mail, headers))).toEqual(refused)
  const unannounced = new Blob([mail]).stream()
  const streamed = await send('/api/auth/test-upload', unannounced, headers)
  expect(await codeOf(streamed)).toEqual(refused)
  expect(given.uploads.filter((end) => end === 'whole')).toHaveLength(whole)
})

test('a sender who disconnects does not end the body normally', async () => {
  const ends = given.uploads.length
  const hooks = given.hooks.length
  for (const [path, type] of [
    ['/api/auth/test-upload', 'message/rfc822'],
    ['/api/auth/test-hook', 'text/plain'],
  ]) {
    const socket = net.connect(lodge.controlPlane.port, '127.0.0.1')
    const head = `POST ${path} HTTP/1.1\r\nHost: panel.test\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n`
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.on('error', () => undefined).resume()
    socket.end(`${head}half of it`)
    await closed
  }
  await expect.poll(() => given.uploads.length).toBe(ends + 1)
  expect(given.uploads.at(-1)).toBe('broken off')
  expect(given.hooks).toHaveLength(hooks)
})

/** Sends a body of `bytes` drop by drop, and returns what is answered. */
async function dripped(path: string, type: string, bytes: number): Promise<string> {
  const socket = net.connect(lodge.controlPlane.port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    socket.end()
  })
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.on('error', () => undefined)
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: panel.test\r\nContent-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n`,
  )
  let left = bytes
  const drip = setInterval(() => {
    if (left > 0) socket.write('x')
    left -= 1
  }, 50)
  await closed
  clearInterval(drip)
  return text
}

test('a body that keeps arriving may take any time, and one that arrives too slowly is aborted', async () => {
  const { bodyPace } = lodge.controlPlane.app
  const usual = { ...bodyPace }
  try {
    Object.assign(bodyPace, { wholeMs: 300, windowMs: 300, leastBytes: 2 })
    const flowing = await dripped('/api/auth/test-upload', 'message/rfc822', 20)
    expect(flowing).toMatch(/^HTTP\/1\.1 200 .*"bytes":20/s)
    // A body that is read as a whole has a total time limit.
    expect(await dripped('/api/auth/test-hook', 'text/plain', 1_000)).toMatch(/^HTTP\/1\.1 408 /)
    expect(await dripped('/api/auth/login', 'application/json', 1_000)).toMatch(/^HTTP\/1\.1 408 /)
    bodyPace.leastBytes = 100
    expect(await dripped('/api/auth/test-upload', 'message/rfc822', 1_000)).toMatch(
      /^HTTP\/1\.1 408 /,
    )
    expect(given.uploads.at(-1)).toBe('broken off')
  } finally {
    Object.assign(bodyPace, usual)
  }
})

test('a caller without permission is refused before any byte of the body is read', async () => {
  const response = await send('/api/auth/test-unread', Buffer.alloc(MOST_STREAMED), {
    'content-type': 'message/rfc822',
  })
  expect(await codeOf(response)).toEqual([401, 401, 'authentication_required'])
})

test('a change through a raw body is recorded, without the body', async () => {
  const admin = await lodge.admin()
  const response = await admin.send({
    method: 'POST',
    url: '/api/auth/test-unread',
    payload: Buffer.from('From: somebody'),
    headers: { 'content-type': 'message/rfc822' },
  })
  expect([response.statusCode, response.json()]).toEqual([200, { ok: true }])
  const { rows } = await lodge.database.pool.query(
    `select detail from audit_log where action = 'POST /api/auth/test-unread'`,
  )
  expect(rows).toEqual([{ detail: '{}' }])
})

test('it appears in the description and in the access matrix', () => {
  const described = openapi(routesOf([toy]), HEADINGS) as {
    paths: Record<string, { post: { requestBody: unknown; parameters?: unknown } }>
  }
  const schema = { type: 'string', format: 'binary', maxLength: MOST_BYTES }
  expect(described.paths['/api/auth/test-hook']?.post).toMatchObject({
    requestBody: {
      required: true,
      content: { 'application/json': { schema }, 'text/plain': { schema } },
    },
  })
  // A raw body is not stored, so a key cannot distinguish a repeated request from another one.
  expect(described.paths['/api/auth/test-unread']?.post.parameters).toBeUndefined()
  expect(accessMatrix(routes)).toContain('POST /api/auth/test-hook')
})

test('A10: all unauthenticated bodies together use a bounded amount of memory, which is released', async () => {
  const part = Buffer.alloc(1024 * 1024, 'x')
  const answers: string[] = []
  const sockets = Array.from({ length: 6 }, () => {
    const socket = net.connect(lodge.controlPlane.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => void answers.push(chunk.toString('latin1')))
    socket.write(
      `POST /api/support/inbound HTTP/1.1\r\nHost: panel.test\r\nContent-Type: message/rfc822\r\nContent-Length: ${30 * part.length}\r\n\r\n`,
    )
    // A sender who holds back the last byte keeps all the others in memory.
    for (let count = 0; count < 29; count++) socket.write(part)
    return socket
  })
  try {
    await expect.poll(() => answers.length).toBeGreaterThan(0)
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 429 .*"rate_limited"/s)
    expect(answers.length).toBeLessThan(sockets.length)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  // The desk accepts no mail here, so that even a small one is refused.
  const mail = () => send('/api/support/inbound', 'x', { 'content-type': 'message/rfc822' })
  await expect.poll(async () => (await mail()).status).toBe(404)
})

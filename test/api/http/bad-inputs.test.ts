import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { ProblemCode } from '@lodge/shared/problems.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../control-plane/src/api.ts'
import type { Declared } from '../../../control-plane/src/http/endpoint.ts'
import type { Caller } from '../../support/caller.ts'
import { requestOf } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'
import { lodgeWithServer } from '../support/one-server.ts'
import { refusedUnchanged } from '../support/refusal.ts'

let lodge: Lodge
let admin: Caller
let customer: Caller
let serverId: string
beforeAll(async () => {
  ;({ lodge, admin, customer, serverId } = await lodgeWithServer())
})
afterAll(() => lodge[Symbol.asyncDispose]())

const json = { 'content-type': 'application/json' }
const NODE = { name: 'n', location: 'Here', memoryMb: 64, cpuPercent: 10, diskMb: 64 }

const refused = (
  request: Parameters<Caller['send']>[0],
  codes: ProblemCode | readonly ProblemCode[],
  by = admin,
) => refusedUnchanged(lodge, by, request, codes)

const body = (payload: string | Buffer, headers: Record<string, string> = json) => ({
  method: 'POST' as const,
  url: '/api/customers',
  payload,
  headers,
})
const customerNamed = (name: unknown) =>
  body(JSON.stringify({ email: `${randomUUID()}@example.com`, name }))
const nodeWith = (text: string) => ({
  method: 'POST' as const,
  url: '/api/nodes',
  payload: text,
  headers: json,
})
const node = (change: object) =>
  nodeWith(JSON.stringify({ ...NODE, name: randomUUID(), ...change }))

describe('bodies', () => {
  test.each<[string, string, ProblemCode]>([
    ['nothing', '', 'empty_body'],
    ['half an object', '{', 'malformed_json'],
    ['null', 'null', 'empty_body'],
    ['an array', '[]', 'validation_failed'],
    ['a text', '"x"', 'validation_failed'],
    ['a number', '1', 'validation_failed'],
    ['NaN', '{"name":NaN}', 'malformed_json'],
    ['a comma at the end', '{"name":"x",}', 'malformed_json'],
    ['a comment', '{"name":"x"/**/}', 'malformed_json'],
    ['two documents', '{}{}', 'malformed_json'],
    ['an unknown field', '{"email":"a@example.com","isAdmin":true}', 'validation_failed'],
    ['__proto__', '{"email":"a@example.com","__proto__":{"role":"admin"}}', 'malformed_json'],
    ['an escaped __proto__', '{"email":"a@example.com","\\u005f_proto__":{}}', 'malformed_json'],
    ['constructor.prototype', '{"constructor":{"prototype":{"role":"admin"}}}', 'malformed_json'],
    ['nesting of 33', `{"name":${'['.repeat(33)}${']'.repeat(33)}}`, 'json_too_deep'],
    ['nesting of 5,000', `{"name":${'['.repeat(5e3)}${']'.repeat(5e3)}}`, 'json_too_deep'],
    ['nesting of 100,000', `{"name":${'['.repeat(1e5)}${']'.repeat(1e5)}}`, 'json_too_deep'],
    ['nesting that does not end', '[{"a":'.repeat(1e5), 'malformed_json'],
    [
      '100,000 fields',
      `{${Array.from({ length: 1e5 }, (_, at) => `"${at}":1`).join()}}`,
      'validation_failed',
    ],
    ['more than 1 MiB', `{"name":"${'x'.repeat(1024 * 1024)}"}`, 'payload_too_large'],
  ])('%s is refused', async (_name, payload, code) => {
    await refused(body(payload), code)
  })

  test.each([['nesting of 20,000', '['.repeat(2e4) + ']'.repeat(2e4)]])(
    '%s is refused by endpoints without a body, too, also under a key',
    async (_, payload) => {
      const bodiless: readonly Declared[] = Object.values(routes)
      for (const { method, path, body, access } of bodiless) {
        if (method === 'GET' || body || access.who === 'agent' || path.includes('{')) continue
        const headers = { ...json, 'idempotency-key': randomUUID() }
        const response = await admin.send({ method, url: path, payload, headers })
        expect([path, response.json().code]).toEqual([path, 'json_too_deep'])
      }
      const response = await admin.send({
        method: 'POST',
        url: '/api/no/such/endpoint',
        payload,
        headers: json,
      })
      expect(response.statusCode).toBeLessThan(500)
    },
  )

  test('a byte order mark is accepted as part of the encoding', async () => {
    const email = `${randomUUID()}@example.com`
    const response = await admin.send(body(`\uFEFF${JSON.stringify({ email })}`))
    expect(response.statusCode).toBe(201)
  })

  test('only JSON in UTF-8 is read', async () => {
    const payload = JSON.stringify({ email: 'a@example.com' })
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-7',
      'application/json; charset=utf-16le',
      'application/jsonp',
      'application/vnd.api+json',
      'text/json',
      'json',
      '',
    ])
      await refused(body(payload, { 'content-type': type }), 'unsupported_media_type')
  })

  test('a compressed body is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20))
    for (const encoding of ['gzip', 'deflate', 'br', 'identity, gzip'])
      await refused(body(bomb, { ...json, 'content-encoding': encoding }), 'unsupported_media_type')
  })
})

describe('texts', () => {
  test.each<[string, unknown]>([
    ['NUL', 'a\0b'],
    ['half of a surrogate pair', 'a\ud800b'],
    ['only spaces', '   '],
    ['121 characters', 'x'.repeat(121)],
    ['10,000 combining marks', `a${'\u0301'.repeat(10_000)}`],
    ['a number', 10],
    ['an array', ['a']],
    ['line feed', 'a\nb'],
    ['carriage return', 'a\rb'],
    ['right-to-left override', 'a\u202eb'],
    ['zero width space', 'a\u200bb'],
    ['a tag character', 'a\u{e0041}b'],
    ['line separator', 'a\u2028b'],
  ])('CVE-2026-41940: a name with %s is refused', async (_name, name) => {
    const problem = await refused(customerNamed(name), 'validation_failed')
    expect(problem.errors?.[0]?.pointer).toBe('/name')
    const { url, ...server } = requestOf('PATCH /api/servers/{id}', {
      params: { id: serverId },
      body: { name: typeof name === 'string' && name.length === 121 ? 'x'.repeat(65) : name },
    })
    await refused({ ...server, url }, 'validation_failed')
  })

  test('CyberPanel-2.4.2: a name keeps emoji and markup, and is trimmed once', async () => {
    for (const [given, kept] of [
      ['🚀 Rocket', '🚀 Rocket'],
      ['<script>alert(1)</script>', '<script>alert(1)</script>'],
      ['  two words  ', 'two words'],
      ["'; drop table users; --", "'; drop table users; --"],
    ]) {
      const made = await admin.must('POST /api/customers', {
        body: { email: `${randomUUID()}@example.com`, name: given },
      })
      expect(made.name).toBe(kept)
    }
  })

  test('a key that PostgreSQL cannot store as text is refused', async () => {
    const request = requestOf('PATCH /api/servers/{id}/settings', {
      params: { id: serverId },
      body: { variables: { 'a\0b': 'x' } },
    })
    await refused(request, 'validation_failed', customer)
  })

  test('names of inherited object properties are ordinary names', async () => {
    for (const name of ['toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'length']) {
      const request = requestOf('PATCH /api/servers/{id}/settings', {
        params: { id: serverId },
        body: { variables: { [name]: 'x' } },
      })
      await refused(request, 'validation_failed', customer)
    }
  })
})

describe('numbers', () => {
  test.each([
    ['a text', '"64"'],
    ['a fraction', '64.5'],
    ['a negative one', '-64'],
    ['nothing', '0'],
    ['minus nothing', '-0'],
    ['beyond every number', '1e400'],
    ['beyond exact numbers', '9007199254740993'],
    ['2^31', '2147483648'],
    ['a truth', 'true'],
  ])('%s is no size', async (_name, text) => {
    const { memoryMb: _, ...rest } = NODE
    await refused(
      nodeWith(
        JSON.stringify({ ...rest, name: 'x', memoryMb: 0 }).replace(
          '"memoryMb":0',
          `"memoryMb":${text}`,
        ),
      ),
      'validation_failed',
    )
  })

  test('1e3 is a thousand', async () => {
    const made = await admin.send(
      nodeWith(
        JSON.stringify({ ...NODE, name: 'thousand', memoryMb: 0 }).replace(
          '"memoryMb":0',
          '"memoryMb":1e3',
        ),
      ),
    )
    expect(JSON.parse(made.body)).toMatchObject({ memoryMb: 1000 })
  })

  test('ports outside the allowed range are refused', async () => {
    const port = (container: unknown) =>
      requestOf('POST /api/servers/{id}/ports', {
        params: { id: serverId },
        body: { container, protocol: 'tcp' },
      })
    for (const container of [0, 65_536, -1, 1.5, '80', null])
      await refused(port(container), 'validation_failed')
    for (const range of [
      { from: 22, to: 22 },
      { from: 2000, to: 1999 },
      { from: 1024, to: 65_536 },
    ])
      await refused(node({ portRanges: [range] }), 'validation_failed')
  })

  test('the largest sizes do not overflow', async () => {
    const template = await lodge.template()
    const max = { memoryMb: 16_777_216, cpuPercent: 102_400, diskMb: 1_073_741_824 }
    const made = await lodge.node({ ...max, location: 'Huge' })
    const create = (change: object) =>
      admin.call('POST /api/servers', {
        body: {
          name: 'Huge',
          ownerId: customer.id,
          templateId: template.id,
          nodeId: made.id,
          ...max,
          force: true,
          ...change,
        },
      })
    const first = await create({})
    expect(first.status, JSON.stringify(first.body)).toBe(202)
    expect(await create({})).toMatchObject({ status: 409, body: { code: 'no_capacity' } })
    const params = { id: first.body.serverId }
    expect(
      (await admin.call('PATCH /api/servers/{id}', { params, body: { diskMb: 1 } })).status,
    ).toBe(200)
    expect((await admin.call('PATCH /api/servers/{id}', { params, body: max })).status).toBe(200)
  })
})

test.each([
  '../x',
  '%2e%2e',
  '%00',
  '%00%00',
  '00000000-0000-0000-0000-000000000000',
  '0190a5d0-0000-7000-8000-0000000000000',
  '1',
  '-1',
  'null',
  '{id}',
  "' or 1=1--",
  'a'.repeat(500),
  'a'.repeat(5000),
  '%c0%ae',
  '%ff',
  '%',
])('the id %j is not found, for everybody alike', async (id) => {
  for (const path of [`/api/servers/${id}`, `/api/nodes/${id}`, `/api/jobs/${id}`])
    await refused({ method: 'GET', url: path }, 'not_found')
})

test('an id in capitals is the same id', async () => {
  const response = await admin.send({
    method: 'GET',
    url: `/api/servers/${serverId.toUpperCase()}`,
  })
  expect(JSON.parse(response.body)).toMatchObject({ id: serverId })
})

test.each<[string, ProblemCode]>([
  ['limit=1&limit=2', 'validation_failed'],
  ['limit=0', 'validation_failed'],
  ['limit=101', 'validation_failed'],
  ['limit=1e9', 'validation_failed'],
  ['limit=-1', 'validation_failed'],
  ['limit=1.5', 'validation_failed'],
  ['limit=', 'validation_failed'],
  ['limit=x', 'validation_failed'],
  ['sort=password', 'validation_failed'],
  ['limit[]=1', 'validation_failed'],
  ['__proto__=1', 'validation_failed'],
  ['after=x', 'invalid_cursor'],
  ['after=', 'invalid_cursor'],
  [`after=${cursor(['\0', randomUUID()])}`, 'invalid_cursor'],
  [`after=${cursor(['\ud800', randomUUID()])}`, 'invalid_cursor'],
  [`after=${cursor(['a', "' or 1=1"])}`, 'invalid_cursor'],
  [`after=${cursor([1, randomUUID()])}`, 'invalid_cursor'],
  [`after=${cursor(Array(5))}`, 'invalid_cursor'],
  [`after=${'a'.repeat(513)}`, 'validation_failed'],
])('the query %s is refused', async (query, code) => {
  for (const path of [
    '/api/customers',
    '/api/servers',
    '/api/nodes',
    '/api/jobs',
    `/api/servers/${serverId}/events`,
  ])
    await refused({ method: 'GET', url: `${path}?${query}` }, code)
})

function cursor(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

test('a cursor of another list is refused or harmless', async () => {
  for (const key of ['', 'zzz', '2026-01-01T00:00:00.000Z', '9999999-99-99', 'x'.repeat(300)]) {
    for (const path of [
      '/api/customers',
      '/api/servers',
      '/api/nodes',
      '/api/jobs',
      `/api/servers/${serverId}/events`,
    ]) {
      const after = cursor([key, randomUUID()])
      const { statusCode, body } = await admin.send({
        method: 'GET',
        url: `${path}?after=${after}`,
      })
      expect([200, 400], `${path} ${key}: ${body}`).toContain(statusCode)
    }
  }
})

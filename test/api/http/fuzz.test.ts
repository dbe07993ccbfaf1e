import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { routes } from '../../../control-plane/src/api.ts'
import type { Declared } from '../../../control-plane/src/http/endpoint.ts'
import { jsonBodyOf } from '../../../control-plane/src/http/raw-body.ts'
import { lengthOf } from '../../run/lengths.ts'
import { Caller, requestOf } from '../../support/caller.ts'
import { type Lodge, ORIGIN, startLodge } from '../../support/stack.ts'
import { fingerprint } from '../support/fingerprint.ts'
import { refusalOf } from '../support/refusal.ts'
import { sampleBody } from '../support/samples.ts'
import { BODIES, type Ground, keyOf, paramsFor } from '../support/things.ts'

/** Cases for each endpoint; more at night. */
const RUNS = lengthOf('LODGE_FUZZ_RUNS')
const timeout = 180_000 + RUNS * 200

const endpoints: readonly Declared[] = Object.values(routes)

let ground: Ground
let lodge: Lodge
let adminId: string
const params = new Map<Declared, Record<string, string>>()
beforeAll(async () => {
  lodge = await startLodge()
  adminId = (await lodge.admin()).id
  ground = { lodge, node: await lodge.node(), templateId: (await lodge.template()).id }
  // All parameters first, before anything is done to the node.
  for (const spec of endpoints) params.set(spec, await paramsFor(ground, spec, adminId))
})
afterAll(() => lodge[Symbol.asyncDispose]())

const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff',
  'a\r\nb',
  '\u202e',
  '\u200b',
  '\ufeff',
  '../../etc/passwd',
  '%00',
  '#{7*7}',
  '{{SERVER_PORT}}',
  "'; drop table users; --",
  '<script>',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-1',
  '1e400',
  '2026-02-30T00:00:00Z',
  '9'.repeat(400),
  'x'.repeat(70_000),
  '\u0301'.repeat(3000),
  'İ',
  'ß',
  '𝒳',
  randomUUID(),
  '00000000-0000-0000-0000-000000000000',
  'a@b',
  'http://127.0.0.1/',
  'file:///etc/passwd',
]
const NUMBERS = [
  0,
  -0,
  -1,
  1.5,
  1,
  65_535,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 53,
  2 ** 53 + 2,
  1e21,
  1e308,
  -1e308,
  5e-324,
]

const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
)

/** Any JSON, with a preference for values that have broken other programs. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], { '': '' }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 40 }).map(nested) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < depth; level++) value = level % 2 ? { a: value } : [value]
  return value
}

/** Every field of a schema, at any depth of objects. */
function fieldsOf(schema: z.ZodType): string[][] {
  const collect = (node: unknown, path: string[]): string[][] => {
    const { properties, anyOf } = Object(node) as { properties?: object; anyOf?: unknown[] }
    const own = Object.entries(properties ?? {}).flatMap(([name, child]) => [
      [...path, name],
      ...collect(child, [...path, name]),
    ])
    return [...own, ...(anyOf ?? []).flatMap((child) => collect(child, path))]
  }
  return collect(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), [])
}

/** The body with another value at a path; creates missing objects on the way. */
function withAt(body: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  const object = body !== null && typeof body === 'object' ? body : {}
  return { ...object, [name]: withAt(Reflect.get(object, name), rest, value) }
}

async function send(spec: Declared, given: { body?: unknown; query?: Record<string, string> }) {
  // After a few attempts the budgets would refuse the input.
  if (spec.access.throttle) await lodge.database.pool.query('delete from rate_limits')
  const person = await lodge.session(adminId)
  const caller = new Caller(lodge.controlPlane.app, { origin: ORIGIN, cookie: person.cookie ?? '' })
  const request = requestOf(keyOf(spec), { params: params.get(spec) ?? {}, ...given })
  // What an earlier request began may write beside this one, but a refusal that writes does so each time.
  for (const attempt of [1, 2, 3]) {
    const before = await fingerprint(lodge.database.pool)
    const response = await caller.send(request)
    if (response.statusCode < 400) return
    const problem = refusalOf(response)
    expect(problem.status, JSON.stringify(problem)).not.toBe(500)
    const after = await fingerprint(lodge.database.pool)
    if (isDeepStrictEqual(after, before)) return
    if (attempt === 3) expect(after, JSON.stringify(problem)).toEqual(before)
  }
}

const withBody = endpoints.filter((spec) => jsonBodyOf(spec))
test.for(withBody.map((spec) => [keyOf(spec), spec] as const))(
  '%s handles any body',
  { timeout },
  async ([, spec]) => {
    const schema = jsonBodyOf(spec)
    if (!schema) return
    const fields = fc.constantFrom([], ...fieldsOf(schema), ['unknown'], ['__proto__'])
    const property = fc.asyncProperty(
      fc.array(fc.tuple(fields, hostile), { minLength: 1, maxLength: 3 }),
      async (changes) => {
        const sample = sampleBody(spec, BODIES)
        const body = changes.reduce((at, [path, value]) => withAt(at, path, value), sample)
        await send(spec, { body })
      },
    )
    await fc.assert(property, { numRuns: RUNS })
  },
)

const withQuery = endpoints.filter((spec) => spec.query && !spec.streams)
test.for(withQuery.map((spec) => [keyOf(spec), spec] as const))(
  '%s handles any query',
  { timeout },
  async ([, spec]) => {
    if (!spec.query) return
    const names = fc.constantFrom(
      ...fieldsOf(spec.query).map(([name = '']) => name),
      'x',
      '__proto__',
    )
    const cursor = hostile.map((key) =>
      Buffer.from(JSON.stringify([key, randomUUID()])).toString('base64url'),
    )
    // An object with its own `toString` cannot be converted to text.
    const value = fc.oneof(
      hostile.map((any) => String(JSON.stringify(any))),
      hostileText,
      cursor,
    )
    const property = fc.asyncProperty(
      fc.array(fc.tuple(names, value), { minLength: 1, maxLength: 3 }),
      async (pairs) => {
        const query = Object.fromEntries(
          pairs.map(([name, text]) => [name, text.slice(0, 4000).toWellFormed()]),
        )
        await send(spec, { query, body: sampleBody(spec, BODIES) })
      },
    )
    await fc.assert(property, { numRuns: RUNS })
  },
)

test('any bytes are handled', { timeout }, async () => {
  const property = fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
    const response = await (await lodge.admin()).send({
      method: 'POST',
      url: '/api/customers',
      headers: { 'content-type': 'application/json' },
      payload: Buffer.from(bytes),
    })
    expect(refusalOf(response).status).toBe(400)
  })
  await fc.assert(property, { numRuns: RUNS * 5 })
})

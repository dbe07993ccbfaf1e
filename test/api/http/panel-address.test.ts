import { hostname } from 'node:os'
import { Writable } from 'node:stream'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contextFor } from '../../../control-plane/src/context.ts'
import { Caller } from '../../support/caller.ts'
import { type Lodge, ORIGIN, PASSWORD, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

let lodge: Lodge
let other: Lodge
const logged: string[] = []
const log = pino(
  { level: 'warn' },
  new Writable({
    write(line, _encoding, done) {
      logged.push(String(line))
      done()
    },
  }),
)

beforeAll(async () => {
  const environment = { WEB_ORIGIN: undefined }
  lodge = await startLodge({ environment, log })
  other = await startLodge({ beside: lodge, environment })
})
afterAll(async () => {
  await other?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

/** The status of a sign-in from a page at this address, sent to this host. */
async function signIn(origin: string, at = lodge): Promise<number> {
  await lodge.database.pool.query('truncate rate_limits')
  const caller = new Caller(at.controlPlane.app, { origin })
  const body = { email: 'root@example.com', password: PASSWORD }
  return (await caller.call('POST /api/auth/login', { body })).status
}

test('without a configured address the panel is where its first administrator was created, on every instance', async () => {
  expect(logged.join()).toContain('WEB_ORIGIN is not set')
  expect(await signIn('https://anything.example')).toBe(401)
  await lodge.admin()
  await until(async () => (await signIn('https://anything.example', other)) === 403)
  expect(await signIn('https://anything.example')).toBe(403)
  expect(await signIn(ORIGIN)).toBe(200)
  expect(await signIn(ORIGIN, other)).toBe(200)
  expect(await signIn(ORIGIN.replace('https', 'http'))).toBe(403)
  expect(contextFor(lodge.controlPlane.services, { kind: 'system' }).panelUrl).toBe(ORIGIN)
})

test('a person who opens it under another name is told its address', async () => {
  await lodge.admin()
  const caller = new Caller(lodge.controlPlane.app, { origin: 'https://anything.example' })
  const body = { email: 'root@example.com', password: PASSWORD }
  expect((await caller.call('POST /api/auth/login', { body })).body).toMatchObject({
    code: 'origin_mismatch',
    detail: `Open the panel at its own address, ${ORIGIN}, and try again`,
  })
})

test.each([
  'http://localhost:8080',
  'http://127.0.0.1:8080',
  'http://192.0.2.7:8080',
  'https://[2001:db8::7]',
  `http://${hostname().toLowerCase()}:8080`,
])('%s, to which nobody else can point a name, is trusted as well', async (origin) => {
  await lodge.admin()
  await until(async () => (await signIn(ORIGIN)) === 200)
  expect(await signIn(origin)).toBe(200)
})

test('a foreign page under a name that resolves here is refused', async () => {
  await lodge.admin()
  for (const origin of [
    'http://rebound.example',
    'http://localhost.example',
    'http://1.2.3.4.example',
  ])
    expect(await signIn(origin), origin).toBe(403)
})

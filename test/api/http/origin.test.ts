import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../control-plane/src/api.ts'
import type { Declared } from '../../../control-plane/src/http/endpoint.ts'
import { Caller } from '../../support/caller.ts'
import { type Lodge, ORIGIN, startLodge } from '../../support/stack.ts'
import { fingerprint } from '../support/fingerprint.ts'
import { expectRefusal } from '../support/refusal.ts'
import { sampleBody } from '../support/samples.ts'
import { BODIES } from '../support/things.ts'

const unsafe = Object.values<Declared>(routes).filter(
  ({ method }) => method !== 'GET' && method !== 'OPTIONS',
)
const FOREIGN = [
  'null',
  'https://evil.example',
  `${ORIGIN}.evil.example`,
  ORIGIN.replace('panel', 'evil-panel'),
  ORIGIN.replace('https', 'http'),
  `${ORIGIN}:8443`,
  `${ORIGIN}/`,
  ORIGIN.toUpperCase(),
  '',
]

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

test.each(unsafe.map((spec) => [`${spec.method} ${spec.path}`, spec] as const))(
  '%s cannot be called by another site with the cookie of a visitor',
  async (_key, spec) => {
    const { id } = await lodge.admin()
    const session = await lodge.session(id)
    const caller = new Caller(lodge.controlPlane.app, { cookie: session.cookie ?? '' })
    const before = await fingerprint(lodge.database.pool)
    for (const origin of [...FOREIGN, undefined]) {
      const body = sampleBody(spec, BODIES)
      const response = await caller.send({
        method: spec.method,
        url: spec.path.replaceAll(/\{\w+\}/g, crypto.randomUUID()),
        headers: {
          ...(origin !== undefined && { origin }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      })
      expectRefusal(response, 'origin_mismatch')
    }
    expect(await fingerprint(lodge.database.pool)).toEqual(before)
  },
)

test('A8 Panel-mistakes: another site cannot sign a visitor in as somebody else', async () => {
  for (const origin of FOREIGN.filter((one) => one !== '')) {
    const caller = new Caller(lodge.controlPlane.app, { origin })
    const response = await caller.send({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'content-type': 'application/json' },
      payload: '{"email":"root@example.com","password":"x"}',
    })
    expectRefusal(response, 'origin_mismatch')
  }
})

test('A8: no response allows another site to read it', async () => {
  for (const method of ['GET', 'OPTIONS'] as const) {
    const response = await (await lodge.admin()).send({
      method,
      url: '/api/auth/me',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    const names = Object.keys(response.headers)
    expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([])
  }
})

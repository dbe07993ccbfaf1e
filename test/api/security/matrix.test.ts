import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { AdminPermission, TOKEN_SCOPES } from '@lodge/shared/permissions.ts'
import type { ProblemDocument } from '@lodge/shared/problems.ts'
import { ServerPermission, withImplied } from '@lodge/shared/server-permissions.ts'
import { generate } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../control-plane/src/api.ts'
import type { Declared } from '../../../control-plane/src/http/endpoint.ts'
import {
  accessMatrix,
  type Caller as Kind,
  verdict,
} from '../../../control-plane/src/http/reference/matrix.ts'
import { type Caller, requestOf } from '../../support/caller.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { fingerprint } from '../support/fingerprint.ts'
import { REFUSED_BY_RULE } from '../support/refused-by-rule.ts'
import { rawSample, sampleBody, sampleOf } from '../support/samples.ts'
import {
  BODIES,
  enoughFor,
  type Ground,
  isOwnOnly,
  keyOf,
  NOT_FOR_OWNERS,
  neededFor,
  neededOfCollaborator,
  paramsFor,
  share,
} from '../support/things.ts'
import { viewerOf } from '../support/viewer.ts'

const endpoints: readonly Declared[] = Object.values(routes)
const permissions = AdminPermission.options

let lodge: Lodge
let ground: Ground
let otherNode: Awaited<ReturnType<Lodge['node']>>
const tokens: Record<string, string> = {}
/** Secrets of ended tokens. */
const ended: string[] = []
/** The cookie of somebody who has given the password and not yet the second factor. */
let half: string | undefined
beforeAll(async () => {
  lodge = await startLodge()
  const node = await lodge.node()
  ground = { lodge, node, templateId: (await lodge.template()).id }
  otherNode = await lodge.node()
  // The first sign-in computes the dummy hash, so that later calls need not.
  await lodge.anonymous().send(requestOf('POST /api/auth/login', { body: BAD_LOGIN }))
  const admin = await lodge.admin()
  await admin.must('PUT /api/settings/security', {
    body: { administratorAddresses: ['10.0.0.0/8', '127.0.0.0/8'], auditDays: 730 },
  })
  for (const scope of TOKEN_SCOPES) {
    const made = await admin.must('POST /api/tokens', { body: { name: scope, scopes: [scope] } })
    tokens[scope] = made.secret
  }
  for (const end of [
    `update api_tokens set expires_at = now() - interval '1 second' where id = $1`,
    'delete from api_tokens where id = $1',
  ]) {
    const body = { name: 'ended', scopes: [...TOKEN_SCOPES] }
    const made = await admin.must('POST /api/tokens', { body })
    await lodge.database.pool.query(end, [made.id])
    ended.push(made.secret)
  }
  half = await halfSignIn(admin)
})
afterAll(() => lodge[Symbol.asyncDispose]())

async function halfSignIn(admin: Caller): Promise<string> {
  const email = 'half@example.com'
  const { id } = await admin.must('POST /api/customers', { body: { email, password: PASSWORD } })
  const person = await lodge.session(id, email)
  const { secret } = await person.must('POST /api/auth/totp/setup')
  const code = await generate({ secret })
  await person.must('POST /api/auth/totp/confirm', { body: { code } })
  const answer = await lodge.anonymous().must('POST /api/auth/login', {
    body: { email, password: PASSWORD, stepwise: true },
  })
  if (!answer.requires2fa) throw new Error('no second step was asked for')
  return answer.challenge
}

const BAD_LOGIN = { email: 'nobody@example.com', password: 'wrong' }

/** A refused call changes nothing, so all refused calls can share the same thing. */
const shared = new Map<string, ReturnType<typeof paramsFor>>()

async function request(spec: Declared, owner: string, refused: boolean) {
  const key = `${keyOf(spec)} ${owner}`
  const known = refused ? shared.get(key) : undefined
  const made = known ?? paramsFor(ground, spec, owner)
  if (refused) shared.set(key, made)
  const query = spec.query && (sampleOf(spec.query) as object)
  const body = sampleBody(spec, BODIES)
  const sent = requestOf(keyOf(spec), { params: await made, query: query ?? {}, body })
  return { ...sent, ...rawSample(spec) }
}

/** The status of an admitted caller when no rule refuses. */
const promisedBy = (spec: Declared): number =>
  spec.status ?? (spec.reply || spec.streams ? 200 : 204)

/** The problems of `REFUSED_BY_RULE` that occurred. */
const cameUp = new Set<string>()

/** A stream never ends by itself, so it is read over the network and cut. */
async function send(caller: Caller, given: ReturnType<typeof requestOf>, spec: Declared) {
  if (!spec.streams || spec.method !== 'GET') {
    const response = await caller.send(given)
    return { status: response.statusCode, text: response.body }
  }
  const cut = new AbortController()
  const response = await fetch(`${lodge.url}${String(given.url)}`, {
    signal: cut.signal,
    headers: caller.cookie === undefined ? {} : { cookie: `panel_session=${caller.cookie}` },
  })
  const text = response.ok ? '' : await response.text()
  cut.abort()
  return { status: response.status, text }
}

/** Sends it and compares the response with the verdict; a refusal must not have changed a row. */
async function check(
  spec: Declared,
  caller: Caller,
  expected: string,
  owner: string,
  headers: Record<string, string> = {},
  prepare: () => Promise<void> = async () => undefined,
): Promise<void> {
  const given = await request(spec, owner, expected !== 'yes')
  await prepare()
  if ('throttle' in spec.access) await lodge.database.pool.query('delete from rate_limits')
  const before = expected === 'yes' ? {} : await fingerprint(lodge.database.pool)
  const { status, text } = await send(
    caller,
    { ...given, headers: { ...given.headers, ...headers } },
    spec,
  )
  const problem = text.startsWith('{') ? (JSON.parse(text) as Partial<ProblemDocument>) : {}
  if (expected === 'yes') {
    if (status === promisedBy(spec)) return
    const key = keyOf(spec)
    expect(
      REFUSED_BY_RULE[key] ?? [],
      `${status} and not ${promisedBy(spec)}; a rule that refuses the sample stands in test/api/support/refused-by-rule.ts: ${text}`,
    ).toContain(problem.code)
    cameUp.add(`${key} ${problem.code}`)
    return
  }
  expect(`${status} ${problem.status}`, text).toBe(`${expected} ${expected}`)
  expect(await fingerprint(lodge.database.pool)).toEqual(before)
}

/** Every kind of caller: who they are, and who owns the thing in the path. */
const callers: Readonly<
  Record<
    string,
    (spec: Declared) => Promise<{ caller: Caller; owner: string; prepare?: () => Promise<void> }>
  >
> = {
  anonymous: async () => ({ caller: lodge.anonymous(), owner: await stranger() }),
  customer: async () => ({ caller: await lodge.customer(), owner: await stranger() }),
  owner: async () => {
    const caller = await lodge.customer()
    return { caller, owner: caller.id }
  },
  collaborator: async (spec) => {
    const needed = neededOfCollaborator(spec.access)
    return collaborator(needed === undefined ? [] : withImplied([needed]))
  },
  'collaborator without permission': async (spec) => {
    const needed = neededOfCollaborator(spec.access)
    return collaborator(
      ServerPermission.options.filter((one) => !needed || !withImplied([one]).includes(needed)),
    )
  },
  'admin without permission': async () => ({
    caller: await lodge.limitedAdmin([]),
    owner: await stranger(),
  }),
  'admin with permission': async (spec) => ({
    caller: await lodge.limitedAdmin(enoughFor(spec)),
    owner: await stranger(),
  }),
  'super admin': async () => {
    const { id } = await lodge.admin()
    return { caller: await lodge.session(id), owner: await stranger() }
  },
  'admin without second factor': async () => {
    const caller = await lodge.limitedAdmin(permissions)
    await lodge.database.pool.query('update users set factor_due_at = null where id = $1', [
      caller.id,
    ])
    return { caller, owner: await stranger() }
  },
  'suspended owner': async () => ownerWho('suspended'),
  'pending owner': async () => ownerWho('pending'),
  'admin from elsewhere': async () => {
    const { id, cookie = '' } = await lodge.limitedAdmin(permissions)
    const caller = lodge.anonymous({ cookie, address: '192.0.2.1' }).named(id, '')
    return { caller, owner: await stranger() }
  },
  viewer: async () => {
    const customer = await lodge.customer()
    return { caller: await viewerOf(lodge, customer), owner: customer.id }
  },
}

/** A customer whose account changed state while a session was open. */
async function ownerWho(state: 'suspended' | 'pending') {
  const caller = await lodge.customer()
  const prepare = async () => {
    await lodge.database.pool.query('update users set state = $2 where id = $1', [caller.id, state])
  }
  return { caller, owner: caller.id, prepare }
}

async function collaborator(permissions: readonly ServerPermission[]) {
  const [owner, caller] = [await lodge.customer(), await lodge.customer()]
  const prepare = () => share(ground, owner.id, caller.id, permissions)
  return { caller, owner: owner.id, prepare }
}

let known: Promise<string> | undefined
function stranger(): Promise<string> {
  known ??= lodge.customer().then((caller) => caller.id)
  return known
}

describe.each(endpoints.map((spec) => [keyOf(spec), spec] as const))('%s', (_key, spec) => {
  test.each(Object.keys(callers))('responds as the matrix says: %s', async (name) => {
    const made = await callers[name]?.(spec)
    if (!made) return
    const { caller, owner, prepare } = made
    // Streams are read over the network, where everybody comes from here.
    if (spec.streams && name === 'admin from elsewhere') return
    const allowed = verdict(spec, name as Kind)
    const theirs = name === 'owner' || name.startsWith('collaborator')
    const beyond = theirs && NOT_FOR_OWNERS.includes(keyOf(spec))
    await check(spec, caller, beyond ? '403' : allowed, owner, {}, prepare)
  })

  test('C3 L1: is not opened by all permissions but the needed one', async () => {
    const needed = neededFor(spec.access)
    const others = permissions.filter((permission) => permission !== needed)
    const caller = await lodge.limitedAdmin(others)
    if (spec.access.who === 'agent') return check(spec, caller, '401', await stranger())
    if (needed === undefined)
      return check(spec, caller, isOwnOnly(spec) ? '404' : 'yes', await stranger())
    const hidden =
      spec.access.who === 'user' &&
      !spec.access.admin &&
      ['servers.view', 'jobs.view'].includes(needed)
    await check(spec, caller, hidden ? '404' : '403', await stranger())
  })

  test.each(TOKEN_SCOPES)('K1: responds as the matrix says: token %s', async (scope) => {
    if (spec.streams) return
    const headers = { authorization: `Bearer ${tokens[scope]}` }
    // A customer's cookie beside it changes nothing.
    for (const caller of [lodge.anonymous(), await lodge.customer()]) {
      const expected = verdict(spec, `token ${scope}`)
      await check(spec, caller, expected, await stranger(), headers)
    }
  })

  test('an expired, an idle and an ended session are anonymous', async () => {
    const expected = verdict(spec, 'anonymous')
    for (const change of [
      `update sessions set expires_at = now() - interval '1 second' where user_id = $1`,
      `update sessions set last_seen_at = now() - interval '12 hours 1 second' where user_id = $1`,
      `update users set state = 'unverified' where id = $1`,
      `update users set state = 'pending' where id = $1`,
      'delete from sessions where user_id = $1',
      'delete from users where id = $1',
    ]) {
      const caller = await lodge.limitedAdmin(permissions)
      await lodge.database.pool.query(change, [caller.id])
      await check(spec, caller, expected, await stranger())
    }
  })

  test('an expired and a revoked token are anonymous, also beside the cookie of an administrator', async () => {
    if (spec.streams || (spec.access.who === 'anyone' && spec.method === 'GET')) return
    const headers = (secret: string) => ({ authorization: `Bearer ${secret}` })
    const { cookie = '' } = await lodge.session((await lodge.admin()).id)
    for (const secret of ended)
      for (const caller of [lodge.anonymous(), lodge.anonymous({ cookie })])
        await check(spec, caller, '401', await stranger(), headers(secret))
  })

  test('a token reaches no more beside the cookie of an administrator', async () => {
    if (spec.streams) return
    const { cookie = '' } = await lodge.session((await lodge.admin()).id)
    for (const scope of TOKEN_SCOPES) {
      const expected = verdict(spec, `token ${scope}`)
      if (expected === 'yes') continue
      await check(spec, lodge.anonymous({ cookie }), expected, await stranger(), {
        authorization: `Bearer ${tokens[scope]}`,
      })
    }
  })

  test('half a sign-in is anonymous', async () => {
    const cookie = half ?? ''
    await check(spec, lodge.anonymous({ cookie }), verdict(spec, 'anonymous'), await stranger())
  })

  test('is closed to a session without a step-up in the last ten minutes, where one is required', async () => {
    if (!('stepUp' in spec.access && spec.access.stepUp)) return
    const caller = await lodge.limitedAdmin(enoughFor(spec))
    await lodge.database.pool.query(
      `update sessions set proved_at = now() - interval '10 minutes 1 second' where user_id = $1`,
      [caller.id],
    )
    await check(spec, caller, '403', caller.id)
    expect('token' in spec.access && spec.access.token).toBeFalsy()
  })

  test('an invalid bearer token is refused, whatever cookie comes with it', async () => {
    if (spec.access.who === 'anyone' && spec.method === 'GET') return
    const { id } = await lodge.admin()
    const caller = await lodge.session(id)
    if (spec.streams) return
    for (const authorization of [
      'Bearer made-up',
      'Bearer',
      'Basic cm9vdDpyb290',
      '',
      'Bearer a b',
    ])
      await check(spec, caller, '401', await stranger(), { authorization })
  })

  test('the agent of another node finds nothing', async () => {
    if (spec.access.who !== 'agent' || !spec.path.includes('{id}')) return
    const { id, credential } = otherNode
    const headers = { authorization: `Bearer ${credential}`, 'x-node-id': id }
    await check(spec, lodge.anonymous(), '404', await stranger(), headers)
  })

  test('an agent cannot use the endpoints for people', async () => {
    if (spec.streams) return
    const headers = {
      authorization: `Bearer ${ground.node.credential}`,
      'x-node-id': ground.node.id,
    }
    const expected = verdict(spec, 'agent')
    await check(spec, lodge.anonymous(), expected, await stranger(), headers)
    if (spec.access.who === 'anyone' && spec.method === 'GET') return
    const wrong = [randomUUID(), 'not-an-id', '', `${ground.node.id}, ${ground.node.id}`]
    for (const other of wrong)
      await check(spec, lodge.anonymous(), '401', await stranger(), {
        ...headers,
        'x-node-id': other,
      })
  })
})

test('C1 Panel-mistakes: what one may not see responds exactly like what does not exist', async () => {
  const caller = await lodge.customer()
  const forPeople = endpoints.filter(({ access }) => access.who !== 'agent')
  for (const spec of forPeople.filter(({ path }) => path.includes('{id}'))) {
    const foreign = await request(spec, await stranger(), true)
    const answers = await Promise.all(
      [String(foreign.url), String(foreign.url).replace(/[0-9a-f-]{36}/, randomUUID())].map(
        async (url) => {
          const { statusCode, body, headers } = await caller.send({ ...foreign, url })
          const { instance, ...said } = JSON.parse(body) as ProblemDocument
          return { statusCode, said, type: headers['content-type'], instance: typeof instance }
        },
      ),
    )
    expect(answers[0], keyOf(spec)).toEqual(answers[1])
    const refusals = spec.access.who === 'agent' ? [401] : [403, 404]
    expect(refusals, keyOf(spec)).toContain(answers[0]?.statusCode)
  }
})

test('every listed refusal by a rule occurs', () => {
  const listed = Object.entries(REFUSED_BY_RULE).flatMap(([key, codes]) =>
    codes.map((code) => `${key} ${code}`),
  )
  expect(listed.filter((one) => !cameUp.has(one))).toEqual([])
})

test('C3: the released matrix matches the declarations', async () => {
  const file = path.resolve(import.meta.dirname, '../../../control-plane/access-matrix.txt')
  expect(await readFile(file, 'utf8')).toBe(accessMatrix(routes))
})

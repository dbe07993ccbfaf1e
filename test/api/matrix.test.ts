import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { ADMIN_COUNTERPART, AdminPermission } from '@lodge/shared/permissions.ts'
import type { ProblemDocument } from '@lodge/shared/problems.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../control-plane/src/api.ts'
import type { AnyAccess, Declared } from '../../control-plane/src/http/endpoint.ts'
import { accessMatrix, type Caller as Kind, verdict } from '../../control-plane/src/http/matrix.ts'
import { type Caller, requestOf } from '../caller.ts'
import { type JoinedNode, type Lodge, startLodge } from '../stack.ts'
import { fingerprint } from './fingerprint.ts'
import { sampleBody } from './samples.ts'

const endpoints: readonly Declared[] = Object.values(routes)
const keyOf = (spec: Declared) => `${spec.method} ${spec.path}`
const permissions = AdminPermission.options

let lodge: Lodge
let node: JoinedNode
let template: { id: string }
beforeAll(async () => {
  lodge = await startLodge()
  node = await lodge.node()
  template = await lodge.template()
  // Signing in once makes the dummy hash, so that no later call has to.
  await lodge.anonymous().send(requestOf('POST /api/auth/login', { body: BAD_LOGIN }))
})
afterAll(() => lodge[Symbol.asyncDispose]())

const BAD_LOGIN = { email: 'nobody@example.com', password: 'wrong' }

/** Things that paths are about, made anew for each check; `owner` is whose they are. */
const things: Readonly<Record<string, (owner: string) => Promise<string>>> = {
  server: makeServer,
  job: async (owner) => {
    const serverId = await makeServer(owner)
    return one('select id from jobs where server_id = $1', serverId)
  },
  node: async () =>
    one(`insert into nodes (id, name, location, memory_mb, cpu_percent, disk_mb, port_ranges)
         values (gen_random_uuid(), gen_random_uuid(), 'Here', 64, 10, 64, '[]') returning id`),
  customer: async () => (await lodge.customer()).id,
  session: async (owner) => {
    await lodge.session(owner)
    return one(
      'select id from sessions where user_id = $1 order by created_at desc, id limit 1',
      owner,
    )
  },
  template: async () => (await lodge.template()).id,
  administrator: async () => (await lodge.limitedAdmin([])).id,
  invite: async () =>
    one(`insert into signup_invites (id, code_hash, prefix)
         values (gen_random_uuid(), gen_random_uuid()::text::bytea, 'x') returning id`),
  message: async () =>
    one(`insert into email_messages (id, template, to_address, subject, priority, message_id, expires_at)
         values (gen_random_uuid(), 'test', 'a@example.com', 'S', 0, 'm', now()) returning id`),
}

async function makeServer(ownerId: string): Promise<string> {
  const admin = await lodge.session((await lodge.admin()).id)
  const { serverId } = await admin.must('POST /api/servers', {
    body: { name: 'One', ownerId, templateId: template.id, nodeId: node.id },
  })
  return serverId
}

async function one(sql: string, ...values: string[]): Promise<string> {
  const { rows } = await lodge.database.pool.query<{ id: string }>(sql, values)
  if (!rows[0]) throw new Error(`nothing came of ${sql}`)
  return rows[0].id
}

/** The permission with which an administrator does this to what others own; undefined where none is asked for. */
function neededFor(access: AnyAccess): AdminPermission | undefined {
  if (access.who === 'admin') return access.may
  if (access.who !== 'user') return undefined
  if (access.admin) return access.admin
  if (!access.on) return undefined
  if (access.on.name === 'server')
    return ADMIN_COUNTERPART[(access.may ?? 'view') as keyof typeof ADMIN_COUNTERPART]
  if (access.on.name === 'job') return 'jobs.view'
  throw new Error(`say here what an administrator needs for a ${access.on.name}`)
}

/** What an administrator has to see the thing at all. */
const SEEING: Readonly<Record<string, AdminPermission>> = {
  server: 'servers.view',
  node: 'nodes.view',
}
const seeing = (access: AnyAccess): AdminPermission[] => {
  const name = 'on' in access ? access.on?.name : undefined
  const permission = name === undefined ? undefined : SEEING[name]
  return permission ? [permission] : []
}

async function request(spec: Declared, owner: string) {
  const params: Record<string, string> = {}
  const named = 'on' in spec.access ? spec.access.on?.name : undefined
  const thing = things[named ?? (isSessionPath(spec) ? 'session' : '')]
  for (const [, name = ''] of spec.path.matchAll(/\{(\w+)\}/g)) {
    if (name === 'offset') params[name] = '0'
    else if (name === 'template') params[name] = 'test'
    else if (name !== 'id') params[name] = randomUUID()
    else if (thing) params.id = await thing(owner)
    else throw new Error(`say here how to make what ${spec.path} is about`)
  }
  return requestOf(keyOf(spec), { params, body: sampleBody(spec) })
}

const REFUSALS = [
  'authentication_required',
  'token_invalid',
  'node_credential_invalid',
  'forbidden',
]
const MORE_REFUSALS = ['permission_required', 'origin_mismatch', 'insufficient_scope', 'not_found']

/** A stream never ends by itself, so it is read from outside and cut. */
async function send(caller: Caller, given: ReturnType<typeof requestOf>, spec: Declared) {
  if (!spec.streams) {
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

/** Sends it and holds the answer against the verdict; a refusal must not have changed a row. */
async function check(
  spec: Declared,
  caller: Caller,
  expected: string,
  owner: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const given = await request(spec, owner)
  const before = expected === 'yes' ? {} : await fingerprint(lodge.database.pool)
  const { status, text } = await send(
    caller,
    { ...given, headers: { ...given.headers, ...headers } },
    spec,
  )
  const said = text.startsWith('{') ? (JSON.parse(text) as Partial<ProblemDocument>) : {}
  if (expected === 'yes') {
    expect(status, text).not.toBe(500)
    expect([...REFUSALS, ...MORE_REFUSALS], text).not.toContain(status < 400 ? '' : said.code)
    return
  }
  expect(`${status} ${said.status}`, text).toBe(`${expected} ${expected}`)
  expect(await fingerprint(lodge.database.pool)).toEqual(before)
}

/** Every kind of caller: who they are, and whose thing the path is about. */
const callers: Readonly<
  Record<string, (access: AnyAccess) => Promise<{ caller: Caller; owner: string } | undefined>>
> = {
  anonymous: async () => ({ caller: lodge.anonymous(), owner: await stranger() }),
  customer: async () => ({ caller: await lodge.customer(), owner: await stranger() }),
  owner: async () => {
    const caller = await lodge.customer()
    return { caller, owner: caller.id }
  },
  'admin without permission': async () => ({
    caller: await lodge.limitedAdmin([]),
    owner: await stranger(),
  }),
  'admin with permission': async (access) => {
    const needed = neededFor(access)
    const all = [...new Set([...(needed ? [needed] : []), ...seeing(access)])]
    return { caller: await lodge.limitedAdmin(all), owner: await stranger() }
  },
  'super admin': async () => {
    const { id } = await lodge.admin()
    return { caller: await lodge.session(id), owner: await stranger() }
  },
}

let known: Promise<string> | undefined
function stranger(): Promise<string> {
  known ??= lodge.customer().then((caller) => caller.id)
  return known
}

const isSessionPath = (spec: Declared) => spec.path.startsWith('/api/auth/sessions/{id}')
/** What is one's own, whoever one is: another person's does not exist there. */
const isOwnOnly = (spec: Declared) =>
  isSessionPath(spec) || (spec.path.startsWith('/api/me/') && spec.path.includes('{id}'))

describe.each(endpoints.map((spec) => [keyOf(spec), spec] as const))('%s', (_key, spec) => {
  test.each(Object.keys(callers))('answers by the matrix: %s', async (name) => {
    const made = await callers[name]?.(spec.access)
    if (!made) return
    const { caller, owner } = made
    const allowed = verdict(spec.access, name as Kind)
    const hidden = isOwnOnly(spec) && allowed === 'yes' && owner !== caller.id
    const expected = hidden ? '404' : allowed
    await check(spec, caller, expected, owner)
  })

  test('is not opened by all permissions but the needed one', async () => {
    const needed = neededFor(spec.access)
    const others = permissions.filter((permission) => permission !== needed)
    const caller = await lodge.limitedAdmin(others)
    if (needed === undefined)
      return check(spec, caller, isOwnOnly(spec) ? '404' : 'yes', await stranger())
    const hidden =
      spec.access.who === 'user' &&
      !spec.access.admin &&
      ['servers.view', 'jobs.view'].includes(needed)
    await check(spec, caller, hidden ? '404' : '403', await stranger())
  })

  test('an expired, an idle and an ended session are nobody', async () => {
    const expected = verdict(spec.access, 'anonymous')
    for (const change of [
      `update sessions set expires_at = now() - interval '1 second' where user_id = $1`,
      `update sessions set last_seen_at = now() - interval '12 hours 1 second' where user_id = $1`,
      'delete from sessions where user_id = $1',
      'delete from users where id = $1',
    ]) {
      const caller = await lodge.limitedAdmin(permissions)
      await lodge.database.pool.query(change, [caller.id])
      await check(spec, caller, expected, await stranger())
    }
  })

  test('a bearer token that is not valid is refused, whatever cookie comes with it', async () => {
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

  test('an agent reaches nothing of people', async () => {
    if (spec.streams) return
    const headers = { authorization: `Bearer ${node.credential}`, 'x-node-id': node.id }
    const expected = verdict(spec.access, 'agent')
    await check(spec, lodge.anonymous(), expected, await stranger(), headers)
    if (spec.access.who === 'anyone' && spec.method === 'GET') return
    const wrong = [randomUUID(), 'not-an-id', '', `${node.id}, ${node.id}`]
    for (const other of wrong)
      await check(spec, lodge.anonymous(), '401', await stranger(), {
        ...headers,
        'x-node-id': other,
      })
  })
})

test('what one may not see answers exactly like what does not exist', async () => {
  const caller = await lodge.customer()
  for (const spec of endpoints.filter((one) => one.path.includes('{id}'))) {
    const foreign = await request(spec, await stranger())
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
    expect([403, 404], keyOf(spec)).toContain(answers[0]?.statusCode)
  }
})

test('the released matrix is the one of the declarations', async () => {
  const file = path.resolve(import.meta.dirname, '../../control-plane/access-matrix.txt')
  expect(await readFile(file, 'utf8')).toBe(accessMatrix(routes))
})

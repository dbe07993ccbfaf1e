import { randomUUID } from 'node:crypto'
import type { ProblemDocument } from '@lodge/shared/problems.ts'
import { VIEWING_HEADER } from '@lodge/shared/viewing.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { routes } from '../../../control-plane/src/api.ts'
import type { Declared } from '../../../control-plane/src/http/endpoint.ts'
import { modules } from '../../../control-plane/src/modules.ts'
import { type Caller, requestOf } from '../../support/caller.ts'
import { type Lodge, ORIGIN, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { openEvents } from '../support/event-stream.ts'
import { fingerprint } from '../support/fingerprint.ts'
import { keyOf } from '../support/things.ts'
import { viewerOf } from '../support/viewer.ts'

const endpoints: readonly Declared[] = Object.values(routes)
/** The requests that end viewing. */
const ENDS = ['DELETE /api/auth/viewing', 'POST /api/auth/logout']

let lodge: Lodge
let root: Caller
beforeAll(async () => {
  lodge = await startLodge()
  root = await lodge.admin()
})
beforeEach(() => lodge.database.pool.query('truncate rate_limits'))
afterAll(() => lodge[Symbol.asyncDispose]())

const codeOf = (answer: { body: unknown }) => (answer.body as ProblemDocument).code
const me = (caller: Caller) => caller.must('GET /api/auth/me')
const stop = (caller: Caller) => caller.must('DELETE /api/auth/viewing')
const viewAs = (admin: Caller, id: string) =>
  admin.call('POST /api/customers/{id}/view-as', { params: { id } })
const isViewing = async (caller: Caller) => (await me(caller)).viewing !== null

/** The audit record's entries about an administrator's viewing, the oldest first. */
async function told({ id }: Caller): Promise<string[]> {
  const { items } = await root.must('GET /api/audit', { query: { actorId: id } })
  return items.map(({ what }) => what).toReversed()
}

/** Any request to an endpoint, for a resource that does not exist. */
function anyRequest(spec: Declared) {
  const names = [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return requestOf(keyOf(spec), {
    params: Object.fromEntries(names.map((name) => [name, randomUUID()])),
  })
}

/** Opens a WebSocket that is expected to be refused. @returns status and body of the refusal */
function refusedSocket(caller: Caller, path: string): Promise<{ status: number; text: string }> {
  const socket = new WebSocket(`${lodge.url.replace('http', 'ws')}${path}`, {
    headers: { origin: ORIGIN, cookie: `panel_session=${caller.cookie}` },
  })
  socket.on('error', () => undefined)
  return new Promise((resolve) => {
    socket.on('unexpected-response', (_request, response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
  })
}

describe('an administrator who views as a customer', () => {
  test('receives the customer’s responses, and is told who they are themselves', async () => {
    const customer = await lodge.customer()
    const { id: templateId } = await lodge.template()
    const { id: nodeId } = await lodge.node()
    const serverId = await lodge.server({ ownerId: customer.id, templateId, nodeId })
    const viewer = await viewerOf(lodge, customer)
    const seen = await me(viewer)
    expect(seen).toMatchObject({
      id: customer.id,
      email: customer.email,
      role: 'customer',
      permissions: [],
      viewing: { viewer: viewer.email },
    })
    const minutes = (Date.parse(seen.viewing?.until ?? '') - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(59)
    expect(minutes).toBeLessThanOrEqual(60)
    const { items } = await viewer.must('GET /api/servers')
    expect(items.map(({ id }) => id)).toEqual([serverId])
    expect((await viewer.call('GET /api/customers')).status).toBe(403)
    expect((await me(customer)).viewing).toBeNull()
  })

  test('is refused every change before it is counted, read or written', async () => {
    const viewer = await viewerOf(lodge, await lodge.customer())
    const changes = endpoints.filter((spec) => spec.method !== 'GET' && !ENDS.includes(keyOf(spec)))
    expect(changes.length).toBeGreaterThan(100)
    await lodge.database.pool.query('truncate rate_limits')
    const before = await fingerprint(lodge.database.pool)
    for (const spec of changes) {
      const response = await viewer.send(anyRequest(spec))
      expect([response.statusCode, response.json().code], keyOf(spec)).toEqual([
        403,
        'viewing_only',
      ])
    }
    expect(await fingerprint(lodge.database.pool)).toEqual(before)
    expect((await lodge.database.pool.query('select 1 from rate_limits')).rows).toEqual([])
  })

  test('opens no WebSocket', async () => {
    const viewer = await viewerOf(lodge, await lodge.customer())
    const paths = modules.flatMap(({ upgrades = {} }) => Object.keys(upgrades))
    expect(paths).toContain('/api/relay')
    for (const path of paths) {
      const { status, text } = await refusedSocket(viewer, path)
      expect([status, JSON.parse(text).code], path).toEqual([403, 'viewing_only'])
    }
  })

  test('reads neither output of programs nor values of secret variables', async () => {
    const customer = await lodge.customer()
    const { id: templateId } = await lodge.template({
      variables: [
        {
          ...{ name: 'Password', env: 'RCON_PASSWORD', default: 'a default', secret: true },
          ...{ userEditable: true, userViewable: true },
        },
      ],
    })
    const { id: nodeId } = await lodge.node()
    const id = await lodge.server({ ownerId: customer.id, templateId, nodeId })
    const viewer = await viewerOf(lodge, customer)
    const shownTo = async (caller: Caller) =>
      JSON.stringify(await caller.must('GET /api/servers/{id}/startup', { params: { id } }))
    expect(await shownTo(customer)).toContain('a default')
    expect(await shownTo(viewer)).not.toContain('a default')
    const logs = await viewer.call('GET /api/servers/{id}/logs', { params: { id } })
    expect([logs.status, codeOf(logs)]).toEqual([403, 'viewing_only'])
  })

  test('is named in the audit record at begin and end, and the customer reads only that somebody viewed', async () => {
    const customer = await lodge.customer()
    const viewer = await viewerOf(lodge, customer)
    const views = async () => {
      const answer = await customer.must('GET /api/auth/sessions')
      expect(JSON.stringify(answer)).not.toContain(viewer.email)
      expect(JSON.stringify(answer)).not.toContain(viewer.address)
      return answer.views.map(({ endedAt }) => endedAt !== null)
    }
    expect(await views()).toEqual([false])
    await stop(viewer)
    expect(await views()).toEqual([true])
    expect(await told(viewer)).toEqual([
      `started viewing the panel as ${customer.email}`,
      `stopped viewing the panel as ${customer.email}`,
    ])
  })

  test('acts as themselves again without signing in, and receives no more of the customer’s events', async () => {
    const viewer = await viewerOf(lodge, await lodge.customer())
    const stream = openEvents(lodge, viewer)
    expect(await stream.opened).toBe(200)
    await stop(viewer)
    await stream.over
    expect(await me(viewer)).toMatchObject({ id: viewer.id, role: 'admin', viewing: null })
    // Ending is idempotent: a session that views nobody may end viewing.
    await stop(viewer)
    expect(await told(viewer)).toHaveLength(2)
  })

  test('ends what the session had open as the administrator', async () => {
    const admin = await lodge.limitedAdmin(['customers.view_as'])
    const stream = openEvents(lodge, admin)
    await stream.opened
    expect((await viewAs(admin, (await lodge.customer()).id)).status).toBe(200)
    await stream.over
  })

  test('changes nothing through a page that was opened while viewing and is used after its end', async () => {
    const viewer = await viewerOf(lodge, await lodge.customer())
    await stop(viewer)
    const rename = (headers: Record<string, string>) => {
      const request = requestOf('PATCH /api/auth/me', { body: { name: 'Ada' } })
      return viewer.send({ ...request, headers: { ...request.headers, ...headers } })
    }
    const stale = await rename({ [VIEWING_HEADER]: 'yes' })
    expect([stale.statusCode, stale.json().code]).toEqual([403, 'viewing_only'])
    expect((await rename({})).statusCode).toBe(200)
  })

  test('is held to the addresses from which administrators may work', async () => {
    const viewer = await viewerOf(lodge, await lodge.customer())
    const home = root.address
    await root.must('PUT /api/settings/security', {
      body: { administratorAddresses: [home, viewer.address], auditDays: 730 },
    })
    const away = lodge.anonymous({ cookie: viewer.cookie ?? '', address: '203.0.113.9' })
    await expect
      .poll(async () => codeOf(await away.call('GET /api/servers')))
      .toBe('ip_not_allowed')
    expect(await isViewing(viewer)).toBe(true)
    await root.must('PUT /api/settings/security', {
      body: { administratorAddresses: [], auditDays: 730 },
    })
    await expect
      .poll(async () => codeOf(await away.call('GET /api/servers')))
      .not.toBe('ip_not_allowed')
  })

  test('sees a suspended account as it is', async () => {
    const customer = await lodge.customer()
    const viewer = await viewerOf(lodge, customer)
    await lodge.database.pool.query(`update users set state = 'suspended' where id = $1`, [
      customer.id,
    ])
    expect(await me(viewer)).toMatchObject({ id: customer.id, state: 'suspended' })
    expect(codeOf(await viewer.call('GET /api/servers'))).toBe('account_suspended')
    await stop(viewer)
  })
})

describe('viewing as a customer', () => {
  test('is for who holds the permission and has just shown who they are', async () => {
    const { id } = await lodge.customer()
    const others = await lodge.limitedAdmin(['customers.view', 'customers.manage', 'servers.view'])
    expect(codeOf(await viewAs(others, id))).toBe('permission_required')
    const admin = await lodge.limitedAdmin(['customers.view_as'])
    await lodge.database.pool.query(
      `update sessions set proved_at = now() - interval '11 minutes' where user_id = $1`,
      [admin.id],
    )
    expect(codeOf(await viewAs(admin, id))).toBe('reauthentication_required')
    expect(await isViewing(admin)).toBe(false)
  })

  test('is refused for administrators and for accounts that nobody signs in to', async () => {
    const admin = await lodge.limitedAdmin(['customers.view_as'])
    const colleague = await lodge.limitedAdmin([])
    for (const { id } of [colleague, root, admin])
      expect((await viewAs(admin, id)).status).toBe(404)
    const customer = await lodge.customer()
    for (const state of ['unverified', 'pending']) {
      await lodge.database.pool.query('update users set state = $2 where id = $1', [
        customer.id,
        state,
      ])
      expect(codeOf(await viewAs(admin, customer.id))).toBe('invalid_state')
    }
    expect(await isViewing(admin)).toBe(false)
  })

  test('is limited to one customer at a time, even with concurrent requests', async () => {
    const admin = await lodge.limitedAdmin(['customers.view_as'])
    const customers = await Promise.all(Array.from({ length: 8 }, () => lodge.customer()))
    const answers = await Promise.all(customers.map(({ id }) => viewAs(admin, id)))
    expect(answers.every(({ status }) => status === 200 || status === 403)).toBe(true)
    const begun = answers.filter(({ status }) => status === 200).length
    expect(await isViewing(admin)).toBe(true)
    await stop(admin)
    expect(await isViewing(admin)).toBe(false)
    const { rows } = await lodge.database.pool.query(
      `select count(*)::int as begun, count(ended_at)::int as ended from viewings where viewer_id = $1`,
      [admin.id],
    )
    expect(rows).toEqual([{ begun, ended: begun }])
  })
})

describe('viewing ends', () => {
  const elsewhere = ({ id, email }: Caller) => lodge.session(id, email)
  type End = (given: { viewer: Caller; customer: Caller }) => Promise<unknown>
  const ends: Readonly<Record<string, readonly [end: End, status: number]>> = {
    'after 60 minutes': [
      ({ viewer }) =>
        lodge.database.pool.query(
          `update viewings set expires_at = now() - interval '1 second' where viewer_id = $1`,
          [viewer.id],
        ),
      200,
    ],
    'with the permission': [
      ({ viewer }) =>
        root.must('PUT /api/team/{id}/permissions', {
          params: { id: viewer.id },
          body: { permissions: ['customers.view'] },
        }),
      200,
    ],
    'with the session, when it is signed out from elsewhere': [
      async ({ viewer }) => (await elsewhere(viewer)).must('POST /api/auth/sessions/revoke-others'),
      401,
    ],
    'with the account of the administrator': [
      ({ viewer }) => root.must('DELETE /api/team/{id}', { params: { id: viewer.id } }),
      401,
    ],
    'with that of the customer': [
      ({ customer }) => root.must('DELETE /api/customers/{id}', { params: { id: customer.id } }),
      200,
    ],
    'when the administrator owes a second factor': [
      ({ viewer }) =>
        lodge.database.pool.query('update users set factor_due_at = null where id = $1', [
          viewer.id,
        ]),
      200,
    ],
  }

  test.each(Object.entries(ends))('%s, which is recorded', async (_when, [end, status]) => {
    const customer = await lodge.customer()
    const viewer = await viewerOf(lodge, customer)
    const stream = openEvents(lodge, viewer)
    expect(await stream.opened).toBe(200)
    await end({ viewer, customer })
    const answer = await viewer.call('GET /api/auth/me')
    expect(answer.status).toBe(status)
    if (status === 200) expect(answer.body).toMatchObject({ id: viewer.id, viewing: null })
    await stream.over
    const last = `no longer views the panel as ${customer.email}`
    await until(async () => (await told(viewer)).includes(last))
  })

  test('when the viewer signs out', async () => {
    const customer = await lodge.customer()
    const viewer = await viewerOf(lodge, customer)
    const cookie = viewer.cookie ?? ''
    await viewer.must('POST /api/auth/logout')
    expect(viewer.cookie).toBeUndefined()
    expect((await lodge.anonymous({ cookie }).call('GET /api/auth/me')).status).toBe(401)
    expect(await told(viewer)).toEqual([
      `started viewing the panel as ${customer.email}`,
      `stopped viewing the panel as ${customer.email}`,
      'signed out',
    ])
    // The customer's own sessions are unaffected.
    expect((await customer.call('GET /api/auth/me')).status).toBe(200)
  })
})

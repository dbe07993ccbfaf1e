import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newKey, publicKeyOf } from '../../../plugins/sdk/pack.ts'
import type { Caller } from '../../support/caller.ts'
import { samplePackage } from '../../support/plugin.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

// Pages of plugins: who sees them, what their plugin receives, and their content security policy.

const key = newKey()
const PLUGIN = { plugin: 'pages' }
let lodge: Lodge
let admin: Caller
let customer: Caller
let stranger: Caller
let serverId: string

beforeAll(async () => {
  lodge = await startLodge({ environment: { LODGE_PLUGIN_KEYS: publicKeyOf(key) } })
  admin = await lodge.admin()
  customer = await lodge.customer()
  stranger = await lodge.customer()
  const node = await lodge.node()
  const { id: templateId } = await lodge.template()
  const about = { ownerId: customer.id, templateId, nodeId: node.id, start: false }
  serverId = await lodge.server({ name: 'lobby', ...about })
})
afterAll(() => lodge?.[Symbol.asyncDispose]())
beforeEach(async () => {
  for (const { id } of (await admin.must('GET /api/plugins')).items)
    await admin.must('DELETE /api/plugins/{plugin}', { params: { plugin: id } })
  await lodge.database.pool.query('delete from rate_limits')
})

const SCRIPT = 'document.body.textContent = "Hello"\n'
const declared = (id: string, more: object = {}) => ({
  ...{ id, title: { en: id, de: `${id} auf Deutsch` }, audience: 'customers', script: 'page.js' },
  ...more,
})
const PAGES = [
  declared('all'),
  declared('staff', { audience: 'administrators' }),
  declared('nodes', { audience: 'administrators', needs: 'nodes.manage' }),
  declared('tab', { place: 'server' }),
]
/** Returns everything that it receives. */
const ECHO = `export default ({ refusal }) => ({ page: { request(given) {
  if (given.method === 'refuse') throw refusal('sorry', 'Not today')
  if (given.method === 'fail') throw new Error('broken')
  if (given.method === 'much') return { answer: 'x'.repeat(70000) }
  if (given.method === 'nothing') return {}
  return { answer: given }
} } })`

const packed = (more: object = {}, files: Readonly<Record<string, string>> = {}) =>
  samplePackage(
    {
      ...{ id: 'pages', name: 'Pages', kinds: ['page'], pages: PAGES },
      permissions: ['pages:customers', 'pages:administrators'],
      ...more,
    } as never,
    ECHO,
    key,
    { 'page.js': SCRIPT, ...files },
  ).toString('base64')
const install = (more?: object, files?: Readonly<Record<string, string>>) =>
  admin.must('POST /api/plugins', {
    body: { source: 'upload', package: packed(more, files), acceptPermissions: true },
  })
const seenBy = async (caller: Caller) =>
  (await caller.must('GET /api/plugin-pages')).items.map(({ page }) => page)
const ask = (caller: Caller, page: string, body: object) =>
  caller.call('POST /api/plugin-pages/{plugin}/{page}/questions', {
    params: { ...PLUGIN, page },
    body: body as { method: string },
  })
const askOn = (caller: Caller, id: string, page: string, body: object = { method: 'hello' }) =>
  caller.call('POST /api/servers/{id}/plugin-pages/{plugin}/{page}/questions', {
    params: { id, ...PLUGIN, page },
    body: body as { method: string },
  })

test('everybody sees the pages meant for them, and nobody those of a plugin that is off', async () => {
  await install()
  const few = await lodge.limitedAdmin(['servers.view'])
  const many = await lodge.limitedAdmin(['nodes.view', 'nodes.manage'])
  expect(await seenBy(customer)).toEqual(['all', 'tab'])
  expect(await seenBy(few)).toEqual(['all', 'staff', 'tab'])
  expect(await seenBy(many)).toEqual(['all', 'staff', 'nodes', 'tab'])
  const [first] = (await customer.must('GET /api/plugin-pages')).items
  expect(first).toMatchObject({
    ...{ plugin: 'pages', title: { en: 'all', de: 'all auf Deutsch' }, audience: 'customers' },
    ...{ place: 'navigation', icon: 'puzzle' },
  })
  expect((await lodge.anonymous().call('GET /api/plugin-pages')).status).toBe(401)
  const body = { enabled: false }
  await admin.must('PATCH /api/plugins/{plugin}', { params: PLUGIN, body })
  expect([await seenBy(customer), await seenBy(admin)]).toEqual([[], []])
  expect(await ask(customer, 'all', { method: 'hello' })).toMatchObject({ status: 404 })
})

test('a plugin is told the caller from the session, whatever the page says', async () => {
  await install()
  const payload = { caller: { id: admin.id, role: 'administrator' }, server: { id: serverId } }
  const { status, body } = await ask(customer, 'all', { method: 'hello', payload })
  expect([status, body]).toMatchObject([
    200,
    {
      refusal: null,
      answer: {
        ...{ page: 'all', method: 'hello', payload, server: null },
        caller: { id: customer.id, role: 'customer' },
      },
    },
  ])
  expect(await ask(admin, 'staff', { method: 'hello' })).toMatchObject({
    body: { answer: { caller: { id: admin.id, role: 'administrator' }, payload: null } },
  })
  for (const lie of [{ caller: payload.caller }, { server: serverId }, { page: 'staff' }])
    expect(await ask(customer, 'all', { method: 'hello', ...lie })).toMatchObject({ status: 400 })
})

test('a page on a server can query only servers that the person sees', async () => {
  await install()
  expect(await askOn(customer, serverId, 'tab')).toMatchObject({
    status: 200,
    body: { answer: { server: { id: serverId, name: 'lobby', kind: 'container' } } },
  })
  const { body } = await askOn(admin, serverId, 'tab')
  expect((body.answer as { server: { permissions: string[] } }).server.permissions).toContain(
    'power.start',
  )
  expect(await askOn(stranger, serverId, 'tab')).toMatchObject({ status: 404 })
  // Neither can a page be queried at a place that is not its own.
  expect(await askOn(customer, serverId, 'all')).toMatchObject({ status: 404 })
  expect(await ask(customer, 'tab', { method: 'hello' })).toMatchObject({ status: 404 })
})

test('a page that the person may not see cannot be queried, as if it did not exist', async () => {
  await install()
  const few = await lodge.limitedAdmin(['servers.view'])
  const missing = await ask(customer, 'other', { method: 'hello' })
  for (const [caller, page] of [
    [customer, 'staff'],
    [customer, 'nodes'],
    [few, 'nodes'],
    [admin, 'constructor'],
  ] as const) {
    const { status, body } = await ask(caller, page, { method: 'hello' })
    expect([status, body]).toMatchObject([
      404,
      { detail: (missing.body as unknown as { detail: string }).detail },
    ])
  }
})

test('a refusal of a plugin is distinguished from a failure', async () => {
  await install()
  expect(await ask(customer, 'all', { method: 'refuse' })).toMatchObject({
    status: 200,
    body: { refusal: { code: 'sorry', message: 'Not today' } },
  })
  expect(await ask(customer, 'all', { method: 'nothing' })).toMatchObject({
    body: { answer: null, refusal: null },
  })
  for (const method of ['fail', 'much'])
    expect(await ask(customer, 'all', { method })).toMatchObject({
      ...{ status: 502, body: { code: 'plugin_failed' } },
    })
})

test('queries are limited in size, depth and frequency', async () => {
  await install()
  const status = async (body: object) => (await ask(customer, 'all', body)).status
  expect(await status({ method: 'nothing', payload: 'x'.repeat(65_534) })).toBe(200)
  expect(await status({ method: 'hello', payload: 'x'.repeat(65_535) })).toBe(400)
  expect(await status({ method: 'hello', payload: 'x'.repeat(200_000) })).toBe(413)
  for (const method of ['', '__proto__', 'Hello', 'a.b', 'x'.repeat(61)])
    expect(await status({ method })).toBe(400)
  const raw = async (payload: string) =>
    (
      await customer.send({
        method: 'POST',
        url: '/api/plugin-pages/pages/all/questions',
        headers: { 'content-type': 'application/json' },
        payload,
      })
    ).statusCode
  expect(await raw('{"method":"hello","payload":{"__proto__":{"admin":true}}}')).toBe(400)
  const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`
  expect(await raw(`{"method":"hello","payload":${deep}}`)).toBe(400)
  const many = await Promise.all(
    Array.from({ length: 70 }, () => status({ method: 'hello', payload: null })),
  )
  expect([many.includes(200), many.includes(429)]).toEqual([true, true])
  expect((await ask(stranger, 'all', { method: 'hello' })).status).toBe(200)
})

test('the document of a page runs one script, can reach nothing, and needs no session', async () => {
  await install({}, { 'page.js': SCRIPT.replace('\n', '\r\n') })
  const [{ frame } = { frame: '' }] = (await customer.must('GET /api/plugin-pages')).items
  const response = await fetch(lodge.url + frame)
  const text = await response.text()
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(text) ?? []
  expect(script).toMatch(/^[^\n]*\n[\s\S]*delete this\.RTCPeerConnection/)
  expect(script).toContain(SCRIPT)
  const hash = createHash('sha256').update(script).digest('base64')
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'none'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'sandbox allow-scripts',
  ])
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('set-cookie')).toBeNull()
  expect(response.headers.get('cache-control')).toContain('immutable')
  const policyAt = async (address: string, headers = {}) =>
    (await fetch(lodge.url + address, { headers })).headers.get('content-security-policy') ?? ''
  // It opens neither outside a frame nor at another address.
  for (const headers of [{ 'sec-fetch-dest': 'document' }, { 'sec-fetch-dest': 'script' }])
    expect(await policyAt(frame, headers)).not.toContain('sandbox')
  expect(await policyAt(frame, { 'sec-fetch-dest': 'iframe' })).toBe(policy)
  for (const other of [frame.slice(0, -1), `${frame}?x`, frame.replace('/all/', '/staff/')])
    expect(await policyAt(other)).not.toContain('sandbox')
  await admin.must('DELETE /api/plugins/{plugin}', { params: PLUGIN })
  expect(await policyAt(frame)).not.toContain('sandbox')
})

test('an update has another address, and needs acceptance if its pages are for more people', async () => {
  await install({ pages: [declared('all')], permissions: ['pages:customers'] })
  const frameOf = async () => (await customer.must('GET /api/plugin-pages')).items[0]?.frame
  const update = (more: object, files?: Readonly<Record<string, string>>) =>
    admin.must('POST /api/plugins/{plugin}/update', {
      params: PLUGIN,
      body: { package: packed(more, files) },
    })
  const former = await frameOf()
  const same = { pages: [declared('all')], permissions: ['pages:customers'] }
  await update({ version: '1.0.1', ...same }, { 'page.js': 'document.title = "new"' })
  const next = await frameOf()
  expect(next).not.toBe(former)
  const { held } = await update({ version: '1.0.2' })
  expect(held?.addedPermissions).toEqual([
    {
      id: 'pages:administrators',
      words: expect.stringMatching(/^Add pages to the panel for administrators/),
    },
  ])
  expect([await frameOf(), await seenBy(admin)]).toEqual([next, ['all']])
})

test.each([
  ['with a script that ends early', {}, { 'page.js': '"</SCRIPT>"' }],
  ['with a script that opens a comment', {}, { 'page.js': '"<!-- "' }],
  ['with a script that is too large', {}, { 'page.js': `"${'x'.repeat(513 * 1024)}"` }],
  [
    'with a style that ends early',
    { pages: [declared('a', { style: 'a.css' })] },
    { 'a.css': '</style' },
  ],
  ['without the file of a page', { pages: [declared('a', { body: 'a.html' })] }, {}],
  ['with a module as script', { pages: [declared('a', { script: 'main.mjs' })] }, {}],
  ['with two pages of one id', { pages: [declared('a'), declared('a')] }, {}],
  ['with an icon that there is not', { pages: [declared('a', { icon: '../x' })] }, {}],
  ['with a page without an English title', { pages: [declared('a', { title: { de: 'A' } })] }, {}],
  ['with pages of another kind', { kinds: ['event'] }, {}],
  ['without pages', { pages: undefined }, {}],
  ['with a permission that no page has', { pages: [declared('a')] }, {}],
  ['whose pages lack their permission', { permissions: ['pages:customers'] }, {}],
  [
    'with a page for customers that needs a permission',
    { pages: [declared('a', { needs: 'nodes.view' })], permissions: ['pages:customers'] },
    {},
  ],
])('a package %s is refused', async (_what, more, files) => {
  const answer = await admin.call('POST /api/plugins/inspect', {
    body: { source: 'upload', package: packed(more, files as Record<string, string>) },
  })
  expect(answer).toMatchObject({ status: 422, body: { code: 'plugin_not_valid' } })
})

test('the bundled task lists work on a server', async () => {
  const body = { source: 'bundled', id: 'page-tasks', acceptPermissions: true } as const
  expect(await admin.must('POST /api/plugins', { body })).toMatchObject({ enabled: true })
  const of = (caller: Caller) => async (question: object) =>
    (
      await caller.call('POST /api/servers/{id}/plugin-pages/{plugin}/{page}/questions', {
        params: { id: serverId, plugin: 'page-tasks', page: 'tasks' },
        body: question as { method: string },
      })
    ).body
  expect(await of(customer)({ method: 'add', payload: { text: 'Update' } })).toMatchObject({
    answer: { tasks: [{ text: 'Update', done: false }], mayChange: true },
  })
  const looking = await lodge.limitedAdmin(['servers.view'])
  expect(await of(looking)({ method: 'list' })).toMatchObject({ answer: { mayChange: false } })
  expect(await of(looking)({ method: 'add', payload: { text: 'x' } })).toMatchObject({
    refusal: { code: 'not_allowed' },
  })
})

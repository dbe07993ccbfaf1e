import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer } from '../../../control-plane/src/answers.ts'
import { contextFor } from '../../../control-plane/src/context.ts'
import { type Domain, defineDomain } from '../../../control-plane/src/domain.ts'
import {
  callPlugin,
  PluginCallFailed,
  paymentProviders,
  pluginInUse,
  providersOf,
} from '../../../control-plane/src/domains/plugins/index.ts'
import { modules } from '../../../control-plane/src/modules.ts'
import { newKey, publicKeyOf } from '../../../plugins/sdk/pack.ts'
import type { Caller } from '../../support/caller.ts'
import { type GivenManifest, samplePackage } from '../../support/plugin.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

const key = newKey()
let lodge: Lodge
let admin: Caller
let outside: http.Server
let outsideHost: string
const asked: { url: string | undefined; body: string; type: string | undefined }[] = []

/** Somebody pays through one plugin. */
const subscriptions = defineDomain({
  name: 'toy-subscriptions',
  answers: [answer(pluginInUse, async (_ctx, id) => (id === 'used' ? 'It is paid through' : null))],
})
const others = modules.map(
  (one: Domain): Domain => ({
    ...one,
    answers: (one.answers ?? []).filter(({ question }) => question.name !== pluginInUse.name),
  }),
)

beforeAll(async () => {
  outside = http.createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    asked.push({ url: request.url, body, type: request.headers['x-plugin'] as string })
    response.writeHead(201, { 'x-answer': 'yes' }).end('taken')
  })
  outside.listen(0, '127.0.0.1')
  await once(outside, 'listening')
  outsideHost = `127.0.0.1:${(outside.address() as AddressInfo).port}`
  lodge = await startLodge({
    modules: [...others, subscriptions],
    environment: { LODGE_PLUGIN_KEYS: publicKeyOf(key), LODGE_EGRESS_HOSTS: outsideHost },
  })
  admin = await lodge.admin()
})
afterAll(async () => {
  await lodge[Symbol.asyncDispose]()
  outside.close()
})

const of = (plugin: string) => ({ params: { plugin } })
const upload = (packed: Buffer) => ({
  source: 'upload' as const,
  package: packed.toString('base64'),
})
const install = (given: GivenManifest, main?: string) =>
  admin.must('POST /api/plugins', {
    body: { ...upload(samplePackage(given, main, key)), acceptPermissions: true },
  })
const health = (id: string) => admin.must('POST /api/plugins/{plugin}/health', of(id))
const logOf = async (id: string) =>
  (await admin.must('GET /api/plugins/{plugin}/logs', { ...of(id), query: {} })).items
    .map(({ text }) => text)
    .join('\n')

test('a bundled plugin is inspected, accepted, set up, called and uninstalled', async () => {
  const bundled = { source: 'bundled', id: 'payment-manual' } as const
  expect(await admin.must('POST /api/plugins/inspect', { body: bundled })).toMatchObject({
    name: 'Bank transfer',
    signature: 'bundled',
    obstacle: null,
    permissions: [{ id: 'billing.provider', words: expect.stringContaining('email addresses') }],
  })
  const { items } = await admin.must('GET /api/plugins/store')
  expect(items).toContainEqual(expect.objectContaining({ id: 'payment-manual', source: 'bundled' }))
  for (const acceptPermissions of [false, 'true', undefined])
    expect(
      await admin.call('POST /api/plugins', {
        body: { ...bundled, acceptPermissions: acceptPermissions as true },
      }),
    ).toMatchObject({ status: 400 })
  const body = { ...bundled, acceptPermissions: true as const }
  const installed = await admin.must('POST /api/plugins', { body })
  // It is off until it has its settings.
  expect(installed).toMatchObject({ enabled: false, status: 'disabled', source: 'bundled' })
  expect(await admin.call('POST /api/plugins', { body })).toMatchObject({ status: 409 })
  const turnOn = { ...of('payment-manual'), body: { enabled: true } }
  expect(await admin.call('PATCH /api/plugins/{plugin}', turnOn)).toMatchObject({
    body: { code: 'invalid_state' },
  })
  const save = (settings: Record<string, string | number | null>) =>
    admin.call('PUT /api/plugins/{plugin}/settings', {
      ...of('payment-manual'),
      body: { settings },
    })
  expect(await save({ instructions: 5, other: 'x' })).toMatchObject({
    body: { code: 'validation_failed' },
  })
  expect(
    await save({ instructions: 'Send {{amount}} with the text {{reference}} to our bank' }),
  ).toMatchObject({ status: 200, body: { settings: { label: 'Bank transfer' } } })
  await admin.must('PATCH /api/plugins/{plugin}', turnOn)
  const { services } = lodge.controlPlane
  expect(await providersOf(services, 'payment')).toEqual([
    { id: 'payment-manual', name: 'Bank transfer' },
  ])
  const paid = await callPlugin(services, 'payment-manual', 'payment.payInvoice', {
    invoice: {
      id: '0b0f3c1e-6a53-4d0e-9a0b-0c7f3a9c2d11',
      ...{ number: 'INV-2026-000123', currency: 'EUR', amountDue: 1999 },
      ...{ dueAt: null, customerRef: null },
    },
    ...{ successUrl: 'https://panel.test/', cancelUrl: 'https://panel.test/' },
    ...{ save: false, metadata: {}, key: 'one' },
  })
  expect(paid.instructions).toBe('Send 19.99 EUR with the text INV-2026-000123 to our bank')
  expect(await health('payment-manual')).toMatchObject({ ok: true, message: 'Ready' })
  // Customers see it under the name that the host gave it.
  await save({ label: 'Wire transfer' })
  expect(await paymentProviders(services)).toEqual([
    { id: 'payment-manual', name: 'Wire transfer', abilities: [] },
  ])
  expect(await admin.must('GET /api/plugins/host')).toMatchObject({
    isolation: 'sandbox',
    running: [{ id: 'payment-manual' }],
  })
  await admin.must('DELETE /api/plugins/{plugin}', of('payment-manual'))
  expect(await admin.call('GET /api/plugins/{plugin}', of('payment-manual'))).toMatchObject({
    status: 404,
  })
  const failure = await callPlugin(services, 'payment-manual', 'plugin.health', {}).catch(Object)
  expect(failure).toBeInstanceOf(PluginCallFailed)
  expect(failure).toMatchObject({ code: 'plugin_not_running', reason: 'not_running' })
})

test('only a package with a trusted signature is installed without a confirmation', async () => {
  const packed = samplePackage({ id: 'unsigned' })
  const inspected = await admin.must('POST /api/plugins/inspect', { body: upload(packed) })
  expect(inspected).toMatchObject({ signature: 'unsigned', signedBy: null })
  const body = { ...upload(packed), acceptPermissions: true as const }
  expect(await admin.call('POST /api/plugins', { body })).toMatchObject({
    body: { code: 'plugin_untrusted' },
  })
  const other = { ...body, acceptUnsigned: true, sha256: '0'.repeat(64) }
  expect(await admin.call('POST /api/plugins', { body: other })).toMatchObject({
    body: { code: 'conflict' },
  })
  const same = { ...other, sha256: inspected.sha256 }
  expect(await admin.must('POST /api/plugins', { body: same })).toMatchObject({
    signature: 'unsigned',
    enabled: true,
  })
  const byStranger = samplePackage({ id: 'stranger' }, undefined, newKey())
  expect(await admin.must('POST /api/plugins/inspect', { body: upload(byStranger) })).toMatchObject(
    { signature: 'unknown', signedBy: expect.stringMatching(/^SHA256:/) },
  )
  expect(await install({ id: 'signed' })).toMatchObject({ signature: 'verified' })
})

test('an update with more permissions waits until it is accepted, and a rollback restores everything', async () => {
  const form = {
    type: 'object',
    properties: {
      greeting: { type: 'string', title: 'Greeting', default: 'Hello' },
      pin: { type: 'string', title: 'PIN', secret: true },
    },
  }
  const main = (version: string, isWell = true) => `export default (host) => ({
    health() { console.log('the pin is', host.settings.pin); return { ok: ${isWell}, message: '${version} ' + host.settings.greeting } },
    event: { happened() {} } })`
  const given = { id: 'grows', settings: form }
  await install(given, main('one'))
  const saved = await admin.must('PUT /api/plugins/{plugin}/settings', {
    ...of('grows'),
    body: { settings: { greeting: 'Hi', pin: 'very-secret-pin' } },
  })
  expect(saved).toMatchObject({ settings: { greeting: 'Hi' }, secretsSet: ['pin'] })
  expect(JSON.stringify(saved)).not.toContain('very-secret')
  expect(await health('grows')).toMatchObject({ message: 'one Hi' })
  expect(await logOf('grows')).toContain('the pin is ***')
  const { rows } = await lodge.database.pool.query(
    `select encode(settings, 'escape') as text from plugins where id = 'grows'`,
  )
  expect(rows[0].text).not.toContain('very-secret')
  const { rows: entries } = await lodge.database.pool.query(
    `select detail::text from audit_log where action = 'plugin configured'`,
  )
  expect(JSON.stringify(entries)).toContain('pin')
  expect(JSON.stringify(entries)).not.toContain('very-secret')

  const update = (version: string, more: GivenManifest, source: string, accept = false, by = key) =>
    admin.call('POST /api/plugins/{plugin}/update', {
      ...of('grows'),
      body: {
        package: samplePackage({ ...given, version, ...more }, source, by).toString('base64'),
        acceptUnsigned: true,
        ...(accept && { acceptPermissions: true as const }),
      },
    })
  expect(await update('1.0.0', {}, main('same'))).toMatchObject({ status: 409 })
  expect(await update('2.0.0', {}, main('theirs'), false, newKey())).toMatchObject({ status: 409 })
  expect(await update('2.0.0', { id: 'other' }, main('other'))).toMatchObject({ status: 422 })
  const wider = { permissions: [`network:${outsideHost}`] }
  expect(await update('2.0.0', wider, main('two'))).toMatchObject({
    body: {
      version: '1.0.0',
      held: { version: '2.0.0', addedPermissions: [{ id: `network:${outsideHost}` }] },
    },
  })
  expect(await health('grows')).toMatchObject({ message: 'one Hi' })
  const accepted = await admin.must('POST /api/plugins/{plugin}/update', {
    ...of('grows'),
    body: { acceptPermissions: true },
  })
  expect(accepted).toMatchObject({ version: '2.0.0', previousVersion: '1.0.0', held: null })
  expect(await health('grows')).toMatchObject({ message: 'two Hi' })
  // A package that fails its check changes nothing.
  expect(await update('3.0.0', wider, main('three', false))).toMatchObject({ status: 502 })
  expect(await update('3.0.0', wider, 'throw new Error()')).toMatchObject({ status: 502 })
  expect(await health('grows')).toMatchObject({ message: 'two Hi' })
  await admin.must('PUT /api/plugins/{plugin}/settings', {
    ...of('grows'),
    body: { settings: { greeting: 'Later' } },
  })
  const back = await admin.must('POST /api/plugins/{plugin}/rollback', of('grows'))
  expect(back).toMatchObject({ version: '1.0.0', settings: { greeting: 'Hi' } })
  expect(await health('grows')).toMatchObject({ message: 'one Hi' })
  await admin.must('POST /api/plugins/{plugin}/rollback', of('grows'))
  expect(await health('grows')).toMatchObject({ message: 'two Later' })
})

test('a plugin calls only permitted hosts, and accesses only its own storage', async () => {
  const main = `export default (host) => ({ event: { async happened() {} }, async health() {
    const tell = async (what) => { try { return await what() } catch (error) { return error.message } }
    const post = await tell(() => host.fetch('http://${outsideHost}/hook', { method: 'POST', body: 'news', headers: { 'x-plugin': 'yes' } }))
    const others = []
    for (const url of ['http://localhost:1/', 'https://example.com/', 'file:///etc/passwd', 'http://${outsideHost}@example.com/'])
      others.push(await tell(() => host.fetch(url)))
    const header = await tell(() => host.fetch('http://${outsideHost}/', { headers: { Host: 'a' } }))
    await host.storage.set('count', String(Number(await host.storage.get('count') ?? 0) + 1))
    const full = await tell(async () => { for (let at = 0; at < 12; at++) await host.storage.set('k' + at, 'x'.repeat(1000000)) })
    return { ok: true, message: JSON.stringify([post.status, post.text, post.headers['x-answer'], others.length, others.every((one) => /permission/.test(one)), header, await host.storage.get('count'), full]) } } })`
  await install({ id: 'calls', permissions: [`network:${outsideHost}`, 'storage'] }, main)
  const { message } = await health('calls')
  expect(JSON.parse(message)).toEqual([
    ...[201, 'taken', 'yes', 4, true, 'The header Host is not for plugins'],
    ...['1', 'It keeps 10 MiB already'],
  ])
  expect(asked).toEqual([{ url: '/hook', body: 'news', type: 'yes' }])
  await install({ id: 'without' }, main)
  expect(await health('without')).toMatchObject({ ok: false })
  const { rows } = await lodge.database.pool.query(
    `select plugin_id from plugin_storage group by plugin_id`,
  )
  expect(rows).toEqual([{ plugin_id: 'calls' }])
})

test('a plugin receives the events of its permissions, retried until it accepts them', async () => {
  const main = `let times = 0
  export default () => ({ event: { happened({ type, data }) {
    if (++times === 1) throw new Error('not now')
    console.log(type, data.name) } } })`
  await install({ id: 'hears', permissions: ['events.read:node.offline'] }, main)
  await install({ id: 'deaf', permissions: [] }, main)
  const { services } = lodge.controlPlane
  const ctx = contextFor(services, { kind: 'system' })
  await ctx.transaction(async (ctx) => {
    await ctx.emit('node.offline', { nodeId: 'x', name: 'Under the hill', servers: 0 })
    await ctx.emit('node.online', { nodeId: 'x', name: 'Under the hill' })
  })
  const waiting = () =>
    lodge.database.pool.query(`select plugin_id, type, attempts from plugin_deliveries`)
  expect((await waiting()).rows).toMatchObject([{ plugin_id: 'hears', type: 'node.offline' }])
  await expect.poll(async () => (await waiting()).rows[0]?.attempts).toBe(1)
  await expect
    .poll(
      async () => {
        await lodge.database.pool.query('update plugin_deliveries set due_at = now()')
        return (await waiting()).rows.length
      },
      { interval: 500 },
    )
    .toBe(0)
  expect(await logOf('hears')).toContain('node.offline Under the hill')
})

test('a plugin that does not respond does not delay events for others', async () => {
  const permissions = ['events.read:node.online'] as const
  const main = 'export default () => ({ event: { happened: () => new Promise(() => {}) } })'
  await install({ id: 'a-hangs', permissions: [...permissions] }, main)
  await install({ id: 'b-hears', permissions: [...permissions] })
  const ctx = contextFor(lodge.controlPlane.services, { kind: 'system' })
  await ctx.transaction((ctx) => ctx.emit('node.online', { nodeId: 'x', name: 'Back' }))
  const waiting = async () =>
    (
      await lodge.database.pool.query<{ plugin_id: string; hangs: boolean }>(
        `select plugin_id, attempts = 1 and due_at > now() + interval '1 minute' as hangs
         from plugin_deliveries order by plugin_id`,
      )
    ).rows
  expect(await waiting()).toHaveLength(2)
  await expect.poll(waiting).toHaveLength(1)
  // The delivery has not been abandoned yet.
  expect(await waiting()).toEqual([{ plugin_id: 'a-hangs', hangs: true }])
  await admin.must('DELETE /api/plugins/{plugin}', of('a-hangs'))
})

test('a plugin that keeps failing is turned off, and staff who manage plugins are notified', async () => {
  await install({ id: 'fails' }, `export default () => { throw new Error('no license') }`)
  const { plugins } = lodge.controlPlane.services
  expect(await health('fails')).toMatchObject({ message: expect.stringContaining('no license') })
  expect(await health('fails')).toMatchObject({
    message: expect.stringContaining('starts again in 1 s'),
  })
  expect(await admin.must('GET /api/plugins/{plugin}', of('fails'))).toMatchObject({
    status: 'starting',
    failure: expect.stringContaining('no license'),
  })
  for (let minute = 1; minute < 5; minute++) {
    plugins.now = () => Date.now() + minute * 65_000
    await health('fails')
  }
  plugins.now = Date.now
  await expect
    .poll(() => admin.must('GET /api/plugins/{plugin}', of('fails')))
    .toMatchObject({
      enabled: false,
      status: 'errored',
      failure: expect.stringContaining('no license'),
    })
  const { items } = await admin.must('GET /api/notifications', { query: {} })
  expect(items[0]).toMatchObject({ title: 'Sample failed and was turned off' })
  await admin.must('PATCH /api/plugins/{plugin}', { ...of('fails'), body: { enabled: true } })
  await admin.must('PATCH /api/plugins/{plugin}', { ...of('fails'), body: { enabled: false } })
})

test('a plugin that is in use cannot be uninstalled, but can be turned off', async () => {
  await install({ id: 'used' })
  expect(await admin.call('DELETE /api/plugins/{plugin}', of('used'))).toMatchObject({
    body: { code: 'plugin_in_use', detail: 'It is paid through' },
  })
  expect(
    await admin.must('PATCH /api/plugins/{plugin}', { ...of('used'), body: { enabled: false } }),
  ).toMatchObject({ status: 'disabled' })
})

test('the plugin for Stripe runs in its sandbox, and can reach nothing but Stripe', async () => {
  await admin.must('POST /api/plugins', {
    body: { source: 'bundled', id: 'payment-stripe', acceptPermissions: true },
  })
  const secrets = { secretKey: 'sk_test_0123456789', webhookSecret: 'whsec_0123456789abcdef' }
  await admin.must('PUT /api/plugins/{plugin}/settings', {
    ...of('payment-stripe'),
    body: { settings: { ...secrets, secretKey: 'sk_test_0123456789abc' } },
  })
  const turned = await admin.must('PATCH /api/plugins/{plugin}', {
    ...of('payment-stripe'),
    body: { enabled: true },
  })
  expect(turned).toMatchObject({
    secretsSet: ['secretKey', 'webhookSecret'],
  })
  const { services } = lodge.controlPlane
  await expect(
    callPlugin(services, 'payment-stripe', 'payment.verifyWebhook', {
      ...{ headers: { 'stripe-signature': 't=1,v1=00' }, bodyBase64: 'e30=' },
      now: new Date().toISOString(),
    }),
  ).rejects.toMatchObject({ reason: 'refused', pluginCode: 'bad_signature' })
})

import type { EditChannel } from '@lodge/shared/notification-channels.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Domain } from '../../../control-plane/src/domain.ts'
import { deliverDue } from '../../../control-plane/src/domains/notifications/channels/pump.ts'
import { modules } from '../../../control-plane/src/modules.ts'
import { newKey, publicKeyOf } from '../../../plugins/sdk/pack.ts'
import type { Caller } from '../../support/caller.ts'
import { samplePackage } from '../../support/plugin.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { isSigned, Receiver } from '../notifications/receiver.ts'

// Messages are sent when a test says so. Whatever a style does, each of them is delivered once.

const key = newKey()
const PLUGIN = { plugin: 'style' }
const STYLE = 'plugin:style'
let lodge: Lodge
let receiver: Receiver
let admin: Caller
let person: Caller
let count = 0

beforeAll(async () => {
  receiver = await new Receiver().listen()
  lodge = await startLodge({
    modules: modules.map(
      (one: Domain): Domain => (one.name === 'notifications' ? { ...one, periodic: [] } : one),
    ),
    environment: { LODGE_CHANNEL_HOSTS: receiver.host, LODGE_PLUGIN_KEYS: publicKeyOf(key) },
  })
  admin = await lodge.admin()
})
afterAll(async () => {
  await lodge?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  for (const { id } of (await admin.must('GET /api/plugins')).items)
    await admin.must('DELETE /api/plugins/{plugin}', { params: { plugin: id } })
  await lodge.database.pool.query('delete from notification_channels')
  receiver.received.length = 0
  receiver.answer = (_request, response) => void response.writeHead(204).end()
  const email = `style-${++count}@example.com`
  const { id } = await admin.must('POST /api/customers', { body: { email, password: PASSWORD } })
  person = await lodge.session(id, email)
})

/** Installs a style for webhooks with this program, and waits until it runs. */
async function style(format: string, more = '') {
  const about = {
    ...{ id: 'style', name: 'Ours', kinds: ['notification-style'], channels: ['webhook'] },
    permissions: ['notifications.format'],
  }
  const main = `${more}
    let asked = 0
    export default () => ({
      health: () => ({ ok: true, message: 'Ready' }),
      'notification-style': { async format(given) { asked++; ${format} } },
    })`
  await admin.must('POST /api/plugins', {
    body: {
      source: 'upload',
      package: samplePackage(about as never, main, key).toString('base64'),
      acceptPermissions: true,
    },
  })
  const health = await admin.must('POST /api/plugins/{plugin}/health', { params: PLUGIN })
  expect(health).toMatchObject({ ok: true })
}
const WORDED = `return { body: { text: given.title, colour: given.severity } }`
const styledBody = { text: 'Your password was changed', colour: 'warn' }

const add = (given: object = {}) => ({
  body: {
    ...{ name: 'Hook', kind: 'webhook' as const, url: receiver.url('/hook') },
    ...{ events: ['account.password_changed'], ...given },
  },
})
/** A webhook of the person, in the style unless another is given. */
const webhook = (given: object = { style: STYLE }) =>
  person.must('POST /api/notification-channels', add(given))
const edit = (id: string, body: EditChannel) =>
  person.call('PATCH /api/notification-channels/{id}', { params: { id }, body })
const changePassword = () =>
  person.must('POST /api/auth/password', {
    body: { currentPassword: PASSWORD, newPassword: PASSWORD },
  })
const deliver = (signal?: AbortSignal) => deliverDue(lodge.controlPlane.services, signal)
const log = async (id: string) =>
  (await person.must('GET /api/notification-channels/{id}/deliveries', { params: { id } })).items
const bodies = (path = '/hook') => receiver.at(path).map(({ body }) => JSON.parse(body))
const ofPlugin = async () =>
  (await admin.must('GET /api/plugins/{plugin}/logs', { params: PLUGIN, query: {} })).items.map(
    ({ text }) => text,
  )
const builtIn = { type: 'account.password_changed', data: { title: styledBody.text } }

test('a webhook receives the chosen style’s body at its own address, signed with its own secret', async () => {
  await style(`console.log(JSON.stringify(given)); ${WORDED}`)
  const { id, secret } = await webhook()
  await webhook({ url: receiver.url('/plain') })
  await changePassword()
  expect(await deliver()).toEqual({ sent: 2, failed: 0 })
  const [message] = receiver.at('/hook')
  expect(bodies()).toEqual([styledBody])
  expect(message?.headers['content-type']).toBe('application/json')
  expect(message && isSigned(message, secret ?? '')).toBe(true)
  expect(bodies('/plain')).toMatchObject([builtIn])
  expect(await log(id)).toMatchObject([{ state: 'sent', attempts: 1, status: 204, error: null }])
  // The style is given only this channel's data, without its address.
  const told = await until(async () => {
    const lines = (await ofPlugin()).filter((text) => text.startsWith('{'))
    return lines.length > 0 && lines
  })
  expect(told.map((text) => JSON.parse(text))).toEqual([
    {
      ...{ channel: 'webhook', severity: 'warn', title: styledBody.text, server: null },
      ...{ body: expect.any(String), happenedAt: expect.any(String), language: 'en' },
      ...{ link: 'https://panel.test/account/security', panel: expect.any(String) },
    },
  ])
  expect(told.join()).not.toMatch(/\/hook|whsec/)
})

const pipe = `import { Socket } from 'node:net'\nconst pipe = new Socket({ fd: 3, readable: false })`
test.each([
  ['never answers', 'await new Promise(() => {})', 'took too long'],
  ['never returns', 'for (;;);', 'took too long'],
  ['crashes', 'process.exit(1)', 'failed'],
  ['throws', `throw new Error('secret of the plugin')`, 'failed'],
  [
    'answers with a gibibyte',
    `return { body: { text: Array.from({ length: 1024 }, () => 'x'.repeat(1 << 20)) } }`,
    'failed|took too long',
  ],
  [
    'sends a gibibyte without end',
    `const part = 'x'.repeat(1 << 20); for (let at = 0; at < 1024; at++) pipe.write(part); await new Promise(() => {})`,
    'failed|took too long',
  ],
  ['answers with more than 32 KiB', `return { body: { text: 'x'.repeat(33 * 1024) } }`, 'failed'],
  ['answers with no object', `return { body: 'text' }`, 'failed'],
  ['answers with nothing', '', 'failed'],
  ['answers with what is no JSON', 'return { body: { text: 1n } }', 'failed'],
  [
    'writes what is no JSON',
    `pipe.write('nonsense\\n'); await new Promise(() => {})`,
    'failed|took too long',
  ],
])('a message is sent once, in the built-in style, if the style %s', async (_name, code, why) => {
  await style(code, pipe)
  const { id } = await webhook()
  await changePassword()
  expect(await deliver()).toEqual({ sent: 1, failed: 0 })
  expect(bodies()).toMatchObject([builtIn])
  const [entry] = await log(id)
  expect(entry).toMatchObject({ state: 'sent', attempts: 1, status: 204 })
  expect(entry?.error).toMatch(new RegExp(`^Sent in the built-in style: the chosen one (${why})$`))
  expect(await deliver()).toEqual({ sent: 0, failed: 0 })
  const { items } = await person.must('GET /api/notification-channels')
  expect(items).toMatchObject([{ state: 'active', failingSince: null, style: STYLE }])
})

test('while a style is off or uninstalled, the built-in one is used', async () => {
  await style(WORDED)
  const { id } = await webhook()
  const turn = (enabled: boolean) =>
    admin.must('PATCH /api/plugins/{plugin}', { params: PLUGIN, body: { enabled } })
  const tryOut = () => person.must('POST /api/notification-channels/{id}/test', { params: { id } })
  await turn(false)
  expect(await tryOut()).toMatchObject({
    delivered: true,
    error: 'Sent in the built-in style: the chosen one is not available',
  })
  expect(bodies().at(-1)).toMatchObject({ type: 'channel.test' })
  await turn(true)
  await admin.must('POST /api/plugins/{plugin}/health', { params: PLUGIN })
  expect(await tryOut()).toMatchObject({ delivered: true, error: null })
  expect(bodies().at(-1)).toMatchObject({ colour: 'info' })
})

test('a channel whose style is uninstalled keeps the built-in one, and its owner is notified', async () => {
  await style(WORDED)
  const { id } = await webhook()
  await webhook({ name: 'Without', url: receiver.url('/plain') })
  await admin.must('DELETE /api/plugins/{plugin}', { params: PLUGIN })
  const { items } = await person.must('GET /api/notification-channels')
  expect(items.map(({ style }) => style)).toEqual([null, null])
  const told = (await person.must('GET /api/notifications', { query: {} })).items.map(
    ({ type, title, body }) => [type, title, body],
  )
  expect(told).toContainEqual([
    'channel.style_lost',
    'Hook is back in the built-in style',
    expect.stringContaining('Ours, which was uninstalled'),
  ])
  expect(told.filter(([type]) => type === 'channel.style_lost')).toHaveLength(1)
  // A new plugin with the same id was not chosen by anybody.
  await style(`return { body: { told: true } }`)
  await changePassword()
  expect(await deliver()).toMatchObject({ failed: 0 })
  expect(bodies()).toMatchObject([builtIn])
  expect(await log(id)).toMatchObject([{ state: 'sent', error: null }])
})

test('a receiver that refuses a style’s body gets the built-in form immediately', async () => {
  await style(WORDED)
  const { id } = await webhook()
  receiver.answer = ({ body }, response) =>
    void response.writeHead(JSON.parse(body).colour ? 400 : 204).end()
  await changePassword()
  expect(await deliver()).toEqual({ sent: 1, failed: 0 })
  expect(bodies()).toMatchObject([styledBody, builtIn])
  expect(await log(id)).toMatchObject([
    {
      ...{ state: 'sent', attempts: 1, status: 204 },
      error: 'Sent in the built-in style: the receiver answered 400 to the chosen one',
    },
  ])
})

test('a receiver with a server error gets the message once it works, with a new body from the style', async () => {
  await style(WORDED)
  const { id } = await webhook()
  receiver.answer = (_request, response) => void response.writeHead(500).end()
  await changePassword()
  expect(await deliver()).toEqual({ sent: 0, failed: 1 })
  expect(await log(id)).toMatchObject([{ state: 'queued', error: 'It answered 500' }])
  receiver.answer = (_request, response) => void response.writeHead(204).end()
  await lodge.database.pool.query('update notification_deliveries set next_attempt_at = now()')
  expect(await deliver()).toEqual({ sent: 1, failed: 0 })
  expect(bodies()).toEqual([styledBody, styledBody])
  expect(new Set(receiver.at('/hook').map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(await log(id)).toMatchObject([{ state: 'sent', error: null }])
})

test('a receiver with a server error for a style’s body gets the built-in form at the third attempt', async () => {
  await style(WORDED)
  const { id } = await webhook()
  receiver.answer = ({ body }, response) =>
    void response.writeHead(JSON.parse(body).colour ? 500 : 204).end()
  await changePassword()
  for (const done of [
    { sent: 0, failed: 1 },
    { sent: 0, failed: 1 },
    { sent: 1, failed: 0 },
  ]) {
    await lodge.database.pool.query('update notification_deliveries set next_attempt_at = now()')
    expect(await deliver()).toEqual(done)
  }
  expect(bodies()).toMatchObject([styledBody, styledBody, builtIn])
  expect(await log(id)).toMatchObject([
    { error: 'Sent in the built-in style: the receiver took none of the chosen one' },
  ])
})

test('a style that an update turns into another kind of plugin receives nothing more', async () => {
  await style(WORDED)
  const { id } = await webhook()
  const version = samplePackage(
    {
      id: PLUGIN.plugin,
      version: '1.0.1',
      kinds: ['event'],
      permissions: ['network:evil.example'],
    },
    `export default () => ({
       event: { happened() {} },
       'notification-style': { format: () => ({ body: { told: true } }) },
     })`,
    key,
  )
  await admin.must('POST /api/plugins/{plugin}/update', {
    params: PLUGIN,
    body: { package: version.toString('base64'), acceptPermissions: true },
  })
  await changePassword()
  expect(await deliver()).toEqual({ sent: 1, failed: 0 })
  expect(bodies()).toMatchObject([builtIn])
  expect(await log(id)).toMatchObject([
    { error: 'Sent in the built-in style: the chosen one is not available' },
  ])
})

test('a control plane that stops while a style is working sends nothing, and the next one does', async () => {
  await style(`if (asked > 1) { ${WORDED} } await new Promise(() => {})`)
  const { id } = await webhook()
  await changePassword()
  const stopping = new AbortController()
  const done = deliver(stopping.signal)
  await until(async () => (await log(id))[0]?.attempts === 1, 20_000, 25)
  stopping.abort()
  await done
  expect([bodies(), (await log(id))[0]?.state]).toEqual([[], 'queued'])
  expect(await deliver()).toEqual({ sent: 1, failed: 0 })
  // In either style: a busy machine may have taken the slow style for a hanging one.
  expect(bodies()).toHaveLength(1)
})

test('a channel has a style for its kind from a plugin that is on, or none', async () => {
  const styles = async () => (await person.must('GET /api/notification-styles')).items
  expect((await styles()).map(({ id }) => id)).toEqual(['plain', 'card'])
  const addStatus = async (given: object) =>
    (await person.call('POST /api/notification-channels', add({ style: STYLE, ...given }))).status
  expect(await addStatus({})).toBe(400)
  await style(WORDED)
  expect(await styles()).toContainEqual({ id: STYLE, name: 'Ours', kinds: ['webhook'] })
  const slack = { kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/x' }
  const ntfy = { kind: 'ntfy', url: 'https://ntfy.sh/my-topic' }
  for (const given of [slack, ntfy, { style: 'card' }, { style: 'plugin:other' }, { style: 'x' }])
    expect(await addStatus(given)).toBe(400)
  const { id } = await webhook({})
  expect(await edit(id, { style: STYLE })).toMatchObject({ status: 200, body: { style: STYLE } })
  await admin.must('PATCH /api/plugins/{plugin}', { params: PLUGIN, body: { enabled: false } })
  expect(await styles()).toHaveLength(2)
  // The chosen style stays when other fields are changed, and can be removed.
  expect(await edit(id, { style: STYLE, name: 'Mine' })).toMatchObject({ status: 200 })
  expect(await edit(id, { style: null })).toMatchObject({ status: 200, body: { style: null } })
  expect(await edit(id, { style: STYLE })).toMatchObject({ status: 400 })
  const discord = { kind: 'discord', url: 'https://discord.com/api/webhooks/1/a' }
  const card = await webhook({ ...discord, style: 'card' })
  expect(await edit(card.id, { style: null })).toMatchObject({ body: { style: 'plain' } })
})

test('the bundled style formats notifications for channels of Discord', async () => {
  const body = { source: 'bundled', id: 'style-discord', acceptPermissions: true } as const
  await admin.must('POST /api/plugins', { body })
  const { id, enabled } = await admin.must('GET /api/plugins/{plugin}', {
    params: { plugin: 'style-discord' },
  })
  const health = await admin.must('POST /api/plugins/{plugin}/health', { params: { plugin: id } })
  expect([enabled, health.message]).toEqual([true, 'Ready'])
  const discord = { kind: 'discord', url: 'https://discord.com/api/webhooks/1/a' }
  expect(await webhook({ ...discord, style: 'plugin:style-discord' })).toMatchObject({
    style: 'plugin:style-discord',
  })
})

import { createPublicKey, verify } from 'node:crypto'
import { Writable } from 'node:stream'
import { type Branding, DEFAULT_BRANDING } from '@lodge/shared/branding.ts'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { mailsTo } from '../../support/mailbox.ts'
import { uploadOf } from '../../support/pictures.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { pushBrowser } from './push-browser.ts'
import { startPushService } from './push-service.ts'
import type { Received } from './receiver.ts'

let lodge: Lodge
let service: Awaited<ReturnType<typeof startPushService>>
let logged = ''
let count = 0
beforeAll(async () => {
  service = await startPushService()
  const lines = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk
      done()
    },
  })
  lodge = await startLodge({
    environment: { ...service.environment },
    log: pino({ level: 'trace' }, lines),
  })
})
afterAll(async () => {
  await lodge[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

async function person(): Promise<Caller> {
  const email = `browser-${++count}@example.com`
  const { id } = await (await lodge.admin()).must('POST /api/customers', {
    body: { email, password: PASSWORD },
  })
  return lodge.session(id, email)
}
const EVENTS = ['account.password_changed', 'account.token_created', 'channel.ended']

/** A browser of a person, subscribed at a path of its own. */
async function browserOf(caller: Caller, given: object = {}) {
  const path = `/send/${++count}-very-secret`
  const browser = pushBrowser()
  const body = {
    ...{ name: 'Firefox on Linux', kind: 'web_push' as const, url: service.receiver.url(path) },
    ...{ keys: browser.keys, events: EVENTS, ...given },
  }
  const channel = await caller.must('POST /api/notification-channels', { body })
  const arrived = () => service.receiver.at(path)
  const messages = () => arrived().map(({ bytes }) => JSON.parse(browser.read(bytes)))
  return { ...channel, path, browser, arrived, messages, body }
}
const changePassword = (caller: Caller) =>
  caller.must('POST /api/auth/password', {
    body: { currentPassword: PASSWORD, newPassword: PASSWORD },
  })
const listed = async (caller: Caller) => (await caller.must('GET /api/notification-channels')).items
const log = async (caller: Caller, id: string) =>
  (await caller.must('GET /api/notification-channels/{id}/deliveries', { params: { id } })).items
const answering = (path: string, status: number, headers = {}) => {
  service.receiver.answer = (request, response) =>
    void response.writeHead(request.path === path ? status : 201, headers).end()
}

/** Whether a request proves, as a push service checks it, that the owner of this key sent it. */
function isFrom({ headers }: Received, publicKey: string): boolean {
  const [, token = '', key] = /^vapid t=(\S+), k=(\S+)$/.exec(headers.authorization ?? '') ?? []
  const [head, claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)]
  const proof = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const { aud, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  return (
    key === publicKey &&
    aud === new URL(service.receiver.url()).origin &&
    sub === lodge.origin &&
    verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: proof, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
  )
}

describe('a browser', () => {
  test('receives messages that only it can decrypt, signed with the key that it subscribed to', async () => {
    const caller = await person()
    const { publicKey } = await caller.must('GET /api/notification-channels/web-push-key')
    const { id, arrived, messages } = await browserOf(caller)
    await changePassword(caller)
    const [request] = await until(() => (arrived().length > 0 ? arrived() : undefined))
    if (!request) throw new Error('nothing came')
    expect(request).toMatchObject({
      method: 'POST',
      headers: {
        'content-encoding': 'aes128gcm',
        urgency: 'normal',
        ttl: String(3 * 86_400),
        topic: expect.stringMatching(/^[\w-]{32}$/),
      },
    })
    expect(isFrom(request, publicKey)).toBe(true)
    expect(messages()).toEqual([
      {
        title: 'Your password was changed',
        body: expect.any(String),
        link: '/account/security',
        icon: '/notification.png',
        tag: request.headers.topic,
      },
    ])
    expect(request.bytes.includes('password')).toBe(false)
    expect(() => pushBrowser().read(request.bytes)).toThrow()
    await until(async () => (await log(caller, id))[0]?.state === 'sent')
    expect((await listed(caller))[0]).toMatchObject({ kind: 'web_push', state: 'active' })
  })

  test('receives the test message, and a digest as one message', async () => {
    const caller = await person()
    const { id, messages } = await browserOf(caller, {
      digest: { every: 'day', hour: 3 },
      errorsAtOnce: false,
    })
    const params = { id }
    answering('', 201)
    const tested = await caller.must('POST /api/notification-channels/{id}/test', { params })
    expect(tested).toMatchObject({ delivered: true, status: 201 })
    expect(messages()).toMatchObject([
      { title: 'Test message from Lodge', link: '/account/notifications' },
    ])
    await changePassword(caller)
    await changePassword(caller)
    await lodge.database.pool.query(
      'update notification_deliveries set next_attempt_at = now() where channel_id = $1',
      [id],
    )
    await until(() => messages().length === 2)
    expect(messages()[1]).toMatchObject({ title: '2 notifications', link: '/notifications' })
    expect(messages()[1].body).toContain('• Your password was changed')
  })

  test('shows the host’s logo, once there is one', async () => {
    const caller = await person()
    const admin = await lodge.admin()
    const { id, messages } = await browserOf(caller)
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
    const { sha } = (
      await admin.send({
        method: 'POST',
        url: '/api/branding/assets',
        ...(await uploadOf([
          ['kind', 'mark'],
          ['file', Buffer.from(svg)],
        ])),
      })
    ).json()
    const images = { ...DEFAULT_BRANDING.images, mark: sha }
    const save = (branding: Branding) => admin.must('PUT /api/branding', { body: { branding } })
    await save({ ...DEFAULT_BRANDING, images })
    await caller.must('POST /api/notification-channels/{id}/test', { params: { id } })
    const icon = messages()[0].icon
    expect(icon).toBe(`/api/branding/assets/mark?v=${sha.slice(0, 12)}`)
    const shown = await lodge.anonymous().send({ method: 'GET', url: icon })
    expect(shown.headers['content-type']).toBe('image/png')
    await save(DEFAULT_BRANDING)
  })

  test('whose push service is full or requests a delay is retried, like other channels', async () => {
    const caller = await person()
    const { id, path } = await browserOf(caller)
    answering(path, 429, { 'retry-after': '1200' })
    await changePassword(caller)
    const entry = await until(async () => {
      const [first] = await log(caller, id)
      return first?.status === 429 ? first : undefined
    })
    expect(entry).toMatchObject({ state: 'queued', attempts: 1 })
    expect(Date.parse(entry.nextAttemptAt ?? '') - Date.now()).toBeGreaterThan(1_000_000)
    expect(await listed(caller)).toHaveLength(1)
  })

  test.each([404, 410])(
    'whose push service answers %i is removed, and its owner is told',
    async (status) => {
      const caller = await person()
      const gone = await browserOf(caller)
      const other = await browserOf(caller, { name: 'Chrome on Android' })
      answering(gone.path, status)
      await changePassword(caller)
      await until(async () => (await listed(caller)).length === 1)
      expect((await listed(caller))[0]?.id).toBe(other.id)
      const [notice] = (await caller.must('GET /api/notifications')).items
      expect(notice).toMatchObject({
        type: 'channel.ended',
        title: 'Firefox on Linux takes no notifications any more',
        link: '/account/notifications',
      })
      await until(() => other.messages().some(({ title }) => title.startsWith('Firefox on Linux')))
      expect(gone.arrived()).toHaveLength(1)
      const templates = (await mailsTo(lodge, caller.email)).map(({ template }) => template)
      expect(templates).not.toContain('channel_disabled')
    },
  )

  test('that a test message finds expired is removed too', async () => {
    const caller = await person()
    const { id, path } = await browserOf(caller)
    answering(path, 410)
    const tested = await caller.must('POST /api/notification-channels/{id}/test', {
      params: { id },
    })
    expect(tested).toMatchObject({ delivered: false, status: 410 })
    expect(await listed(caller)).toEqual([])
    answering('', 201)
  })
})

describe('a subscription', () => {
  test('is refused with an address or keys that no browser creates', async () => {
    const caller = await person()
    const { keys } = pushBrowser()
    const url = service.receiver.url('/send/x')
    const body = { name: 'No', kind: 'web_push', url, keys, events: [] } as const
    for (const wrong of [
      { url: url.replace('https:', 'http:') },
      { url: 'https://user:word@push.example.com/' },
      { url: 'https://panel.test/api/me' },
      { url: undefined },
      { keys: undefined },
      { keys: { ...keys, auth: 'AAAA' } },
      { keys: { ...keys, p256dh: 'BAAA' } },
      { keys: { ...keys, p256dh: 'not/base64url' } },
      { token: 'word' },
      { to: 'somebody' },
    ]) {
      const { status } = await caller.call('POST /api/notification-channels', {
        body: { ...body, ...wrong } as never,
      })
      expect([wrong, status]).toEqual([wrong, 400])
    }
    const { status } = await caller.call('POST /api/notification-channels', {
      body: { ...body, kind: 'webhook', events: [] },
    })
    expect(status).toBe(400)
  })

  test('reaches no address of the panel’s own network', async () => {
    const caller = await person()
    const { id } = await browserOf(caller, { url: 'https://127.0.0.1:1/send' })
    const tested = await caller.must('POST /api/notification-channels/{id}/test', {
      params: { id },
    })
    expect(tested).toMatchObject({ delivered: false, status: null })
    expect(tested.error).toContain('not one of the public internet')
  })

  test('belongs to one channel of an account, and is changed only by its browser', async () => {
    const caller = await person()
    const { id, body } = await browserOf(caller)
    const add = () => caller.call('POST /api/notification-channels', { body })
    expect((await add()).status).toBe(409)
    const { status } = await caller.call('PATCH /api/notification-channels/{id}', {
      params: { id },
      body: { url: service.receiver.url('/elsewhere') },
    })
    expect(status).toBe(400)
    await caller.must('PATCH /api/notification-channels/{id}', {
      params: { id },
      body: { name: 'Mine', enabled: false },
    })
    // Another account of the same browser has its own channel.
    expect((await (await person()).call('POST /api/notification-channels', { body })).status).toBe(
      201,
    )
    await caller.must('DELETE /api/notification-channels/{id}', { params: { id } })
    const both = await Promise.all([add(), add()])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })

  test('belongs to its owner alone', async () => {
    const [owner, other] = [await person(), await person()]
    const { id, arrived } = await browserOf(owner)
    const params = { id }
    for (const call of [
      other.call('PATCH /api/notification-channels/{id}', { params, body: { name: 'X' } }),
      other.call('POST /api/notification-channels/{id}/test', { params }),
      other.call('GET /api/notification-channels/{id}/deliveries', { params }),
      (await lodge.admin()).call('DELETE /api/notification-channels/{id}', { params }),
    ])
      expect((await call).status).toBe(404)
    expect(arrived()).toEqual([])
  })
})

describe('the key of the installation', () => {
  test('is created once, at the first request of a signed-in person', async () => {
    await lodge.database.pool.query('delete from web_push_keys')
    const callers = await Promise.all([person(), person(), lodge.admin()])
    const keys = await Promise.all(
      callers.map((one) => one.must('GET /api/notification-channels/web-push-key')),
    )
    expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1)
    expect(Buffer.from(keys[0]?.publicKey ?? '', 'base64url')).toHaveLength(65)
    const { status } = await lodge.anonymous().call('GET /api/notification-channels/web-push-key')
    expect(status).toBe(401)
  })

  test('and the secrets of browsers are in no response, no log and, in plain text, in no table', async () => {
    const caller = await person()
    const { id, browser, path, ...channel } = await browserOf(caller)
    await caller.must('POST /api/notification-channels/{id}/test', { params: { id } })
    const { vault } = lodge.controlPlane.services
    const { rows } = await lodge.database.pool.query('select private_key from web_push_keys')
    const jwk = vault.open(rows[0].private_key, {
      ...{ table: 'web_push_keys', id: 'vapid', column: 'private_key' },
    })
    const { d } = JSON.parse(jwk)
    expect(d).toMatch(/^[\w-]{43}$/)
    const audit = await lodge.database.pool.query(
      'select row_to_json(a)::text as entry from audit_log a',
    )
    const stored = await lodge.database.pool.query(
      'select target from notification_channels where id = $1',
      [id],
    )
    const told = [
      JSON.stringify(await listed(caller)),
      JSON.stringify(await log(caller, id)),
      JSON.stringify({ ...channel, body: undefined }),
      JSON.stringify(audit.rows),
      rows[0].private_key.toString('latin1'),
      stored.rows[0].target.toString('latin1'),
      logged,
    ]
    expect(logged).not.toBe('')
    for (const secret of [d, browser.keys.auth, browser.keys.p256dh, path])
      expect(told.map((text) => text.includes(secret))).toEqual(told.map(() => false))
  })
})

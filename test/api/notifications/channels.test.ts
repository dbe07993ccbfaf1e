import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { mailTo } from '../../support/mailbox.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { isSigned, Receiver } from './receiver.ts'

let lodge: Lodge
let receiver: Receiver
let count = 0
beforeAll(async () => {
  receiver = await new Receiver().listen()
  lodge = await startLodge({ environment: { LODGE_CHANNEL_HOSTS: receiver.host } })
})
afterAll(async () => {
  await lodge[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

async function person(): Promise<Caller> {
  const email = `channel-${++count}@example.com`
  const { id } = await (await lodge.admin()).must('POST /api/customers', {
    body: { email, password: PASSWORD },
  })
  return lodge.session(id, email)
}
/** A webhook at a path of its own. */
async function webhook(caller: Caller, given: object = {}) {
  const path = `/hook-${++count}`
  const channel = await caller.must('POST /api/notification-channels', {
    body: {
      ...{ name: 'Hook', kind: 'webhook', url: receiver.url(path) },
      ...{ events: ['account.second_factor_changed', 'account.password_changed'], ...given },
    },
  })
  const arrived = () => receiver.at(path)
  return { ...channel, path, arrived }
}
const changePassword = (caller: Caller) =>
  caller.must('POST /api/auth/password', {
    body: { currentPassword: PASSWORD, newPassword: PASSWORD },
  })
const shown = async (caller: Caller, id: string) =>
  (await caller.must('GET /api/notification-channels')).items.find((one) => one.id === id)
const log = async (caller: Caller, id: string) =>
  (await caller.must('GET /api/notification-channels/{id}/deliveries', { params: { id } })).items
/** Makes messages that wait for a later attempt due now. */
const hurry = (id: string) =>
  lodge.database.pool.query(
    'update notification_deliveries set next_attempt_at = now() where channel_id = $1 and state = $2',
    [id, 'queued'],
  )

describe('a webhook', () => {
  test('receives its owner’s notifications, signed with the secret that was shown once', async () => {
    const caller = await person()
    const { id, secret, arrived, path } = await webhook(caller)
    await changePassword(caller)
    const [message] = await until(() => (arrived().length > 0 ? arrived() : undefined))
    if (!message || !secret) throw new Error('nothing came')
    expect(JSON.parse(message.body)).toMatchObject({
      id: message.headers['webhook-id'],
      type: 'account.password_changed',
      data: {
        severity: 'warn',
        count: 1,
        links: { panel: 'https://panel.test/account/security' },
      },
    })
    expect(isSigned(message, secret)).toBe(true)
    const present = await shown(caller, id)
    expect(present).toMatchObject({ state: 'active', url: receiver.url(path) })
    expect(JSON.stringify(present)).not.toContain(secret)
    const { rows } = await lodge.database.pool.query(
      'select target, secret from notification_channels where id = $1',
      [id],
    )
    expect(Buffer.concat([rows[0].target, rows[0].secret]).toString('latin1')).not.toMatch(
      /hook|whsec/,
    )
  })

  test('is signed with the former secret too for a day after a rotation', async () => {
    const caller = await person()
    const { id, secret: former } = await webhook(caller)
    const params = { id }
    const { secret } = await caller.must('POST /api/notification-channels/{id}/secret', { params })
    await caller.must('POST /api/notification-channels/{id}/test', { params })
    const message = receiver.received.at(-1)
    if (!message || !former) throw new Error('nothing came')
    expect([isSigned(message, secret), isSigned(message, former)]).toEqual([true, true])
    await lodge.database.pool.query(
      `update notification_channels set former_secret_until = now() where id = $1`,
      [id],
    )
    await caller.must('POST /api/notification-channels/{id}/test', { params })
    const later = receiver.received.at(-1)
    expect(later && [isSigned(later, secret), isSigned(later, former)]).toEqual([true, false])
  })

  test('receives repetitions within a minute as one, after the first', async () => {
    const caller = await person()
    const { id, arrived } = await webhook(caller)
    await changePassword(caller)
    await until(() => arrived().length === 1)
    for (let at = 0; at < 5; at++) await changePassword(caller)
    await hurry(id)
    await until(() => arrived().length === 2)
    expect(JSON.parse(arrived()[1]?.body ?? '').data).toMatchObject({
      title: 'Your password was changed ×5',
      count: 5,
    })
    expect((await log(caller, id)).map(({ count }) => count)).toEqual([5, 1])
  })

  test('that fails is retried at growing intervals, and as soon as the receiver permits', async () => {
    const caller = await person()
    const { id, path, arrived } = await webhook(caller)
    const answers = [
      { status: 500, headers: {} },
      { status: 302, headers: { location: receiver.url('/elsewhere') } },
      { status: 429, headers: { 'retry-after': '1200' } },
    ]
    receiver.answer = (request, response) => {
      const answer = request.path === path ? answers.shift() : undefined
      response.writeHead(answer?.status ?? 204, answer?.headers).end('why')
    }
    await changePassword(caller)
    const after = async (attempts: number) =>
      until(async () => {
        const [entry] = await log(caller, id)
        return entry?.attempts === attempts && entry.status !== null ? entry : undefined
      })
    const waits = async (attempts: number) => {
      const { nextAttemptAt, ...entry } = await after(attempts)
      return { ...entry, waitMs: Date.parse(nextAttemptAt ?? '') - Date.now() }
    }
    const first = await waits(1)
    expect(first).toMatchObject({ state: 'queued', status: 500, answer: 'why' })
    expect(first.waitMs).toBeLessThan(6_000)
    await hurry(id)
    const second = await waits(2)
    expect(second.error).toContain('redirect')
    expect(receiver.at('/elsewhere')).toEqual([])
    expect(second.waitMs).toBeGreaterThan(290_000)
    await hurry(id)
    expect((await waits(3)).waitMs).toBeGreaterThan(1_700_000)
    // The receiver requested a pause of the whole channel.
    await hurry(id)
    await lodge.database.pool.query(
      'update notification_channels set lease_until = null where id = $1',
      [id],
    )
    await until(async () => (await log(caller, id))[0]?.state === 'sent')
    expect(new Set(arrived().map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(await shown(caller, id)).toMatchObject({ failingSince: null })
  })

  test('that answers 410 is disabled immediately, and one that fails for three days too; the owner is notified by mail', async () => {
    const caller = await person()
    const gone = await webhook(caller)
    const failing = await webhook(caller)
    receiver.answer = ({ path }, response) => {
      const status = path === gone.path ? 410 : path === failing.path ? 500 : 204
      response.writeHead(status).end()
    }
    await lodge.database.pool.query(
      `update notification_channels set failing_since = now() - interval '3 days' where id = $1`,
      [failing.id],
    )
    await changePassword(caller)
    await until(async () => (await shown(caller, gone.id))?.disabledReason === 'gone')
    await until(async () => (await shown(caller, failing.id))?.disabledReason === 'failing')
    expect((await mailTo(lodge, caller.email, 'channel_disabled')).text).toContain('Hook')
    await changePassword(caller)
    expect(await log(caller, gone.id)).toHaveLength(1)
    await caller.must('PATCH /api/notification-channels/{id}', {
      params: { id: gone.id },
      body: { enabled: true },
    })
    receiver.answer = (_request, response) => void response.writeHead(200).end('ok')
    const [entry] = await log(caller, gone.id)
    await caller.must('POST /api/notification-channels/{id}/deliveries/{deliveryId}/resend', {
      params: { id: gone.id, deliveryId: entry?.id ?? '' },
    })
    await until(async () => (await log(caller, gone.id))[0]?.state === 'sent')
  })

  test('that hangs delays no other, and its message is sent again after a crash of the panel', async () => {
    const caller = await person()
    const slow = await webhook(caller)
    const quick = await webhook(caller)
    receiver.answer = ({ path }, response) => {
      if (path !== slow.path) response.writeHead(204).end()
    }
    await changePassword(caller)
    await until(() => slow.arrived().length === 1)
    await until(() => quick.arrived().length === 1)
    await changePassword(caller)
    await hurry(quick.id)
    await until(() => quick.arrived().length === 2)
    expect((await log(caller, slow.id)).at(-1)).toMatchObject({ state: 'queued', attempts: 1 })
    // The state that a killed instance leaves: the claim expires, and any instance takes over.
    receiver.answer = (_request, response) => void response.writeHead(204).end()
    await lodge.database.pool.query(
      'update notification_channels set lease_until = now() where id = $1',
      [slow.id],
    )
    await until(async () => (await log(caller, slow.id)).at(-1)?.state === 'sent')
    expect(slow.arrived()[1]?.headers['webhook-id']).toBe(slow.arrived()[0]?.headers['webhook-id'])
  })

  test('shows the response to a test message, truncated if it is too large', async () => {
    const caller = await person()
    const { id } = await webhook(caller)
    receiver.answer = (_request, response) =>
      void response.writeHead(200).end('x'.repeat(1_000_000))
    const tested = await caller.must('POST /api/notification-channels/{id}/test', {
      params: { id },
    })
    expect(tested).toMatchObject({ delivered: true, status: 200, error: null })
    expect(tested.answer).toHaveLength(1000)
    receiver.answer = (_request, response) => void response.writeHead(204).end()
  })
})

test('a channel reaches no address of the panel’s own network, and no service other than its own', async () => {
  const caller = await person()
  const body = { name: 'In', events: ['account.token_created'] }
  const { id } = await caller.must('POST /api/notification-channels', {
    body: { ...body, kind: 'webhook', url: 'https://127.0.0.1:1/' },
  })
  const tested = await caller.must('POST /api/notification-channels/{id}/test', { params: { id } })
  expect(tested).toMatchObject({ delivered: false, status: null })
  expect(tested.error).toMatch(/not one of the public internet$/)
  for (const [kind, url] of [
    ['discord', 'https://example.com/api/webhooks/1/a'],
    ['discord', 'https://discord.com.example.com/api/webhooks/1/a'],
    ['slack', 'https://discord.com/services/a'],
    ['teams', 'https://example.com/workflows'],
    ['webhook', 'https://panel.test/api/me'],
    ['webhook', 'ftp://example.com/'],
    ['webhook', 'https://user:word@example.com/'],
  ] as const) {
    const { status } = await caller.call('POST /api/notification-channels', {
      body: { ...body, kind, url },
    })
    expect([kind, url, status]).toEqual([kind, url, 400])
  }
})

describe('rights', () => {
  test('of staff allow events for staff, and losing them ends those', async () => {
    const staff = await lodge.limitedAdmin(['customers.approve'])
    const customer = await person()
    const types = async (caller: Caller) =>
      (await caller.must('GET /api/notification-events')).items.map(({ type }) => type)
    expect(await types(staff)).toContain('signup.pending')
    expect(await types(staff)).not.toContain('node.offline')
    expect(await types(customer)).not.toContain('signup.pending')
    const { status } = await customer.call('POST /api/notification-channels', {
      body: { name: 'No', kind: 'webhook', url: receiver.url(), events: ['signup.pending'] },
    })
    expect(status).toBe(400)
  })

  test('to a server, once lost, end its messages, including queued ones', async () => {
    const [owner, friend] = [await person(), await person()]
    const template = await lodge.template()
    const node = await lodge.node()
    const serverId = await lodge.server({
      ownerId: owner.id,
      templateId: template.id,
      nodeId: node.id,
    })
    const foreign = await friend.call('POST /api/notification-channels', {
      body: {
        ...{ name: 'No', kind: 'webhook', url: receiver.url() },
        ...{ events: ['server.deletion_scheduled'], serverIds: [serverId] },
      },
    })
    expect(foreign.status).toBe(400)
    const share = () =>
      lodge.database.pool.query(
        `insert into server_collaborators (server_id, user_id, permissions)
         values ($1, $2, '{console.read}') on conflict do nothing`,
        [serverId, friend.id],
      )
    await share()
    const events = ['server.suspended', 'server.unsuspended', 'collaborator.removed']
    const { id, arrived } = await webhook(friend, { events, serverIds: [serverId] })
    const daily = await webhook(friend, {
      events: ['server.suspended', 'account.password_changed'],
      digest: { every: 'day', hour: 8 },
      errorsAtOnce: false,
    })
    let isAway = true
    receiver.answer = ({ path }, response) =>
      void response.writeHead(isAway && path === daily.path ? 500 : 204).end()
    const digestTried = (attempts: number) =>
      until(async () => {
        const tried = await log(friend, daily.id)
        return tried.find((one) => one.attempts === attempts && one.status !== null)
      })
    const admin = await lodge.admin()
    const act = (action: 'suspend' | 'unsuspend') =>
      admin.must('POST /api/servers/{id}/actions', {
        params: { id: serverId },
        body: { action },
      })
    await act('suspend')
    await until(() => arrived().length === 1)
    expect(JSON.parse(arrived()[0]?.body ?? '').data.server).toMatchObject({ id: serverId })
    // A digest of a message about the server and another one, which its receiver does not take.
    await changePassword(friend)
    await until(async () => (await log(friend, daily.id)).length === 2)
    await hurry(daily.id)
    expect(await digestTried(1)).toMatchObject({ type: 'server.suspended', count: 2 })
    // Queued while the right is held, sent after it was lost.
    await lodge.database.pool.query(
      `update notification_channels set lease_until = now() + interval '1 hour' where id = $1`,
      [id],
    )
    await act('unsuspend')
    await owner.must('DELETE /api/servers/{id}/collaborators/{userId}', {
      params: { id: serverId, userId: friend.id },
    })
    await lodge.database.pool.query(
      `update notification_channels set lease_until = null where id = $1`,
      [id],
    )
    await until(async () => (await log(friend, id)).some(({ state }) => state === 'dropped'))
    await until(() => arrived().some(({ body }) => body.includes('collaborator.removed')))
    expect(arrived().filter(({ body }) => body.includes('unsuspended'))).toEqual([])
    // What is left of the digest is sent, however often that takes.
    await hurry(daily.id)
    await digestTried(2)
    isAway = false
    await hurry(daily.id)
    expect(await digestTried(3)).toMatchObject({ type: 'account.password_changed', state: 'sent' })
    expect(daily.arrived().at(-1)?.body).not.toContain('suspended')
  })

  test('to a channel belong to its owner alone', async () => {
    const [owner, other] = [await person(), await person()]
    const { id } = await webhook(owner)
    const params = { id }
    for (const call of [
      other.call('PATCH /api/notification-channels/{id}', { params, body: { name: 'X' } }),
      other.call('POST /api/notification-channels/{id}/test', { params }),
      (await lodge.admin()).call('DELETE /api/notification-channels/{id}', { params }),
    ])
      expect((await call).status).toBe(404)
  })
})

test('an account has at most twenty channels', async () => {
  const caller = await person()
  await lodge.database.pool.query(
    `insert into notification_channels (id, user_id, name, kind, target, events)
     select gen_random_uuid(), $1, 'Full', 'webhook', '', '{}' from generate_series(1, 20)`,
    [caller.id],
  )
  const { status } = await caller.call('POST /api/notification-channels', {
    body: { name: 'More', kind: 'webhook', url: receiver.url(), events: [] },
  })
  expect(status).toBe(409)
})

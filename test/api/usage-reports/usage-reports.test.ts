import { USAGE_NOTICE_VERSION } from '@lodge/shared/usage-reports.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contextFor } from '../../../control-plane/src/context.ts'
import { bucketOf } from '../../../control-plane/src/domains/usage-reports/report.ts'
import { sendReports } from '../../../control-plane/src/domains/usage-reports/send.ts'
import type { Caller } from '../../support/caller.ts'
import { CodeHost } from '../../support/code-host.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let host: CodeHost
let lodge: Lodge
let admin: Caller
beforeAll(async () => {
  host = await CodeHost.listen()
  lodge = await startLodge({ environment: { LODGE_CODE_HOST: host.address } })
  admin = await lodge.admin()
})
afterAll(async () => {
  await lodge[Symbol.asyncDispose]()
  await host[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await lodge.database.pool.query(`delete from settings where area = 'usage-reports'`)
  host.received.length = 0
  host.token = [200, { access_token: 'gho_of-a-test' }]
  host.issue = [201, { number: 1 }]
})

const agreement = { consent: true, noticeVersion: USAGE_NOTICE_VERSION }
const standing = () => admin.must('GET /api/usage')
const agree = async () => {
  await admin.must('PUT /api/usage/config', { body: host.config })
  return admin.must('POST /api/usage/consent', { body: agreement })
}
/** Lets the time between two polls pass. */
const patience = () =>
  lodge.database.pool.query(
    `update settings set value = jsonb_set(value, '{challenge,askAgainAt}', '"2020-01-01T00:00:00.000Z"')
     where area = 'usage-reports'`,
  )
const poll = async () => {
  await patience()
  return admin.must('POST /api/usage/connect/poll')
}
const connected = async () => {
  await agree()
  await admin.must('POST /api/usage/connect')
  expect(await poll()).toEqual({ outcome: 'connected', retryAfterSeconds: null })
}
/** One run of the periodic task. */
const send = () => sendReports(contextFor(lodge.controlPlane.services, { kind: 'system' }))
/** Makes work that waits for a later attempt due. */
const hurry = () =>
  lodge.database.pool.query(
    `update settings set value = jsonb_set(value, '{reports,0,nextAttemptAt}', '"2020-01-01T00:00:00.000Z"')
     where area = 'usage-reports'`,
  )

test('nothing is sent before somebody agrees, and the whole report is shown before', async () => {
  const before = await standing()
  expect(before).toMatchObject({ state: 'off', consent: null, config: null, reports: [] })
  expect(before.preview).toMatchObject({ lodge: '0.1.0', postgresql: 18, nodes: '0' })
  expect(await send()).toBe(0)
  await agree()
  expect(await send()).toBe(0)
  expect(host.received).toEqual([])
})

test('a report arrives sealed, and contains exactly what was shown', async () => {
  await connected()
  const { preview } = await standing()
  expect(await send()).toBe(1)
  expect(host.reports()).toEqual([preview])
  expect(await standing()).toMatchObject({
    state: 'connected',
    account: 'a-host',
    reports: [{ state: 'sent', report: preview }],
  })
  // The next one is due in a week.
  expect(await send()).toBe(0)
})

test('two control planes send a report once', async () => {
  await connected()
  const sent = await Promise.all([send(), send(), send(), send()])
  expect(sent.reduce((total, count) => total + count)).toBe(1)
  expect(host.reports()).toHaveLength(1)
})

test('names no one and nothing', async () => {
  const customer = await lodge.customer()
  await lodge.node()
  await lodge.template()
  await connected()
  await send()
  const text = JSON.stringify(host.reports())
  expect(text).not.toContain('@')
  expect(text).not.toContain(customer.id)
  expect(text).not.toMatch(/\d+\.\d+\.\d+\.\d+/)
  expect([0, 1, 9, 10, 49, 50, 199, 200, 5000].map(bucketOf)).toEqual([
    '0',
    '1-9',
    '1-9',
    '10-49',
    '10-49',
    '50-199',
    '50-199',
    '200+',
    '200+',
  ])
})

test('consent to an old notice is invalid, and another destination requires new consent', async () => {
  const old = await admin.call('POST /api/usage/consent', {
    body: { consent: true, noticeVersion: USAGE_NOTICE_VERSION + 1 },
  })
  expect(old).toMatchObject({ status: 409, body: { code: 'notice_outdated' } })
  await connected()
  await admin.must('PUT /api/usage/config', { body: host.config })
  expect(await standing()).toMatchObject({ state: 'connected' })
  await admin.must('PUT /api/usage/config', { body: { ...host.config, repository: 'else/where' } })
  expect(await standing()).toMatchObject({ state: 'off', consent: null, account: null })
})

test.each([
  ['clientId', 'ghs_0123456789abcdef0123456789abcdef0123'],
  ['clientId', 'client_secret_of_ours'],
  ['publicKeyBase64', '-----BEGIN PRIVATE KEY-----'],
  ['publicKeyBase64', Buffer.alloc(31).toString('base64')],
  ['publicKeyBase64', Buffer.alloc(33).toString('base64')],
  ['repository', 'only-a-name'],
  ['repository', 'https://github.com/a/b'],
])('refuses as %s: %s', async (field, value) => {
  const refused = await admin.call('PUT /api/usage/config', {
    body: { ...host.config, [field]: value },
  })
  expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
})

test('withdrawing deletes the token and pending reports immediately', async () => {
  await connected()
  await admin.must('POST /api/usage/consent', { body: { ...agreement, consent: false } })
  expect(await standing()).toMatchObject({ state: 'off', account: null, reports: [] })
  const { rows } = await lodge.database.pool.query<{ value: { connection: unknown } }>(
    `select value from settings where area = 'usage-reports'`,
  )
  expect(rows[0]?.value.connection).toBeNull()
  host.received.length = 0
  expect(await send()).toBe(0)
  expect(host.received).toEqual([])
})

test('the device code and the token are stored encrypted and shown to nobody', async () => {
  await agree()
  await admin.must('POST /api/usage/connect')
  const stored = async () => {
    const { rows } = await lodge.database.pool.query<{ text: string }>(
      `select value::text as text from settings where area = 'usage-reports'`,
    )
    return `${rows[0]?.text} ${JSON.stringify(await standing())}`
  }
  expect(await stored()).not.toContain('secret-device-code')
  await poll()
  expect(await stored()).not.toContain('gho_of-a-test')
})

test('there is one code at a time, and it is polled no more often than the service allows', async () => {
  await agree()
  const codes = [
    await admin.must('POST /api/usage/connect'),
    await admin.must('POST /api/usage/connect'),
  ]
  expect(codes[1]).toEqual(codes[0])
  const early = await admin.call('POST /api/usage/connect/poll')
  expect(early).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  host.token = [200, { error: 'authorization_pending' }]
  expect(await poll()).toEqual({ outcome: 'pending', retryAfterSeconds: 5 })
  host.token = [200, { error: 'slow_down' }]
  expect(await poll()).toEqual({ outcome: 'slow_down', retryAfterSeconds: 10 })
  expect(host.received.filter(({ path }) => path === '/login/device/code')).toHaveLength(1)
  host.token = [200, { error: 'access_denied' }]
  expect(await poll()).toEqual({ outcome: 'denied', retryAfterSeconds: null })
  expect(await standing()).toMatchObject({ state: 'consented', challenge: null })
})

test('two concurrent polls query the service once', async () => {
  await agree()
  await admin.must('POST /api/usage/connect')
  host.token = [200, { error: 'authorization_pending' }]
  await patience()
  const answers = await Promise.all([1, 2, 3].map(() => admin.call('POST /api/usage/connect/poll')))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429, 429])
})

test('names the required earlier step', async () => {
  const refusal = async (key: 'POST /api/usage/connect' | 'POST /api/usage/connect/poll') =>
    ((await admin.call(key)).body as { code?: string }).code
  expect(await refusal('POST /api/usage/connect')).toBe('usage_not_ready')
  await admin.must('PUT /api/usage/config', { body: host.config })
  expect(await refusal('POST /api/usage/connect')).toBe('usage_not_ready')
  expect(await refusal('POST /api/usage/connect/poll')).toBe('usage_not_ready')
})

test('an invalid response of the service is reported', async () => {
  await agree()
  await admin.must('POST /api/usage/connect')
  host.token = [500, { message: 'no' }]
  await patience()
  expect(await admin.call('POST /api/usage/connect/poll')).toMatchObject({
    status: 502,
    body: { code: 'usage_service_failed' },
  })
})

test('a report that is refused is tried weekly, and dropped after four attempts', async () => {
  await connected()
  host.issue = [503, {}]
  await send()
  expect(await standing()).toMatchObject({ state: 'error', failure: 'The service answered 503' })
  for (let attempt = 2; attempt <= 4; attempt++) {
    expect(await send()).toBe(0)
    await hurry()
    await send()
  }
  expect((await standing()).reports).toMatchObject([{ state: 'dropped', attempts: 4 }])
})

test('a connection that the service rejects ends', async () => {
  await connected()
  host.issue = [401, {}]
  await send()
  expect(await standing()).toMatchObject({ state: 'revoked', account: null })
  host.received.length = 0
  expect(await send()).toBe(0)
  expect(host.received).toEqual([])
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { mailsTo } from '../../support/mailbox.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

let lodge: Lodge
let count = 0
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

async function person(): Promise<Caller> {
  const email = `told-${++count}@example.com`
  const { id } = await (await lodge.admin()).must('POST /api/customers', {
    body: { email, password: PASSWORD },
  })
  return lodge.session(id, email)
}
const inbox = async (caller: Caller, query: object = {}) =>
  (await caller.must('GET /api/notifications', { query })).items
const changePassword = (caller: Caller, from = PASSWORD, to = PASSWORD) =>
  caller.must('POST /api/auth/password', { body: { currentPassword: from, newPassword: to } })

describe('an inbox', () => {
  test('reports what happens to the account, and to nobody else', async () => {
    const [mine, other] = [await person(), await person()]
    await changePassword(mine)
    expect(await inbox(mine)).toMatchObject([
      { type: 'account.password_changed', severity: 'warn', readAt: null },
    ])
    expect(await inbox(other)).toEqual([])
  })

  test('counts unread notifications; some, or all until a moment, are marked as read', async () => {
    const caller = await person()
    for (let at = 0; at < 3; at++) await changePassword(caller)
    expect(await caller.must('GET /api/notifications/summary')).toEqual({ unread: 3 })
    const [third, second, first] = await inbox(caller)
    const read = (body: { ids: string[] } | { all: true; before?: string }) =>
      caller.must('POST /api/notifications/read', { body })
    expect(await read({ ids: [third?.id ?? ''] })).toEqual({ read: 1, unread: 2 })
    expect(await read({ all: true, before: first?.createdAt ?? '' })).toMatchObject({ unread: 2 })
    expect((await inbox(caller, { unread: true })).map(({ id }) => id)).toEqual([
      second?.id,
      first?.id,
    ])
    expect(await read({ all: true })).toEqual({ read: 2, unread: 0 })
  })

  test('of another person cannot be marked as read', async () => {
    const [mine, other] = [await person(), await person()]
    await changePassword(mine)
    const ids = (await inbox(mine)).map(({ id }) => id)
    expect(await other.must('POST /api/notifications/read', { body: { ids } })).toMatchObject({
      read: 0,
    })
    expect(await mine.must('GET /api/notifications/summary')).toEqual({ unread: 1 })
  })

  test('is paged', async () => {
    const caller = await person()
    for (let at = 0; at < 3; at++) await changePassword(caller)
    const first = await caller.must('GET /api/notifications', { query: { limit: 2 } })
    const second = await caller.must('GET /api/notifications', {
      query: { limit: 2, after: first.nextCursor ?? '' },
    })
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([2, 1, null])
  })

  test('of administrators reports pending sign-ups only to those who may approve', async () => {
    const may = await lodge.limitedAdmin(['customers.approve'])
    const mayNot = await lodge.limitedAdmin(['customers.view'])
    await (await lodge.admin()).must('PUT /api/settings/signup', {
      body: {
        mode: 'approval',
        captcha: { provider: 'off', siteKey: null },
        terms: { required: false, termsUrl: null, privacyUrl: null },
      },
    })
    const email = `waits-${++count}@example.com`
    await lodge.anonymous().must('POST /api/auth/register', { body: { email, password: PASSWORD } })
    const id = await until(async () => {
      const { rows } = await lodge.database.pool.query('select id from users where email = $1', [
        email,
      ])
      return rows[0]?.id as string | undefined
    })
    await (await lodge.admin()).must('POST /api/customers/{id}/mark-verified', { params: { id } })
    expect(await inbox(may)).toMatchObject([{ type: 'signup.pending', body: email }])
    expect(await inbox(mayNot)).toEqual([])
  })
})

describe('a limit', () => {
  async function owner(memoryMb: number): Promise<Caller> {
    const caller = await person()
    const admin = await lodge.admin()
    const template = await lodge.template()
    const node = await lodge.node()
    await lodge.server({ ownerId: caller.id, templateId: template.id, nodeId: node.id })
    await admin.must('PATCH /api/customers/{id}', {
      params: { id: caller.id },
      body: { quota: { maxMemoryMb: memoryMb } },
    })
    return caller
  }

  test('that is nearly used up is reported once in three days, by inbox and mail', async () => {
    const caller = await owner(70)
    await until(async () => (await inbox(caller)).length > 0)
    expect(await inbox(caller)).toMatchObject([
      {
        type: 'limit.warning',
        body: 'You use 64 of 70 MiB of memory.',
        groupKey: 'limit:maxMemoryMb',
      },
    ])
    const mails = await mailsTo(lodge, caller.email)
    const warnings = mails.filter(({ template }) => template === 'limit_warning')
    expect(warnings.map(({ text }) => text)).toEqual([
      expect.stringContaining('You use 64 of 70 MiB of memory at '),
    ])
    await lodge.database.pool.query(
      `update limit_notices set told_at = now() - interval '2 days 23 hours' where user_id = $1`,
      [caller.id],
    )
    const later = await owner(70)
    await until(async () => (await inbox(later)).length > 0)
    expect(await inbox(caller)).toHaveLength(1)

    await lodge.database.pool.query(
      `update limit_notices set told_at = now() - interval '73 hours' where user_id = $1`,
      [caller.id],
    )
    await until(async () => (await inbox(caller)).length === 2)
  })

  test('lowered below its use is reported to the host once, even when customers are not notified', async () => {
    const admin = await lodge.admin()
    const staff = await lodge.limitedAdmin(['customers.quota'])
    const elsewhere = await lodge.limitedAdmin(['customers.view'])
    const settings = await admin.must('GET /api/limits/settings')
    await admin.must('PUT /api/limits/settings', { body: { ...settings, notifyCustomers: false } })
    const caller = await owner(60)
    const about = async (by: Caller) =>
      (await inbox(by)).filter(({ title }) => title === `${caller.email} is above a limit`)
    await until(async () => (await about(staff)).length === 1)
    expect(await about(staff)).toMatchObject([
      {
        type: 'customer.over_limit',
        body: 'They use 64 of 60 MiB of memory. They keep what they have, but cannot add more.',
        link: `/admin/customers/${caller.id}/limits`,
      },
    ])
    // Reported once more when they exceed it again, but not while they stay above it.
    const quota = (maxMemoryMb: number) =>
      admin.must('PATCH /api/customers/{id}', {
        params: { id: caller.id },
        body: { quota: { maxMemoryMb } },
      })
    await quota(64)
    await until(async () => {
      const { rows } = await lodge.database.pool.query(
        `select 1 from limit_notices where user_id = $1 and kind = 'over'`,
        [caller.id],
      )
      return rows.length === 0
    })
    await quota(32)
    await until(async () => (await about(staff)).length === 2)
    expect(await about(elsewhere)).toEqual([])
    expect(await inbox(caller)).toEqual([])
    await admin.must('PUT /api/limits/settings', { body: settings })
  })

  test('that is exceeded is reported, and nothing is while notifications are disabled', async () => {
    const caller = await owner(60)
    await until(async () => (await inbox(caller)).length > 0)
    expect(await inbox(caller)).toMatchObject([
      { type: 'limit.warning', body: 'You use 64 of 60 MiB of memory.' },
    ])

    const admin = await lodge.admin()
    const settings = await admin.must('GET /api/limits/settings')
    await admin.must('PUT /api/limits/settings', { body: { ...settings, notifyCustomers: false } })
    const quiet = await owner(60)
    await admin.must('PUT /api/limits/settings', { body: settings })
    await until(async () => (await inbox(quiet)).length > 0)
    const [notice] = await inbox(quiet)
    const { rows } = await lodge.database.pool.query(
      `select updated_at from settings where area = 'limits'`,
    )
    expect(new Date(notice?.createdAt ?? 0).getTime()).toBeGreaterThanOrEqual(
      rows[0].updated_at.getTime(),
    )
  })
})

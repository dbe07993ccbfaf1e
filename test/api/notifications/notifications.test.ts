import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { mailsTo, mailTo } from '../../support/mailbox.ts'
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

describe('a mail channel', () => {
  test('sends nothing before its address is confirmed, and can be stopped with one click', async () => {
    const caller = await person()
    const to = `shared-${++count}@example.com`
    const { id, state } = await caller.must('POST /api/notification-channels', {
      body: { name: 'Team', kind: 'email', to, events: ['account.password_changed'] },
    })
    expect(state).toBe('unverified')
    const shown = async () =>
      (await caller.must('GET /api/notification-channels')).items.find((one) => one.id === id)
    const set = (body: { enabled?: boolean; to?: string }) =>
      caller.must('PATCH /api/notification-channels/{id}', { params: { id }, body })
    await set({ enabled: false })
    expect(await set({ enabled: true })).toMatchObject({ state: 'unverified' })
    await changePassword(caller)
    const { token } = await mailTo(lodge, to, 'channel_verify')
    expect(await mailsTo(lodge, to)).toHaveLength(1)
    const anyone = lodge.anonymous()
    expect(
      await anyone.must('POST /api/notification-channels/verify', { body: { token } }),
    ).toEqual({ address: to })
    expect(
      await anyone.call('POST /api/notification-channels/verify', { body: { token } }),
    ).toMatchObject({ status: 400 })
    await changePassword(caller)
    const { text } = await mailTo(lodge, to, 'channel_message')
    const { rows } = await lodge.database.pool.query(
      `select unsubscribe_url from email_messages where to_address = $1 and template = 'channel_message'`,
      [to],
    )
    const url = new URL(rows[0].unsubscribe_url)
    expect(text).toContain(url.pathname.split('/').at(-1))
    const click = (path: string) =>
      fetch(`${lodge.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      })
    expect((await click(url.pathname.replace(/[^.]+$/, 'forged'))).status).toBe(400)
    expect(await shown()).toMatchObject({ state: 'active' })
    // Also while its owner has switched it off.
    await set({ enabled: false })
    expect((await click(url.pathname)).status).toBe(204)
    expect(await shown()).toMatchObject({
      state: 'disabled',
      disabledReason: 'unsubscribed',
    })
    const mails = async () => (await mailsTo(lodge, to)).map(({ template }) => template)
    const before = await mails()
    const tested = await caller.call('POST /api/notification-channels/{id}/test', {
      params: { id },
    })
    expect(tested).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    expect(await set({ enabled: true })).toMatchObject({ state: 'unverified' })
    await changePassword(caller)
    expect(await mails()).toEqual(['channel_verify', ...before])
    const again = await mailTo(lodge, to, 'channel_verify')
    await anyone.must('POST /api/notification-channels/verify', { body: { token: again.token } })
    expect(await shown()).toMatchObject({ state: 'active', disabledReason: null })
    // An address given while switching on has to be confirmed, too; the own one ends that.
    await set({ enabled: false })
    const other = `other-${count}@example.com`
    expect(await set({ to: other, enabled: true })).toMatchObject({ state: 'unverified' })
    await set({ to: caller.email, enabled: false })
    expect(await set({ enabled: true })).toMatchObject({ state: 'active' })
  })

  test('to the own address needs no confirmation', async () => {
    const caller = await person()
    const { state } = await caller.must('POST /api/notification-channels', {
      body: { name: 'Me', kind: 'email', to: caller.email, events: [] },
    })
    expect(state).toBe('active')
  })
})

import { DEFAULT_BRANDING } from '@lodge/shared/branding.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { mailsTo, mailTo } from '../../support/mailbox.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { Receiver } from './receiver.ts'

let lodge: Lodge
let receiver: Receiver
let admin: Caller
let count = 0
beforeAll(async () => {
  receiver = await new Receiver().listen()
  lodge = await startLodge({ environment: { LODGE_CHANNEL_HOSTS: receiver.host } })
  admin = await lodge.admin()
})
afterAll(async () => {
  await lodge[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

/** The messages received by a new webhook of somebody. */
async function webhook(caller: Caller, events: string[]) {
  const path = `/hook-${++count}`
  await caller.must('POST /api/notification-channels', {
    body: { name: 'Hook', kind: 'webhook', url: receiver.url(path), events },
  })
  return () =>
    receiver.at(path).map(({ body }) => (JSON.parse(body) as { data: { title: string } }).data)
}

test('staff are notified of a node with little free capacity once, and again only after there was more', async () => {
  const staff = await lodge.limitedAdmin(['nodes.view'])
  const elsewhere = await lodge.limitedAdmin(['customers.view'])
  const arrived = await webhook(staff, ['node.capacity_low'])
  const owner = await lodge.customer()
  const template = await lodge.template()
  const full = async () => {
    const node = await lodge.node({ memoryMb: 70 })
    const { name } = await admin.must('GET /api/nodes/{id}', { params: { id: node.id } })
    const make = () =>
      lodge.server({ ownerId: owner.id, templateId: template.id, nodeId: node.id, start: false })
    await make()
    const told = async (by = staff) =>
      (await by.must('GET /api/notifications')).items.filter(
        ({ title }) => title === `Little room is left on ${name}`,
      )
    return { ...node, name, told }
  }
  const offers = (id: string, memoryMb: number) =>
    admin.must('PATCH /api/nodes/{id}', { params: { id }, body: { memoryMb } })

  const node = await full()
  await until(async () => (await node.told()).length === 1)
  expect(await node.told()).toMatchObject([
    {
      ...{ type: 'node.capacity_low', severity: 'warn', link: `/admin/nodes/${node.id}` },
      body: expect.stringMatching(/^Its servers have 91% of its memory, \d+% of its CPU and \d+%/),
    },
  ])
  expect(await node.told(elsewhere)).toEqual([])
  await until(() => arrived().some(({ title }) => title.includes(node.name)))

  // A little more capacity is not reported, and neither is its loss.
  await offers(node.id, 75)
  const next = await full()
  await until(async () => (await next.told()).length === 1)
  await offers(node.id, 70)
  const last = await full()
  await until(async () => (await last.told()).length === 1)
  expect(await node.told()).toHaveLength(1)

  await offers(node.id, 1000)
  await until(async () => {
    const { rows } = await lodge.database.pool.query(
      'select told_little_room as told from nodes where id = $1',
      [node.id],
    )
    return rows[0]?.told === false
  })
  await offers(node.id, 70)
  await until(async () => (await node.told()).length === 2)
})

test('an announcement is sent once to each channel for it, by mail with a one-click unsubscribe', async () => {
  const [reader, other] = [await lodge.customer(), await lodge.customer()]
  await reader.must('PUT /api/auth/preferences', { body: { mode: 'system', language: 'de' } })
  const mailbox = async (caller: Caller, events: string[]) =>
    caller.must('POST /api/notification-channels', {
      body: { name: 'Me', kind: 'email', to: caller.email, events },
    })
  const { id } = await mailbox(reader, ['announcement'])
  await mailbox(other, ['account.password_changed'])
  const ofStaff = await webhook(admin, ['announcement'])
  const announce = async (text: string, more: object = {}) => {
    const announcement = { ...DEFAULT_BRANDING.announcement, enabled: true, text, ...more }
    await admin.must('PUT /api/branding', {
      body: { branding: { ...DEFAULT_BRANDING, announcement } },
    })
  }
  const queued = async () =>
    (await reader.must('GET /api/notification-channels/{id}/deliveries', { params: { id } })).items

  const later = new Date(Date.now() + 3_600_000).toISOString()
  await announce('Too early', { startsAt: later })
  await announce('Only for customers', {
    audience: 'customers',
    link: 'https://status.example.com/',
  })
  const mail = await mailTo(lodge, reader.email, 'announcement')
  expect(mail.subject).toBe('Ankündigung von Lodge')
  expect(mail.text).toContain('Only for customers\nhttps://status.example.com/')
  expect(mail.text).toContain('Panel öffnen:')
  const { rows } = await lodge.database.pool.query(
    `select unsubscribe_url as url from email_messages where template = 'announcement'`,
  )
  expect(rows).toEqual([{ url: expect.stringContaining('/unsubscribe/') }])

  // Another colour of the panel is not announced, nor is the same text a second time.
  await announce('Only for customers', {
    ...{ audience: 'customers', link: 'https://status.example.com/', dismissible: false },
  })
  await announce('For all')
  await until(() => ofStaff().length > 0)
  expect(ofStaff()).toMatchObject([{ title: 'Announcement from Lodge', body: 'For all' }])
  // The second one waits a while for more of the same kind, like every digest.
  expect(await queued()).toHaveLength(2)
  expect(await mailsTo(lodge, other.email)).toEqual([])
  // It is shown above every page, so inboxes contain only messages about the person.
  expect((await reader.must('GET /api/notifications')).items).toEqual([])
})

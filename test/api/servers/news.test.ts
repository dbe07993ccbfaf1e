import type { Server } from '@lodge/shared/servers.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { momentText } from '../../../control-plane/src/moment-text.ts'
import type { Caller } from '../../support/caller.ts'
import { mailsTo } from '../../support/mailbox.ts'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'
import type { StandInAgent } from '../../support/stand-in-agent.ts'
import { until } from '../../support/until.ts'
import { openEvents } from '../support/event-stream.ts'
import { share } from '../support/share.ts'

let lodge: Lodge
let admin: Caller
let node: JoinedNode
let agent: StandInAgent
let templateId: string
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  node = await lodge.joinedNode()
  agent = await lodge.standIn(node)
  templateId = (await lodge.template()).id
})
afterAll(() => lodge[Symbol.asyncDispose]())

const inbox = async (caller: Caller, type: string) =>
  (await caller.must('GET /api/notifications', { query: {} })).items.filter(
    (item) => item.type === type,
  )
async function running(owner: Caller): Promise<string> {
  const id = await lodge.server({ ownerId: owner.id, templateId, nodeId: node.id })
  await until(
    async () =>
      (await owner.must('GET /api/servers/{id}', { params: { id } })).status === 'running',
  )
  return id
}
const policyOf = (caller: Caller, id: string) =>
  caller.must('GET /api/servers/{id}/crash-policy', { params: { id } })
const REASON = 'The server ended with exit code 1; it was already restarted 3 times'
const restart = (attempt: number) => ({
  kind: 'crashed',
  restartAttempt: attempt,
  restartOf: 3,
  restartWaitSeconds: 5,
})

test('a server that the crash policy gave up on is reported to everybody who may see it, and by mail', async () => {
  const [owner, friend, stranger] = [
    await lodge.customer(),
    await lodge.customer(),
    await lodge.customer(),
  ]
  const id = await running(owner)
  await share(lodge, id, owner, friend, ['console.read'])
  await agent.happened(id, { kind: 'started', at: new Date(Date.now() - 60_000) })
  await agent.happened(id, restart(1))
  expect(await inbox(owner, 'server.crash_limit')).toEqual([])
  await agent.happened(id, { kind: 'gave_up', reason: REASON })
  for (const caller of [owner, friend]) {
    expect(await inbox(caller, 'server.crash_limit')).toMatchObject([
      { severity: 'error', body: `${REASON}.`, link: `/servers/${id}/console` },
    ])
    const [mail, ...more] = (await mailsTo(lodge, caller.email)).filter(
      ({ template }) => template === 'server_gave_up',
    )
    expect(more).toEqual([])
    expect(mail?.text).toContain(REASON)
    expect(mail?.text).toContain(`/servers/${id}/console`)
  }
  expect(await inbox(stranger, 'server.crash_limit')).toEqual([])
  // A node that repeats a report does not fill the inbox.
  await agent.happened(id, { kind: 'gave_up', reason: REASON })
  expect(await inbox(owner, 'server.crash_limit')).toHaveLength(1)
})

test('the crash policy shows how often it has restarted the server, when it will do so next, and that it gave up', async () => {
  const owner = await lodge.customer()
  const id = await running(owner)
  expect(await policyOf(owner, id)).toMatchObject({
    mode: 'on-failure',
    attemptsInWindow: 0,
    restartAt: null,
    gaveUp: null,
  })
  const at = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1000)
  // Before the window, before a person's start, and since.
  await agent.happened(id, { ...restart(1), at: at(3_600) })
  await agent.happened(id, { ...restart(1), at: at(300) })
  await agent.happened(id, { kind: 'started', at: at(200) })
  await agent.happened(id, { ...restart(1), at: at(100) })
  await agent.happened(id, { kind: 'restarted', at: at(90) })
  await agent.happened(id, { ...restart(2), at: at(10) })
  const next = new Date(Date.now() + 60_000)
  agent.tell(id, { state: 'crashed', restartAt: next })
  await until(async () => (await policyOf(owner, id)).restartAt === next.toISOString())
  expect(await policyOf(owner, id)).toMatchObject({ attemptsInWindow: 1, gaveUp: null })
  await agent.happened(id, { kind: 'gave_up', reason: REASON })
  agent.tell(id, { state: 'crashed', restartAt: undefined })
  await until(async () => (await policyOf(owner, id)).restartAt === null)
  expect(await policyOf(owner, id)).toMatchObject({
    attemptsInWindow: 2,
    gaveUp: { reason: REASON },
  })
})

test('open panels receive an event when the history of a server grows', async () => {
  const owner = await lodge.customer()
  const stream = openEvents(lodge, owner)
  const told = () =>
    stream.events.filter(({ event }) => event === 'server').map(({ data }) => data as Server)
  try {
    await stream.opened
    await running(owner)
    await until(() => told().at(-1)?.status === 'running')
    const [before, id] = [told().length, told().at(-1)?.id ?? '']
    await agent.happened(id, { kind: 'gave_up', reason: REASON })
    await until(() => told().length > before)
  } finally {
    stream.close()
  }
})

test('a failed job is reported to the owner and to who requested it', async () => {
  const owner = await lodge.customer()
  const id = await running(owner)
  const failure = { code: 'start_failed', detail: 'The image is gone' }
  agent.failing = (desired) => (desired.serverId === id ? failure : undefined)
  await admin.must('POST /api/servers/{id}/actions', {
    params: { id },
    body: { action: 'restart' },
  })
  for (const caller of [owner, admin])
    await until(async () =>
      (await inbox(caller, 'job.failed')).some(
        ({ title, body }) => title === 'Failed: Restart One' && body === failure.detail,
      ),
    )
  agent.failing = () => undefined
})

test('a full disk is reported once in a while to everybody who may see the server', async () => {
  const owner = await lodge.customer()
  const id = await running(owner)
  const reason =
    "The 64 MiB of the server's disk are used up: it can write nothing more. Delete files or give it more"
  const full = () => agent.happened(id, { kind: 'disk_full', reason })
  await full()
  expect(await inbox(owner, 'server.over_limit')).toMatchObject([
    {
      ...{ severity: 'warn', title: 'The disk of One is full', body: `${reason}.` },
      link: `/servers/${id}/files`,
    },
  ])
  await full()
  expect(await inbox(owner, 'server.over_limit')).toHaveLength(1)
  await lodge.database.pool.query(
    `update server_events set at = at - interval '61 minutes' where server_id = $1`,
    [id],
  )
  await full()
  expect(await inbox(owner, 'server.over_limit')).toHaveLength(2)
})

test('a suspension and a deletion are reported to the owner', async () => {
  const owner = await lodge.customer()
  const id = await running(owner)
  for (const action of ['suspend', 'unsuspend'] as const)
    await admin.must('POST /api/servers/{id}/actions', { params: { id }, body: { action } })
  await owner.must('DELETE /api/me/servers/{id}', { params: { id } })
  for (const type of ['server.suspended', 'server.unsuspended', 'server.deletion_scheduled'])
    expect(await inbox(owner, type)).toHaveLength(1)
})

test("a notice of a scheduled deletion shows the time in each reader's language and time zone", async () => {
  const [owner, friend] = [await lodge.customer(), await lodge.customer()]
  const id = await running(owner)
  await share(lodge, id, owner, friend, ['console.read'])
  const reader = { locale: 'de-CH', timeZone: 'Europe/Zurich' }
  await owner.must('PATCH /api/auth/me', { body: reader })
  const { deleteAt } = await owner.must('DELETE /api/me/servers/{id}', { params: { id } })
  const bodyTo = async (caller: Caller) =>
    (await inbox(caller, 'server.deletion_scheduled'))[0]?.body
  expect(await bodyTo(owner)).toContain(
    momentText(new Date(deleteAt ?? ''), { language: 'en', ...reader }),
  )
  expect(await bodyTo(friend)).toContain(momentText(new Date(deleteAt ?? '')))
})

test('a node that was away for a minute is reported to those who see nodes, and so is its return', async () => {
  const staff = await lodge.limitedAdmin(['nodes.view'])
  const other = await lodge.limitedAdmin(['customers.view'])
  const away = await lodge.joinedNode()
  const lost = await lodge.standIn(away)
  lost.close()
  await lodge.database.pool.query(
    `update nodes set last_seen_at = now() - interval '61 seconds' where id = $1`,
    [away.id],
  )
  await until(async () => (await inbox(staff, 'node.offline')).length === 1)
  await lost.connect()
  await until(async () => (await inbox(staff, 'node.online')).length === 1)
  expect(await inbox(staff, 'node.offline')).toHaveLength(1)
  expect(await inbox(other, 'node.offline')).toEqual([])
})

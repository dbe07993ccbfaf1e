import { randomUUID } from 'node:crypto'
import { DriverError } from '@lodge/driver/driver.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceDue } from '../../../control-plane/src/domains/billing/advance.ts'
import { backUpEnded } from '../../../control-plane/src/domains/billing/last-backup.ts'
import { provisionDue } from '../../../control-plane/src/domains/billing/provision.ts'
import type { Caller } from '../../support/caller.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { connected } from '../../support/vm-world.ts'

let lodge: Lodge
let beside: Lodge
let agent: RealAgent
let admin: Caller
let templateId: string
beforeAll(async () => {
  lodge = await startLodge()
  beside = await lodge.beside()
  const node = await lodge.joinedNode()
  agent = await startRealAgent(lodge, node)
  await connected(lodge, node.id)
  admin = await lodge.admin()
  templateId = (await lodge.template()).id
})
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]()
  await beside?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const later = (at: Date, ms: number) => new Date(at.getTime() + ms)

interface Ended {
  readonly serverId: string
  readonly owner: Caller
  readonly endedAt: Date
}
/** A server that nobody paid for after its first month, whose subscription has ended for it. */
async function ended(): Promise<Ended> {
  const plan = await admin.must('POST /api/plans', {
    body: {
      ...{ name: randomUUID(), kind: 'server', visibility: 'public' },
      prices: [{ cycle: 'monthly', amount: 100, currency: 'EUR' }],
      preset: {
        ...{ templateIds: [templateId], memoryMb: 64, cpuPercent: 1, diskMb: 64 },
        // Its last backup is the host's, so the plan does not refuse it.
        ...{ locations: 'any', limits: { maxServerBackups: 0 } },
      },
    },
  })
  const { id: userId, email } = await lodge.customer()
  const owner = await lodge.session(userId, email)
  const { id, invoice } = await owner.must('POST /api/store/checkout', {
    body: { planId: plan.id, cycle: 'monthly', server: { name: 'shop', templateId } },
  })
  await admin.must('POST /api/billing/invoices/{id}/mark-paid', {
    ...{ params: { id: invoice?.id ?? '' }, body: { amount: invoice?.total ?? 0 } },
  })
  await provisionDue(lodge.controlPlane.services)
  const { id: serverId } = await until(async () => (await owner.must('GET /api/servers')).items[0])
  await until(async () => ((await statusOf(serverId)) === 'running' ? true : undefined))
  await runUntilEnd(id)
  // The node reports that it has stopped, as it would have two weeks before.
  await until(async () => {
    const { observedState } = await admin.must('GET /api/servers/{id}', {
      params: { id: serverId },
    })
    return observedState === 'stopped' ? true : undefined
  })
  return { serverId, owner, endedAt: await endedNow(id) }
}
const statusOf = async (id: string) =>
  (await admin.must('GET /api/servers/{id}', { params: { id } })).status

/** Takes each step when it is due, until the subscription has ended. */
async function runUntilEnd(id: string): Promise<void> {
  for (let step = 0; step < 200; step += 1) {
    const { rows } = await lodge.database.pool.query<{ next: Date | null; ended: Date | null }>(
      'select next_at as next, ended_at as ended from subscriptions where id = $1',
      [id],
    )
    const [row] = rows
    if (row?.ended) return
    if (row?.next) await advanceDue(lodge.controlPlane.services, row.next)
  }
  throw new Error('the subscription does not end')
}
/** The months until its end took no time: what is owed is owed since now, the clock of backups. */
async function endedNow(id: string): Promise<Date> {
  const { rows } = await lodge.database.pool.query<{ since: Date }>(
    `update owed_backups set since = date_trunc('milliseconds', now())
     where subscription_id = $1 returning since`,
    [id],
  )
  const [row] = rows
  if (!row) throw new Error('no backup is owed')
  return row.since
}
/** What the host has begun, failed ones included. */
const statesOf = async (id: string) =>
  (
    await lodge.database.pool.query<{ state: string }>(
      'select state from server_backups where server_id = $1 and by_host order by created_at',
      [id],
    )
  ).rows.map(({ state }) => state)
const deletedAt = async (id: string) =>
  (await admin.must('GET /api/servers/{id}', { params: { id } })).deleteAt
const backupsOf = async (id: string) =>
  (await admin.must('GET /api/servers/{id}/backups', { params: { id }, query: {} })).items
const missed = async (serverName: string) =>
  (await admin.must('GET /api/notifications', { query: {} })).items.filter(
    ({ type, title }) => type === 'last_backup.missed' && title.includes(serverName),
  )

test('a server whose subscription ended unpaid is backed up once before it is deleted', async () => {
  const { serverId, endedAt } = await ended()
  expect(await deletedAt(serverId)).not.toBeNull()
  const now = later(endedAt, HOUR_MS)
  const begun = await Promise.all(
    [lodge, beside].map(({ controlPlane }) => backUpEnded(controlPlane.services, now)),
  )
  expect(begun.toSorted()).toEqual([0, 1])
  const [backup] = await until(async () => {
    const items = await backupsOf(serverId)
    return items[0]?.state === 'good' ? items : undefined
  })
  expect(backup).toMatchObject({ byHost: true, state: 'good' })
  expect(await backUpEnded(lodge.controlPlane.services, later(now, DAY_MS))).toBe(0)
  expect(await backupsOf(serverId)).toHaveLength(1)
  // Nothing of its end has changed.
  expect(await deletedAt(serverId)).not.toBeNull()
})

test('one that begins and fails is begun again an hour later', async () => {
  const { serverId, endedAt } = await ended()
  const { services } = lodge.controlPlane
  agent.driver.knobs.backupError = new DriverError('disk_full', 'There is no room left.')
  try {
    expect(await backUpEnded(services, later(endedAt, 1))).toBe(1)
    await until(async () => (await statesOf(serverId)).join() === 'failed')
  } finally {
    agent.driver.knobs.backupError = null
  }
  expect(await backUpEnded(services, later(endedAt, HOUR_MS / 2))).toBe(0)
  expect(await backUpEnded(services, later(endedAt, 2 * HOUR_MS))).toBe(1)
  await until(async () => (await statesOf(serverId)).join() === 'failed,good')
  expect(await backUpEnded(services, later(endedAt, 2 * DAY_MS))).toBe(0)
})

test('one that cannot be backed up is tried for a day, then told to the host, and deleted all the same', async () => {
  const { serverId, owner, endedAt } = await ended()
  // Kept for one day only, and deleted by hand: both are told in their own time.
  const [brief, gone] = [await ended(), await ended()]
  await lodge.database.pool.query('update servers set delete_at = $2 where id = $1', [
    brief.serverId,
    later(brief.endedAt, DAY_MS),
  ])
  await agent.close()
  try {
    await until(async () => ((await nodeIsOnline()) ? undefined : true))
    const { services } = lodge.controlPlane
    expect(await backUpEnded(services, later(endedAt, HOUR_MS))).toBe(0)
    expect(await missed(owner.email)).toEqual([])
    await admin.must('DELETE /api/servers/{id}', {
      ...{ params: { id: gone.serverId }, query: { abandon: 'true', confirm: 'true' } },
    })
    expect(await backUpEnded(services, later(brief.endedAt, 23 * HOUR_MS))).toBe(0)
    expect(await missed(owner.email)).toEqual([])
    expect(await missed(brief.owner.email)).toHaveLength(1)
    expect(await missed(gone.owner.email)).toMatchObject([
      { body: 'The server was deleted before it could be backed up' },
    ])
    expect(await backUpEnded(services, later(brief.endedAt, DAY_MS))).toBe(0)
    expect(await missed(owner.email)).toMatchObject([
      { title: `The server shop of ${owner.email} could not be backed up before its deletion` },
    ])
    expect(await backUpEnded(services, later(endedAt, 2 * DAY_MS))).toBe(0)
    expect(await missed(owner.email)).toHaveLength(1)
    expect(await deletedAt(serverId)).not.toBeNull()
  } finally {
    await agent.connect()
  }
})
const nodeIsOnline = async () =>
  (await admin.must('GET /api/nodes/{id}', { params: { id: agent.nodeId } })).state === 'online'

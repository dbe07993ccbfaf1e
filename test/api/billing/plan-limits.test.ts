import { randomUUID } from 'node:crypto'
import type { ServerPlanLimits } from '@lodge/shared/limits/of-plan-server.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { advanceDue } from '../../../control-plane/src/domains/billing/advance.ts'
import { provisionDue } from '../../../control-plane/src/domains/billing/provision.ts'
import type { Caller } from '../../support/caller.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { connected, jobEnd } from '../../support/vm-world.ts'

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
beforeEach(() => lodge.database.pool.query('truncate rate_limits'))

const DAY_MS = 86_400_000
const AT_ONCE = 10

const makePlan = (limits: ServerPlanLimits | undefined, amount = 100) =>
  admin.must('POST /api/plans', {
    body: {
      ...{ name: `Plan ${randomUUID()}`, kind: 'server', visibility: 'public' },
      prices: [{ cycle: 'monthly', amount, currency: 'EUR' }],
      preset: {
        ...{ templateIds: [templateId], memoryMb: 64, cpuPercent: 1, diskMb: 64 },
        ...{ locations: 'any', ...(limits && { limits }) },
      },
    },
  })

interface Bought {
  readonly owner: Caller
  /** The same person on the other control plane. */
  readonly there: Caller
  readonly id: string
  readonly subscriptionId: string
  readonly plan: string
}
/** A server that somebody bought with a plan, and that exists. */
async function bought(limits: ServerPlanLimits | undefined, amount = 100): Promise<Bought> {
  const plan = await makePlan(limits, amount)
  const { id: userId, email } = await lodge.customer()
  const owner = await lodge.session(userId, email)
  const { id: subscriptionId, invoice } = await owner.must('POST /api/store/checkout', {
    body: { planId: plan.id, cycle: 'monthly', server: { name: 'shop', templateId } },
  })
  await pay(invoice?.id ?? '', invoice?.total ?? 0)
  await provisionDue(lodge.controlPlane.services)
  const { id } = await until(async () => (await owner.must('GET /api/servers')).items[0])
  const there = beside.anonymous({ cookie: owner.cookie ?? '' }).named(userId, email)
  return { owner, there, id, subscriptionId, plan: plan.name }
}
/** A server has backups once it is installed. */
const installed = ({ owner, id }: Pick<Bought, 'owner' | 'id'>) =>
  until(async () => {
    const { status } = await owner.must('GET /api/servers/{id}', { params: { id } })
    return status === 'running' ? true : undefined
  })
const pay = (id: string, amount: number) =>
  admin.must('POST /api/billing/invoices/{id}/mark-paid', { params: { id }, body: { amount } })

/** Asks for the same ten times at once, on two control planes. */
async function atOnce<R extends { status: number; body: unknown }>(
  { owner, there }: Bought,
  ask: (caller: Caller, at: number) => Promise<R>,
): Promise<{ taken: number; made: readonly unknown[]; refusals: readonly unknown[] }> {
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, at) => ask(at % 2 ? there : owner, at)),
  )
  const isTaken = ({ status }: R) => status < 300
  return {
    taken: answers.filter(isTaken).length,
    made: answers.filter(isTaken).map(({ body }) => body),
    refusals: answers.filter((one) => !isTaken(one)).map(({ body }) => body),
  }
}

const addPort = (caller: Caller, id: string, at: number) =>
  caller.call('POST /api/servers/{id}/ports', {
    params: { id },
    body: { container: 20_000 + at, protocol: 'tcp' },
  })
const invite = (caller: Caller, id: string, at: number) =>
  caller.call('POST /api/servers/{id}/collaborators', {
    params: { id },
    body: { email: `${at}-${id}@example.org`, permissions: ['power.start'] },
  })
const schedule = (caller: Caller, id: string) =>
  caller.call('POST /api/servers/{id}/schedules', {
    params: { id },
    body: { cron: '0 4 * * *', tasks: [{ action: 'wait', seconds: 1 }] },
  })
const backUp = (caller: Caller, id: string) =>
  caller.call('POST /api/servers/{id}/backups', { params: { id }, body: {} })
const included = ({ owner, id }: Bought) =>
  owner.must('GET /api/servers/{id}/plan', { params: { id } })
const standingOf = async ({ owner, id }: Bought) =>
  (await owner.must('GET /api/servers/{id}/backups', { params: { id }, query: {} })).standing
const refused = (code: 'limit_exceeded' | 'capability_denied', detail: string) => ({
  status: code === 'limit_exceeded' ? 409 : 403,
  body: { code, detail },
})

describe('of ten requests at once for what a plan includes twice two succeed', () => {
  test('extra ports', async () => {
    const one = await bought({ maxExtraPorts: 2 })
    const { taken, refusals } = await atOnce(one, (caller, at) => addPort(caller, one.id, at))
    expect(taken).toBe(2)
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        code: 'limit_exceeded',
        detail: `This server has all the extra ports that its plan ${one.plan} includes (2 of 2): remove one, or change to a larger plan`,
        limit: { name: 'maxExtraPorts', max: 2, used: 2, requested: 1, origin: [one.plan] },
      })
    expect((await included(one)).limits).toEqual([{ key: 'maxExtraPorts', value: 2, used: 2 }])
  })

  test('people to share with, invitations included', async () => {
    const one = await bought({ maxServerCollaborators: 2 })
    const { taken, refusals } = await atOnce(one, (caller, at) => invite(caller, one.id, at))
    expect(taken).toBe(2)
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        code: 'limit_exceeded',
        detail: `This server is shared with as many people as its plan ${one.plan} includes (2 of 2): remove somebody, or change to a larger plan`,
      })
  })

  test('schedules', async () => {
    const one = await bought({ maxServerSchedules: 2 })
    const { taken, refusals } = await atOnce(one, (caller) => schedule(caller, one.id))
    expect(taken).toBe(2)
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        code: 'limit_exceeded',
        detail: `This server has all the schedules that its plan ${one.plan} includes (2 of 2): delete one, or change to a larger plan`,
      })
  })

  test('backups, of which a server makes one at a time', async () => {
    const one = await bought({ maxServerBackups: 2 })
    await installed(one)
    let all = 0
    while (all < 2) {
      const { made } = await atOnce(one, (caller) => backUp(caller, one.id))
      expect(made.length).toBeGreaterThan(0)
      all += made.length
      for (const backup of made)
        await jobEnd(one.owner, (backup as { jobId: string }).jobId, 'done')
    }
    expect(all).toBe(2)
    const { taken, refusals } = await atOnce(one, (caller) => backUp(caller, one.id))
    expect(taken).toBe(0)
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        code: 'limit_exceeded',
        detail: `This server has all the backups that its plan ${one.plan} includes (2 of 2): delete one, or change to a larger plan`,
      })
    expect(await standingOf(one)).toMatchObject({
      used: { serverBackups: 2 },
      max: { serverBackups: 2, backups: null, storageMb: null },
    })
    // Who may exceed limits may exceed those of a plan, and that is recorded.
    await admin.must('POST /api/servers/{id}/actions', {
      ...{ params: { id: one.id }, body: { action: 'backup', force: true } },
    })
    const { items } = await admin.must('GET /api/audit', { query: { action: 'limit forced' } })
    expect(JSON.stringify(items)).toContain(one.plan)
  })
})

test('the backup storage of a plan is that of its one server', async () => {
  const one = await bought({ maxBackupStorageMb: 1 })
  await installed(one)
  agent.driver.runtime.folders.set(agent.driver.dataFolder(one.id), 'files')
  const first = await backUp(one.owner, one.id)
  await jobEnd(one.owner, (first.body as { jobId: string }).jobId, 'done')
  expect(await backUp(one.owner, one.id)).toMatchObject(
    refused(
      'limit_exceeded',
      `This does not fit in the backup storage that the plan ${one.plan} of this server includes (1 of 1 MiB in use, 1 MiB needed): delete a backup, or change to a larger plan`,
    ),
  )
  expect((await standingOf(one)).max).toEqual({ serverBackups: null, backups: null, storageMb: 1 })
})

test('what a plan does not include is refused with its name, and what it does not mention is free', async () => {
  const { owner, id, plan } = await bought({
    ...{ maySftp: false, maySchedules: false, mayShare: false, mayExtraPorts: false },
    maxServerBackups: 0,
  })
  const lacks = (what: string) => `The plan ${plan} of this server does not include ${what}`
  expect(await addPort(owner, id, 1)).toMatchObject(
    refused('capability_denied', `${lacks('extra ports')}: change to a larger plan`),
  )
  expect(await invite(owner, id, 1)).toMatchObject(
    refused('capability_denied', `${lacks('sharing it')}: change to a larger plan`),
  )
  expect(await schedule(owner, id)).toMatchObject(
    refused('capability_denied', `${lacks('schedules')}: change to a larger plan`),
  )
  await installed({ owner, id })
  expect(await backUp(owner, id)).toMatchObject(
    refused('limit_exceeded', `${lacks('backups')}: change to a larger plan`),
  )
  const sftpOf = async (caller: Caller, id: string) =>
    (await caller.must('GET /api/servers/{id}/sftp', { params: { id } })).allowed
  expect(await sftpOf(owner, id)).toBe(false)
  // Capabilities bind customers, not the host.
  expect((await addPort(admin, id, 1)).status).toBe(201)

  const free = await bought(undefined)
  expect((await addPort(free.owner, free.id, 1)).status).toBe(201)
  expect(await sftpOf(free.owner, free.id)).toBe(true)
  expect(await included(free)).toEqual({ plan: free.plan, limits: [] })
})

test('a plan binds its server whatever the limits of the account say, also where these are off', async () => {
  const settings = await admin.must('GET /api/limits/settings')
  const one = await bought({ maxExtraPorts: 1 })
  await admin.must('PUT /api/limits/settings', { body: { ...settings, useLimits: false } })
  try {
    expect((await addPort(one.owner, one.id, 1)).status).toBe(201)
    expect((await addPort(one.owner, one.id, 2)).body).toMatchObject({ code: 'limit_exceeded' })
  } finally {
    await admin.must('PUT /api/limits/settings', { body: settings })
  }
})

test('an edited plan applies to new purchases only', async () => {
  const one = await bought({ maxExtraPorts: 1 })
  const { items } = await admin.must('GET /api/plans', { query: {} })
  const { id, name, preset } = items.find((plan) => plan.name === one.plan)!
  await admin.must('PUT /api/plans/{id}', {
    ...{ params: { id }, body: { name, preset: { ...preset!, limits: { maxExtraPorts: 0 } } } },
  })
  expect((await addPort(one.owner, one.id, 1)).status).toBe(201)
  expect((await included(one)).limits).toEqual([{ key: 'maxExtraPorts', value: 1, used: 1 }])
})

test('a larger plan applies once it is paid, a smaller one with the next period, and nothing is deleted', async () => {
  const one = await bought({ maxExtraPorts: 1, maxServerSchedules: 1, maySftp: false })
  const larger = await makePlan({ maxExtraPorts: 3, maxServerSchedules: 'unlimited' }, 900)
  const ask = { subscriptionId: one.subscriptionId, planId: larger.id, cycle: 'monthly' as const }
  const preview = await one.owner.must('GET /api/billing/preview-change', { query: ask })
  expect(preview).toMatchObject({ blocked: [], mode: 'immediate' })
  expect(preview.effects).toEqual([
    { code: 'limit', key: 'maxExtraPorts', from: 1, to: 3, used: 0, over: false },
    { code: 'limit', key: 'maxServerSchedules', from: 1, to: 'unlimited', used: 0, over: false },
    { code: 'limit', key: 'maySftp', from: false, to: true, used: null, over: false },
  ])
  const params = { id: one.subscriptionId }
  const changeTo = (planId: string) =>
    one.owner.must('POST /api/billing/subscriptions/{id}/change', {
      ...{ params, body: { planId, cycle: 'monthly' } },
    })
  await changeTo(larger.id)
  expect((await addPort(one.owner, one.id, 1)).status).toBe(201)
  expect((await addPort(one.owner, one.id, 2)).body).toMatchObject({ code: 'limit_exceeded' })
  const { invoices } = await one.owner.must('GET /api/billing')
  const open = invoices.find(({ status }) => status === 'open')
  await pay(open?.id ?? '', open?.total ?? 0)
  for (const at of [2, 3]) expect((await addPort(one.owner, one.id, at)).status).toBe(201)
  for (let at = 0; at < 2; at += 1) expect((await schedule(one.owner, one.id)).status).toBe(201)

  const [first] = (await schedulesOf(one)).map(({ id }) => id)
  await until(() => agent.knowsSchedule(one.id, first ?? ''))
  const [bob, eve] = [await lodge.customer(), await lodge.customer()]
  const share = (caller: Caller, { email }: Caller) =>
    caller.must('POST /api/servers/{id}/collaborators', {
      ...{ params: { id: one.id }, body: { email, permissions: ['power.start'] } },
    })
  await share(one.owner, bob)

  const smaller = await makePlan({ maxExtraPorts: 1, maySchedules: false, mayShare: false }, 50)
  const less = await one.owner.must('GET /api/billing/preview-change', {
    query: { ...ask, planId: smaller.id },
  })
  expect(less).toMatchObject({ blocked: [], mode: 'at_period_end' })
  expect(less.effects).toEqual([
    { code: 'limit', key: 'maxExtraPorts', from: 3, to: 1, used: 3, over: true },
    { code: 'limit', key: 'maySchedules', from: true, to: false, used: 2, over: true },
    { code: 'limit', key: 'mayShare', from: true, to: false, used: 1, over: true },
  ])
  await changeTo(smaller.id)
  await one.owner.must('DELETE /api/servers/{id}/ports/{offset}', {
    params: { id: one.id, offset: '3' },
  })
  expect((await addPort(one.owner, one.id, 4)).status).toBe(201)
  const state = await one.owner.must('GET /api/billing')
  const ends = new Date(state.subscriptions[0]?.periodEnd ?? '')
  await advanceUntil(one, new Date(ends.getTime() + DAY_MS))
  expect((await included(one)).plan).toBe(smaller.name)
  expect(await addPort(one.owner, one.id, 5)).toMatchObject(
    refused(
      'limit_exceeded',
      `This server has all the extra ports that its plan ${smaller.name} includes (3 of 1): remove one, or change to a larger plan`,
    ),
  )
  const { items: ports } = await one.owner.must('GET /api/servers/{id}/ports', {
    params: { id: one.id },
  })
  expect(ports).toHaveLength(4)
  expect((await schedule(one.owner, one.id)).body).toMatchObject({ code: 'capability_denied' })
  expect(await schedulesOf(one)).toHaveLength(2)
  // Neither does the node run them while it is cut off.
  await until(() => !agent.knowsSchedule(one.id, first ?? ''))
  expect(await accept(bob)).toMatchObject({
    status: 409,
    body: {
      code: 'conflict',
      detail:
        'The owner may not share this server with more people now: ask the owner, then accept again',
    },
  })
  // What the host shares, no plan refuses.
  await share(admin, eve)
  expect((await accept(eve)).status).toBe(200)
})
const schedulesOf = async ({ owner, id }: Bought) =>
  (await owner.must('GET /api/servers/{id}/schedules', { params: { id } })).items
async function accept(person: Caller) {
  const [invitation] = (await person.must('GET /api/invitations')).items
  return person.call('POST /api/invitations/{id}/accept', { params: { id: invitation?.id ?? '' } })
}

/** Takes the steps of a subscription that are due until then. */
async function advanceUntil({ subscriptionId }: Bought, end: Date) {
  for (let step = 0; step < 100; step += 1) {
    const { rows } = await lodge.database.pool.query<{ at: Date }>(
      'select next_at as at from subscriptions where id = $1 and next_at <= $2',
      [subscriptionId, end],
    )
    const [row] = rows
    if (!row) return
    await advanceDue(lodge.controlPlane.services, row.at)
    await payOpen(subscriptionId)
  }
  throw new Error('there is no end of it')
}
async function payOpen(subscriptionId: string) {
  const { rows } = await lodge.database.pool.query<{ id: string; total: string }>(
    `select id, total from invoices where subscription_id = $1 and status = 'open'`,
    [subscriptionId],
  )
  for (const { id, total } of rows) await pay(id, Number(total))
}

test('the plan of a server is shown to those who may see it', async () => {
  const one = await bought({ maxServerBackups: 3, mayShare: true })
  expect(await included(one)).toEqual({
    plan: one.plan,
    limits: [
      { key: 'maxServerBackups', value: 3, used: 0 },
      { key: 'mayShare', value: true, used: 0 },
    ],
  })
  const { serverId } = await admin.must('POST /api/servers', {
    body: { name: 'own', ownerId: one.owner.id, templateId, start: false },
  })
  expect(await one.owner.must('GET /api/servers/{id}/plan', { params: { id: serverId } })).toEqual({
    plan: null,
    limits: [],
  })
  const stranger = await lodge.customer()
  expect(
    await stranger.call('GET /api/servers/{id}/plan', { params: { id: one.id } }),
  ).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('a plan that limits something else is refused', async () => {
  const answer = await admin.call('POST /api/plans', {
    body: {
      ...{ name: randomUUID(), kind: 'server' },
      preset: {
        ...{ templateIds: [templateId], memoryMb: 64, cpuPercent: 1, diskMb: 64 },
        ...{ locations: 'any', limits: { maxServers: 1 } as never },
      },
    },
  })
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
})

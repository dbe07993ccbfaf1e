import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../../support/caller.ts'
import { exceeded, hundred } from '../../support/hundred.ts'
import { mailsTo } from '../../support/mailbox.ts'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { share } from '../support/share.ts'

let lodge: Lodge
let other: Lodge
let node: JoinedNode
let admin: Caller
let templateId: string
beforeAll(async () => {
  lodge = await startLodge()
  other = await lodge.beside()
  node = await lodge.node()
  admin = await lodge.admin()
  templateId = (await lodge.template()).id
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await lodge[Symbol.asyncDispose]()
})

const SIZE = { memoryMb: 128, cpuPercent: 10, diskMb: 128 }
const create = (by: Caller, owner: Caller, more: object = {}) =>
  by.call('POST /api/servers', {
    body: {
      name: 'One',
      ownerId: owner.id,
      templateId,
      nodeId: node.id,
      start: false,
      ...SIZE,
      ...more,
    },
  })
const quota = (owner: Caller, layer: object) =>
  admin.must('PATCH /api/customers/{id}', { params: { id: owner.id }, body: { quota: layer } })
async function serverOf(owner: Caller): Promise<string> {
  const { body } = await create(admin, owner)
  return body.serverId
}
const codeOf = (body: unknown) => z.object({ code: z.string() }).parse(body).code
const inbox = async (caller: Caller) =>
  (await caller.must('GET /api/notifications', { query: {} })).items

describe('C4 CVE-2025-69198: a hundred concurrent requests on two control planes get exactly what the limit allows', () => {
  const hundredOf = (as: Caller, ask: Parameters<typeof hundred>[2]) =>
    hundred([lodge, other], as, ask)

  test.each([
    ['maxServers', 4, 'This would exceed the limit of 4 servers (4 in use, 1 requested)'],
    [
      'maxMemoryMb',
      400,
      'This would exceed the limit of 400 MiB of memory (384 in use, 128 requested)',
    ],
    [
      'maxCpuPercent',
      35,
      'This would exceed the limit of 35 percent of CPU (30 in use, 10 requested)',
    ],
    [
      'maxDiskMb',
      400,
      'This would exceed the limit of 400 MiB of disk (384 in use, 128 requested)',
    ],
  ])('%s, by creating', async (key, value, detail) => {
    const owner = await lodge.customer()
    await quota(owner, { [key]: value })
    const { taken, refusals } = await hundredOf(admin, (caller) => create(caller, owner))
    expect(taken).toBe(key === 'maxServers' ? 4 : 3)
    for (const refusal of refusals) expect(refusal).toMatchObject(exceeded(detail))
  })

  test.each([
    ['maxMemoryMb', 'memoryMb', 'MiB of memory', 64],
    ['maxCpuPercent', 'cpuPercent', 'percent of CPU', 5],
    ['maxDiskMb', 'diskMb', 'MiB of disk', 64],
  ] as const)('%s, by enlarging', async (key, part, kind, step) => {
    const owner = await lodge.customer()
    const ids = await Promise.all(Array.from({ length: 10 }, () => serverOf(owner)))
    const present = SIZE[part] * 10
    await quota(owner, { [key]: present + 3 * step })
    const { taken, refusals } = await hundredOf(admin, (caller, at) =>
      caller.call('PATCH /api/servers/{id}', {
        params: { id: ids[at % 10] ?? '' },
        body: { [part]: SIZE[part] + step },
      }),
    )
    // A repeated request for the current size requires nothing more.
    const grown = await Promise.all(
      ids.map(async (id) => (await admin.must('GET /api/servers/{id}', { params: { id } }))[part]),
    )
    expect(grown.filter((size) => size > SIZE[part])).toHaveLength(3)
    expect(taken).toBeGreaterThanOrEqual(3)
    const full = present + 3 * step
    for (const refusal of refusals)
      expect(refusal).toMatchObject(
        exceeded(
          `This would exceed the limit of ${full} ${kind} (${full} in use, ${step} requested)`,
        ),
      )
  })

  test.each([
    [
      'maxServerMemoryMb',
      { memoryMb: 129 },
      '128 MiB of memory per server (0 in use, 129 requested)',
    ],
    [
      'maxServerCpuPercent',
      { cpuPercent: 129 },
      '128 percent of CPU per server (0 in use, 129 requested)',
    ],
    ['maxServerDiskMb', { diskMb: 129 }, '128 MiB of disk per server (0 in use, 129 requested)'],
  ])('%s', async (key, size, detail) => {
    const owner = await lodge.customer()
    await quota(owner, { [key]: 128 })
    const { taken, refusals } = await hundredOf(admin, (caller) => create(caller, owner, size))
    expect(taken).toBe(0)
    for (const refusal of refusals)
      expect(refusal).toMatchObject(exceeded(`This would exceed the limit of ${detail}`))
  })

  test('maxServers of a plan, by the customer', async () => {
    const settings = await admin.must('GET /api/limits/settings')
    await admin.must('PUT /api/limits/settings', {
      body: { ...settings, selfService: 'account_plans' },
    })
    const owner = await lodge.customer()
    await lodge.database.pool.query(
      `with plan as (insert into plans (id, name, kind, limits)
         values (gen_random_uuid(), $2, 'account', '{"maxServers": 3, "mayCreateServers": true}') returning id)
       insert into subscriptions (id, user_id, plan_id, status)
         select gen_random_uuid(), $1, id, 'active' from plan`,
      [owner.id, `Plan ${owner.id}`],
    )
    const { taken, refusals } = await hundredOf(owner, (caller) =>
      caller.call('POST /api/me/servers', {
        body: { name: 'Mine', templateId, start: false, ...SIZE },
      }),
    )
    await admin.must('PUT /api/limits/settings', { body: settings })
    expect(taken).toBe(3)
    for (const refusal of refusals)
      expect(refusal).toMatchObject(
        exceeded('This would exceed the limit of 3 servers (3 in use, 1 requested)'),
      )
  })

  test.each([
    ['maxServerMemoryMb', 'memoryMb', 'MiB of memory per server'],
    ['maxServerCpuPercent', 'cpuPercent', 'percent of CPU per server'],
    ['maxServerDiskMb', 'diskMb', 'MiB of disk per server'],
  ] as const)('%s, by enlarging', async (key, part, kind) => {
    const owner = await lodge.customer()
    const id = await serverOf(owner)
    await quota(owner, { [key]: SIZE[part] + 5 })
    const sizes = new Set<number>()
    const { refusals } = await hundredOf(admin, async (caller, at) => {
      const requested = SIZE[part] + 1 + (at % 10)
      const answer = await caller.call('PATCH /api/servers/{id}', {
        params: { id },
        body: { [part]: requested },
      })
      if (answer.status < 400) sizes.add(requested)
      return answer
    })
    expect(Math.max(...sizes)).toBeLessThanOrEqual(SIZE[part] + 5)
    // From the size that it had at that moment.
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        code: 'limit_exceeded',
        detail: expect.stringContaining(`the limit of ${SIZE[part] + 5} ${kind} (`),
      })
  })

  test.each([
    ['allowedTemplates', [], 'not_allowed_by_limits'],
    ['allowedLocations', ['Elsewhere'], 'not_allowed_by_limits'],
    ['mayCreateServers', false, 'capability_denied'],
    ['mayDeleteServers', false, 'capability_denied'],
    ['mayExtraPorts', false, 'capability_denied'],
    ['mayShare', false, 'capability_denied'],
  ] as const)('%s, when nothing is allowed', async (key, value, code) => {
    const settings = await admin.must('GET /api/limits/settings')
    await admin.must('PUT /api/limits/settings', { body: { ...settings, selfService: 'everyone' } })
    const owner = await lodge.customer()
    const params = { id: await serverOf(owner) }
    await quota(owner, { [key]: value })
    const asks = {
      mayDeleteServers: (caller: Caller) => caller.call('DELETE /api/me/servers/{id}', { params }),
      mayExtraPorts: (caller: Caller) =>
        caller.call('POST /api/servers/{id}/ports', {
          params,
          body: { container: 9000, protocol: 'tcp' },
        }),
      mayShare: (caller: Caller) =>
        caller.call('POST /api/servers/{id}/collaborators', {
          params,
          body: { email: 'one@example.org', permissions: ['power.start'] },
        }),
    }
    const createOne = (caller: Caller) =>
      caller.call('POST /api/me/servers', {
        body: { name: 'Mine', templateId, start: false, ...SIZE },
      })
    const ask = key in asks ? asks[key as keyof typeof asks] : createOne
    const { taken, refusals } = await hundredOf(owner, ask)
    await admin.must('PUT /api/limits/settings', { body: settings })
    expect(taken).toBe(0)
    // One person may send at most thirty invitations in a row.
    const limitRefusals = refusals.filter((refusal) => codeOf(refusal) !== 'rate_limited')
    expect(limitRefusals.length).toBeGreaterThanOrEqual(30)
    for (const refusal of limitRefusals) expect(codeOf(refusal)).toBe(code)
  })

  test('runningServers', async () => {
    const owner = await lodge.customer()
    await lodge.standIn(node)
    const ids = await Promise.all(Array.from({ length: 20 }, () => serverOf(owner)))
    await until(async () => {
      const { items } = await owner.must('GET /api/servers', { query: {} })
      return items.every((item) => item.status === 'stopped') ? true : undefined
    })
    await quota(owner, { runningServers: 3 })
    const { refusals } = await hundredOf(owner, (caller, at) =>
      caller.call('POST /api/servers/{id}/actions', {
        params: { id: ids[at % 20] ?? '' },
        body: { action: 'start' },
      }),
    )
    const { rows } = await lodge.database.pool.query(
      `select count(*)::int as count from servers where owner_id = $1 and desired_power = 'on'`,
      [owner.id],
    )
    expect(rows[0].count).toBe(3)
    expect(refusals).toContainEqual(
      expect.objectContaining(
        exceeded('This would exceed the limit of 3 running servers (3 in use, 1 requested)'),
      ),
    )
  })

  test('maxExtraPorts', async () => {
    const owner = await lodge.customer()
    const ids = await Promise.all(Array.from({ length: 5 }, () => serverOf(owner)))
    await quota(owner, { maxExtraPorts: 7 })
    const { taken, refusals } = await hundredOf(owner, (caller, at) =>
      caller.call('POST /api/servers/{id}/ports', {
        params: { id: ids[at % 5] ?? '' },
        body: { container: 10_000 + at, protocol: 'tcp' },
      }),
    )
    expect(taken).toBe(7)
    for (const refusal of refusals)
      expect(refusal).toMatchObject(
        exceeded('This would exceed the limit of 7 extra ports (7 in use, 1 requested)'),
      )
  })

  test('maxServerCollaborators', async () => {
    const owner = await lodge.customer()
    const id = await serverOf(owner)
    // One person may invite thirty in a row, so five do together; four of them take a place each.
    const others = await Promise.all(Array.from({ length: 4 }, () => lodge.customer()))
    for (const one of others)
      await share(lodge, id, owner, one, ['collaborators.manage', 'power.start'])
    const inviters = [owner, ...others].flatMap((caller) => [
      caller,
      other.anonymous({ cookie: caller.cookie ?? '' }),
    ])
    await quota(owner, { maxServerCollaborators: 10 })
    await lodge.database.pool.query('truncate rate_limits')
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        inviters[at % inviters.length]!.call('POST /api/servers/{id}/collaborators', {
          params: { id },
          body: { email: `p${at}@example.org`, permissions: ['power.start'] },
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(6)
    for (const { body } of answers.filter(({ status }) => status !== 201))
      expect(body).toMatchObject(
        exceeded('This would exceed the limit of 10 people per server (10 in use, 1 requested)'),
      )
    const { limits } = await owner.must('GET /api/limits/me')
    expect(limits.find((limit) => limit.key === 'maxServerCollaborators')).toMatchObject({
      value: 10,
      used: 10,
      percent: 100,
    })
  })
})

describe('when limits only warn', () => {
  test('the change is made, and customer and administrators are notified each time, by mail once', async () => {
    const settings = await admin.must('GET /api/limits/settings')
    const owner = await lodge.customer()
    const staff = await lodge.limitedAdmin(['customers.quota'])
    await quota(owner, { maxServers: 0 })
    await admin.must('PUT /api/limits/settings', { body: { ...settings, onExceed: 'warn' } })
    for (let at = 0; at < 2; at++) expect((await create(admin, owner)).status).toBe(202)
    const notices = (await inbox(owner)).filter((item) => item.type === 'limit.exceeded')
    expect(notices.map((item) => item.body)).toEqual([
      'You use 2 of 0 servers.',
      'You use 1 of 0 servers.',
    ])
    expect(
      (await inbox(staff)).filter((item) => item.title === `${owner.email} is above a limit`),
    ).toHaveLength(2)
    const mails = await mailsTo(lodge, owner.email)
    expect(mails.filter((mail) => mail.template === 'limit_exceeded')).toHaveLength(1)

    const quiet = await lodge.customer()
    await quota(quiet, { maxServers: 0 })
    await admin.must('PUT /api/limits/settings', {
      body: { ...settings, onExceed: 'warn', notifyCustomers: false },
    })
    expect((await create(admin, quiet)).status).toBe(202)
    expect((await inbox(quiet)).filter((item) => item.type === 'limit.exceeded')).toEqual([])
    expect(
      (await inbox(staff)).some((item) => item.title === `${quiet.email} is above a limit`),
    ).toBe(true)
    await admin.must('PUT /api/limits/settings', { body: settings })
  })
})

test('a forced change is recorded with the limit that it exceeded', async () => {
  const owner = await lodge.customer()
  await quota(owner, { maxServers: 0 })
  expect((await create(admin, owner, { force: true })).status).toBe(202)
  const { items } = await admin.must('GET /api/audit', {
    query: { targetId: owner.id, action: 'limit forced' },
  })
  expect(items).toMatchObject([
    {
      actor: { email: admin.email },
      detail: {
        limit: 'maxServers',
        message: 'This would exceed the limit of 0 servers (0 in use, 1 requested)',
      },
    },
  ])
})

test("a server that came with a plan neither counts against the account's limits nor is bound by them", async () => {
  const owner = await lodge.customer()
  await lodge.standIn(node)
  const id = await serverOf(owner)
  const { pool } = lodge.database
  await pool.query(
    `with plan as (insert into plans (id, name, kind) values (gen_random_uuid(), $2, 'server') returning id),
     sub as (insert into subscriptions (id, user_id, plan_id, status)
       select gen_random_uuid(), $1, id, 'active' from plan returning id)
     update servers set subscription_id = (select id from sub) where id = $3`,
    [owner.id, `Plan ${owner.id}`, id],
  )
  await quota(owner, { maxServers: 0, maxExtraPorts: 0, runningServers: 0, mayExtraPorts: false })
  const { limits, planServers } = await owner.must('GET /api/limits/me')
  expect(limits.find((limit) => limit.key === 'maxServers')).toMatchObject({ used: 0, over: false })
  expect(planServers).toBe(1)
  await owner.must('POST /api/servers/{id}/ports', {
    params: { id },
    body: { container: 9000, protocol: 'tcp' },
  })
  await until(async () => {
    const { status } = await owner.must('GET /api/servers/{id}', { params: { id } })
    return status === 'stopped' ? true : undefined
  })
  await owner.must('POST /api/servers/{id}/actions', { params: { id }, body: { action: 'start' } })
})

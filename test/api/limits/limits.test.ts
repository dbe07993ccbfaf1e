import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let other: Lodge
let node: JoinedNode
let templateId: string
beforeAll(async () => {
  lodge = await startLodge()
  other = await lodge.beside()
  node = await lodge.node()
  templateId = (await lodge.template()).id
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await lodge[Symbol.asyncDispose]()
})

const size = { memoryMb: 128, cpuPercent: 10, diskMb: 128 }

describe('limits of a customer', () => {
  test('C4 CVE-2025-69198: a hundred concurrent creations on two control planes get exactly what the limit allows', async () => {
    const admin = await lodge.admin()
    const owner = await lodge.customer()
    await admin.must('PATCH /api/customers/{id}', {
      params: { id: owner.id },
      body: { quota: { maxServers: 5 } },
    })
    const there = other.anonymous({ cookie: admin.cookie ?? '' })
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        (at % 2 === 0 ? admin : there).call('POST /api/servers', {
          body: { name: `s${at}`, ownerId: owner.id, templateId, start: false, ...size },
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(5)
    const refused = answers.filter(({ status }) => status !== 202)
    for (const answer of refused) {
      expect(answer).toMatchObject({
        status: 409,
        body: {
          code: 'limit_exceeded',
          detail: 'This would exceed the limit of 5 servers (5 in use, 1 requested)',
        },
      })
    }
  })

  test('force exceeds them for those who may, and for nobody else', async () => {
    const owner = await lodge.customer()
    const admin = await lodge.admin()
    await admin.must('PATCH /api/customers/{id}', {
      params: { id: owner.id },
      body: { quota: { maxServers: 0 } },
    })
    const body = {
      name: 'forced',
      ownerId: owner.id,
      templateId,
      start: false,
      force: true,
      ...size,
    }
    const limited = await lodge.limitedAdmin(['servers.create'])
    expect(await limited.call('POST /api/servers', { body })).toMatchObject({
      status: 403,
      body: { permission: 'servers.force_limits' },
    })
    expect((await admin.call('POST /api/servers', { body })).status).toBe(202)
  })

  test('a size may always shrink, and grow only within them', async () => {
    const owner = await lodge.customer()
    const admin = await lodge.admin()
    const id = await lodge.server({
      name: 'sized',
      ownerId: owner.id,
      templateId,
      start: false,
      ...size,
      memoryMb: 512,
    })
    await admin.must('PATCH /api/customers/{id}', {
      params: { id: owner.id },
      body: { quota: { maxMemoryMb: 256 } },
    })
    expect(
      (await admin.call('PATCH /api/servers/{id}', { params: { id }, body: { memoryMb: 384 } }))
        .status,
    ).toBe(200)
    const grow = await admin.call('PATCH /api/servers/{id}', {
      params: { id },
      body: { memoryMb: 385 },
    })
    expect(grow).toMatchObject({
      status: 409,
      body: {
        detail: 'This would exceed the limit of 256 MiB of memory (384 in use, 1 requested)',
      },
    })
  })

  test('every number is shown with its origin', async () => {
    const admin = await lodge.admin()
    await admin.must('PUT /api/limits/defaults', { body: { maxServers: 7 } })
    const owner = await lodge.customer()
    await admin.must('PATCH /api/customers/{id}', {
      params: { id: owner.id },
      body: { quota: { maxDiskMb: 1000 } },
    })
    const { limits } = await owner.must('GET /api/limits/me')
    expect(limits.find((limit) => limit.key === 'maxServers')).toMatchObject({
      value: 7,
      used: 0,
      remaining: 7,
      origin: { label: 'default' },
    })
    expect(limits.find((limit) => limit.key === 'maxDiskMb')).toMatchObject({
      value: 1000,
      origin: { label: 'set by the host' },
    })
    await admin.must('PATCH /api/customers/{id}', {
      params: { id: owner.id },
      body: { quota: { maxDiskMb: null } },
    })
    const seen = await admin.must('GET /api/customers/{id}/limits', { params: { id: owner.id } })
    expect(seen.limits.find((limit) => limit.key === 'maxDiskMb')).toMatchObject({
      value: 'unlimited',
      origin: { label: 'default' },
    })
    await admin.must('PUT /api/limits/defaults', { body: {} })
  })
})

describe('self-service', () => {
  test('a customer creates only when it is enabled, for themselves, from released templates', async () => {
    const admin = await lodge.admin()
    const settings = await admin.must('GET /api/limits/settings')
    const owner = await lodge.customer()
    const body = { name: 'mine', templateId, start: false, ...size }
    expect(await owner.call('POST /api/me/servers', { body })).toMatchObject({
      status: 403,
      body: { code: 'grant_required' },
    })

    await admin.must('PUT /api/limits/settings', { body: { ...settings, selfService: 'everyone' } })
    const hidden = await lodge.template({ name: 'Hidden' }, false)
    expect(
      (await owner.call('POST /api/me/servers', { body: { ...body, templateId: hidden.id } }))
        .status,
    ).toBe(400)
    const { serverId: id } = await owner.must('POST /api/me/servers', { body })
    expect(await owner.must('GET /api/servers/{id}', { params: { id } })).toMatchObject({
      ownerId: owner.id,
      nodeId: node.id,
    })
    const options = await owner.must('GET /api/me/servers/options')
    expect(options.templates.map((one) => one.id)).toContain(templateId)
    expect(JSON.stringify(options)).not.toContain('command')
    await admin.must('PUT /api/limits/settings', { body: settings })
  })

  test('a deletion waits for the cooling-off period and can be undone until then', async () => {
    const owner = await lodge.customer()
    const id = await lodge.server({
      name: 'going',
      ownerId: owner.id,
      templateId,
      start: false,
      ...size,
    })
    const scheduled = await owner.must('DELETE /api/me/servers/{id}', { params: { id } })
    expect(scheduled.holds).toEqual([{ kind: 'deletion', cause: 'owner' }])
    expect(['deletion_scheduled', 'unknown']).toContain(scheduled.status)
    const hours = (Date.parse(scheduled.deleteAt ?? '') - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(71)
    const stranger = await lodge.customer()
    expect(
      (await stranger.call('POST /api/me/servers/{id}/restore', { params: { id } })).status,
    ).toBe(404)
    const restored = await owner.must('POST /api/me/servers/{id}/restore', { params: { id } })
    expect(restored).toMatchObject({ deleteAt: null, holds: [] })
  })
})

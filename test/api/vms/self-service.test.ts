import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteDue } from '../../../control-plane/src/domains/servers/lifecycle/self-service.ts'
import { type Caller, requestOf } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import {
  jobEnd,
  LINUX,
  machineNode,
  natNetwork,
  readyMedium,
  WINDOWS,
} from '../../support/vm-world.ts'
import { refusalOf } from '../support/refusal.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJlIGtpbmQgdG8geW91ciBuZWlnaGJvdXJz ada@desk'

let lodge: Lodge
let admin: Caller
let agent: RealAgent
let open: string
let closed: string
let image: string
let without: string

beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  const made = await machineNode(lodge, { location: 'Vienna' })
  agent = made.agent
  without = (await lodge.joinedNode({ location: 'Without machines' })).id
  closed = (await natNetwork(lodge)).id
  open = (await natNetwork(lodge)).id
  image = await readyMedium(lodge, 'qcow2')
  await release('profiles', LINUX)
  await release('networks', open)
  await serve('everyone')
})
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await lodge[Symbol.asyncDispose]()
})

const release = (what: 'profiles' | 'networks', id: string, customerVisible = true) =>
  admin.must(`PATCH /api/virtualization/${what}/{id}`, {
    params: { id },
    body: { enabled: true, customerVisible },
  })

async function serve(selfService: 'off' | 'everyone') {
  const settings = await admin.must('GET /api/limits/settings')
  await admin.must('PUT /api/limits/settings', { body: { ...settings, selfService } })
}

const limit = (customer: Caller, quota: object) =>
  admin.must('PATCH /api/customers/{id}', { params: { id: customer.id }, body: { quota } })

const wanted = (given: object = {}, vm: object = {}) => ({
  name: 'My machine',
  templateId: LINUX,
  memoryMb: 512,
  diskMb: 4096,
  start: false,
  vm: {
    vcpus: 1,
    source: { kind: 'image' as const, mediumId: image, seed: { sshKeys: [KEY] } },
    ...vm,
  },
  ...given,
})

const ask = (customer: Caller, given: object = {}, vm: object = {}) =>
  customer.call('POST /api/me/servers', { body: wanted(given, vm) })

async function refusal(customer: Caller, given: object = {}, vm: object = {}) {
  const body = wanted(given, vm)
  const answer = await customer.send(requestOf('POST /api/me/servers', { body }))
  return refusalOf(answer)
}

describe('a customer who may create servers', () => {
  test('sees what was released, and where nodes accept machines', async () => {
    const customer = await lodge.customer()
    await readyMedium(lodge, 'iso', 'Not offered any more')
    await lodge.database.pool.query(
      `update vm_media set enabled = false where name = 'Not offered any more'`,
    )
    const { machines } = await customer.must('GET /api/me/servers/options')
    expect(machines.profiles.map(({ id }) => id)).toEqual([LINUX])
    expect(machines.networks.map(({ id }) => id)).toEqual([open])
    expect(machines.media.map(({ id, url }) => [id, url])).toEqual([[image, null]])
    expect(machines).toMatchObject({ locations: ['Vienna'], available: true })
  })

  test('creates their own machine, in a released network even without naming one', async () => {
    const customer = await lodge.customer()
    const { serverId, jobId } = await customer.must('POST /api/me/servers', { body: wanted() })
    await jobEnd(customer, jobId, 'done')
    const vm = await customer.must('GET /api/servers/{id}/vm', { params: { id: serverId } })
    expect(vm).toMatchObject({ vcpus: 1, network: { id: open }, image: { id: image } })
    expect(vm).toMatchObject({ user: 'admin', hostname: 'my-machine' })
    const server = await customer.must('GET /api/servers/{id}', { params: { id: serverId } })
    expect(server).toMatchObject({ kind: 'vm', ownerId: customer.id, location: 'Vienna' })
    expect(agent.driver.runtime.machines.has(serverId)).toBe(true)
  })

  test.each([
    ['of hardware that was not released', { templateId: WINDOWS }, {}, '/templateId'],
    ['in a network that was not released', {}, () => ({ networkId: closed }), '/vm/networkId'],
    ['from a medium that is none', {}, { source: { kind: 'iso', mediumId: LINUX } }, '/vm/source'],
  ])('gets no machine %s', async (_, given, vm, pointer) => {
    const customer = await lodge.customer()
    const { errors } = await refusal(customer, given, typeof vm === 'function' ? vm() : vm)
    expect(errors?.[0]?.pointer).toContain(pointer)
  })

  test('can neither choose a node, an owner or a host port, nor force an exceeded limit', async () => {
    const customer = await lodge.customer()
    for (const given of [{ nodeId: LINUX }, { ownerId: LINUX }, { port: 25565 }, { force: true }])
      expect(await ask(customer, given)).toMatchObject({ status: 400 })
  })

  test('learns nothing about single nodes when no node can run the machine', async () => {
    const customer = await lodge.customer()
    const nowhere = await natNetwork(lodge, { nodeIds: [without] })
    await release('networks', nowhere.id)
    const { code, detail } = await refusal(customer, {}, { networkId: nowhere.id })
    expect(code).toBe('no_capacity')
    const { items } = await admin.must('GET /api/nodes')
    for (const { name } of items) expect(detail).not.toContain(name)
  })

  test('with many concurrent requests gets as many machines as the limit allows', async () => {
    const customer = await lodge.customer()
    // Additional disks count like the first one.
    await limit(customer, { maxDiskMb: 3 * 5120 + 100 })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask(customer, {}, { extraDisks: [{ sizeMb: 1024 }] })),
    )
    const refused = answers.filter(({ status }) => status !== 202)
    expect(refused).toHaveLength(5)
    for (const answer of refused)
      expect(answer).toMatchObject({
        status: 409,
        body: { code: 'limit_exceeded', limit: { name: 'maxDiskMb' } },
      })
    const { items } = await customer.must('GET /api/servers')
    expect(items).toHaveLength(3)
  })

  test.each([
    ['processors', { maxServerCpuPercent: 300 }, {}, { vcpus: 4 }, 'maxServerCpuPercent'],
    ['memory', { maxMemoryMb: 511 }, {}, {}, 'maxMemoryMb'],
    ['servers', { maxServers: 0 }, {}, {}, 'maxServers'],
  ])('gets no machine with more %s than the limit', async (_, limits, given, vm, name) => {
    const customer = await lodge.customer()
    await limit(customer, limits)
    expect(await ask(customer, given, vm)).toMatchObject({
      status: 409,
      body: { code: 'limit_exceeded', limit: { name } },
    })
  })

  test('gets no hardware that their limits do not allow', async () => {
    const customer = await lodge.customer()
    await limit(customer, { allowedTemplates: [WINDOWS] })
    expect(await ask(customer)).toMatchObject({ body: { code: 'not_allowed_by_limits' } })
    const { machines } = await customer.must('GET /api/me/servers/options')
    expect(machines.profiles).toEqual([])
  })

  test('deletes the machine after the cooling-off period, which releases its address and capacity', async () => {
    const customer = await lodge.customer()
    const { serverId: id, jobId } = await customer.must('POST /api/me/servers', { body: wanted() })
    await jobEnd(customer, jobId, 'done')
    await customer.must('DELETE /api/me/servers/{id}', { params: { id } })
    const restored = await customer.must('POST /api/me/servers/{id}/restore', { params: { id } })
    expect(restored).toMatchObject({ deleteAt: null, holds: [] })
    await customer.must('DELETE /api/me/servers/{id}', { params: { id } })
    await lodge.database.pool.query(`update servers set delete_at = now() where id = $1`, [id])
    await deleteDue(lodge.controlPlane.services)
    await until(async () => {
      const { status } = await customer.call('GET /api/servers/{id}', { params: { id } })
      return status === 404 && !agent.driver.runtime.machines.has(id)
    })
    const { rows } = await lodge.database.pool.query(
      'select 1 from vm_addresses where server_id = $1',
      [id],
    )
    expect(rows).toEqual([])
  })
})

describe('a customer who may not create servers', () => {
  test('gets no machine when the host denies the capability', async () => {
    const customer = await lodge.customer()
    await limit(customer, { mayCreateServers: false })
    expect(await ask(customer)).toMatchObject({ status: 403, body: { code: 'capability_denied' } })
  })

  test('gets no machine when self-service is off', async () => {
    await serve('off')
    expect(await ask(await lodge.customer())).toMatchObject({
      status: 403,
      body: { code: 'grant_required' },
    })
    await serve('everyone')
  })

  test('gets no hardware that is no longer released', async () => {
    await release('profiles', LINUX, false)
    const { errors } = await refusal(await lodge.customer())
    expect(errors).toEqual([{ pointer: '/templateId', detail: 'is not a hardware profile' }])
    await release('profiles', LINUX)
  })
})

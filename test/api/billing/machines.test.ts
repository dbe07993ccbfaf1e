import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceDue } from '../../../control-plane/src/domains/billing/advance.ts'
import { provisionDue } from '../../../control-plane/src/domains/billing/provision.ts'
import type { Caller } from '../../support/caller.ts'
import { until } from '../../support/until.ts'
import {
  LINUX,
  type MachineWorld,
  machineWorld,
  natNetwork,
  readyMedium,
} from '../../support/vm-world.ts'

let world: MachineWorld
let admin: Caller
let image: string
beforeAll(async () => {
  world = await machineWorld()
  admin = world.admin
  image = await readyMedium(world.lodge, 'qcow2', 'Debian')
})
afterAll(() => world[Symbol.asyncDispose]())

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJlIGtpbmQgdG8geW91ciBuZWlnaGJvdXJz ada@desk'
const MONTHLY = { cycle: 'monthly', amount: 1000, currency: 'EUR' } as const
const preset = (given: object = {}, vm: object = {}) => ({
  ...{ templateIds: [LINUX], memoryMb: 512, cpuPercent: 100, diskMb: 4096, locations: 'any' },
  vm: { mediaIds: [image], networkId: world.networkId, vcpus: 1, ...vm },
  ...given,
})
const planBody = (given: object = {}, vm: object = {}, more: object = {}) =>
  ({
    ...{ name: randomUUID(), kind: 'server', visibility: 'public', prices: [MONTHLY] },
    preset: preset(given, vm),
    ...more,
  }) as never
const makePlan = (given: object = {}, vm: object = {}, more: object = {}) =>
  admin.must('POST /api/plans', { body: planBody(given, vm, more) })
const server = (vm: object = {}) => ({
  name: 'shop',
  templateId: LINUX,
  vm: { mediumId: image, sshKeys: [KEY], password: 'a first password', ...vm },
})
const buy = (person: Caller, planId: string, given: object = server()) =>
  person.call('POST /api/store/checkout', {
    body: { planId, cycle: 'monthly', server: given } as never,
  })
const pay = (id: string | undefined, amount: number) =>
  admin.must('POST /api/billing/invoices/{id}/mark-paid', {
    params: { id: id ?? '' },
    body: { amount },
  })
const provision = () => provisionDue(world.lodge.controlPlane.services)
const subscriptionOf = async (person: Caller) => {
  const { subscriptions, invoices } = await person.must('GET /api/billing')
  return { ...subscriptions[0], open: invoices.find(({ status }) => status === 'open') }
}
const held = async () => {
  const { rows } = await world.lodge.database.pool.query<{ mb: number; servers: number }>(
    'select allocated_memory_mb as mb, allocated_servers as servers from nodes where id = $1',
    [world.node.id],
  )
  return rows[0] ?? { mb: 0, servers: 0 }
}

test.each([
  ['a template', () => [{ templateIds: [randomUUID()] }], '/preset/templateIds/0'],
  ['an unknown image', () => [{}, { mediaIds: [randomUUID()] }], '/preset/vm/mediaIds/0'],
  ['an unknown network', () => [{}, { networkId: randomUUID() }], '/preset/vm/networkId'],
  ['a disk below its image', () => [{ diskMb: 1024 }], '/preset/diskMb'],
  ['no image', () => [{}, { mediaIds: [] }], '/preset/vm/mediaIds'],
] as const)(
  'a plan with %s instead of what a machine needs is refused',
  async (_, given, pointer) => {
    const [size, vm] = given() as [object, object?]
    expect(await admin.call('POST /api/plans', { body: planBody(size, vm) })).toMatchObject({
      status: 400,
      body: { errors: expect.arrayContaining([expect.objectContaining({ pointer })]) },
    })
  },
)

test('a machine is bought, created, suspended, grown at its next start, and never shrunk', async () => {
  const before = await held()
  const small = await makePlan()
  const big = await makePlan(
    { memoryMb: 1024, cpuPercent: 200, diskMb: 8192 },
    { vcpus: 2 },
    { prices: [{ ...MONTHLY, amount: 2000 }] },
  )
  const shown = await world.lodge.anonymous().must('GET /api/store')
  expect(shown.items.find(({ id }) => id === small.id)).toMatchObject({
    templates: [{ id: LINUX }],
    media: [{ id: image, name: 'Debian', kind: 'qcow2' }],
    preset: { vm: { vcpus: 1 } },
  })
  const person = await world.lodge.customer()
  for (const [given, pointer] of [
    [{ ...server(), vm: undefined }, '/server/vm'],
    [server({ mediumId: randomUUID() }), '/server/vm/mediumId'],
    [server({ sshKeys: [], password: undefined }), '/server/vm/sshKeys'],
  ] as const)
    expect(await buy(person, small.id, given)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer }] },
    })
  expect(await held()).toEqual(before)
  expect((await buy(person, small.id)).status).toBe(201)
  const kept = { mb: before.mb + 512, servers: before.servers + 1 }
  expect(await held()).toEqual(kept)
  await pay((await subscriptionOf(person)).open?.id, 1000)
  // Either this call or the periodic task of the control plane creates it.
  await provision()
  const id = (await until(async () => (await subscriptionOf(person)).server?.id)) ?? ''
  expect(await held()).toEqual(kept)
  const path = { params: { id } }
  await until(async () => (await person.must('GET /api/servers/{id}', path)).status === 'running')
  const machine = () => person.must('GET /api/servers/{id}/vm', path)
  expect(await machine()).toMatchObject({
    ...{ vcpus: 1, memoryMb: 512, disks: [{ sizeMb: 4096 }], user: 'admin' },
    ...{ image: { name: 'Debian' }, network: { id: world.networkId } },
  })
  // Only the hash of the password is stored, and the order no longer contains it.
  const { rows } = await world.lodge.database.pool.query(
    `select machine ->> 'passwordHash' as former, seed ->> 'passwordHash' as hash
     from server_orders, machines where server_id = $1 and name = 'shop' and state = 'made'`,
    [id],
  )
  expect(rows).toEqual([{ former: null, hash: expect.stringMatching(/^\$6\$/) }])

  const { id: subscriptionId = '' } = await subscriptionOf(person)
  const preview = (planId: string) =>
    person.must('GET /api/billing/preview-change', {
      query: { subscriptionId, planId, cycle: 'monthly' },
    })
  expect(await preview(big.id)).toMatchObject({ mode: 'immediate', blocked: [] })
  const change = (planId: string) =>
    person.call('POST /api/billing/subscriptions/{id}/change', {
      params: { id: subscriptionId },
      body: { planId, cycle: 'monthly' },
    })
  expect((await change(big.id)).status).toBe(200)
  // The larger size is reserved while it is unpaid.
  expect(await held()).toEqual({ ...kept, mb: kept.mb + 512 })
  const { open } = await subscriptionOf(person)
  await pay(open?.id, open?.total ?? 0)
  await provision()
  await until(async () => (await machine()).vcpus === 2)
  expect(await held()).toEqual({ ...kept, mb: kept.mb + 512 })
  expect(await machine()).toMatchObject({ memoryMb: 1024, disks: [{ sizeMb: 8192 }] })
  await until(async () => (await person.must('GET /api/servers/{id}', path)).restartRequired)
  const running = world.agent.driver.runtime.machines.get(id)
  expect(running?.spec).toMatchObject({ vcpus: 1, memoryMb: 512 })
  await person.must('POST /api/servers/{id}/actions', { ...path, body: { action: 'restart' } })
  await until(() => {
    const spec = world.agent.driver.runtime.machines.get(id)?.spec
    return spec?.vcpus === 2 && spec.memoryMb === 1024 && spec.disks[0]?.sizeMb === 8192
  })

  expect((await preview(small.id)).blocked).toEqual(['disk_shrink'])
  expect(await change(small.id)).toMatchObject({
    body: { code: 'change_blocked', detail: expect.stringMatching(/can’t shrink/) },
  })
  const container = await makePlan({ templateIds: [randomUUID()], vm: undefined })
  expect((await preview(container.id)).blocked).toContain('workload')

  const { periodEnd } = await subscriptionOf(person)
  // Advances one day at a time, since each run does at most one dunning step.
  for (let day = -7; (await subscriptionOf(person)).status !== 'suspended'; day += 1) {
    expect(day).toBeLessThan(30)
    const now = new Date(Date.parse(periodEnd ?? '') + day * 86_400_000)
    await advanceDue(world.lodge.controlPlane.services, now)
  }
  await until(async () => (await person.must('GET /api/servers/{id}', path)).status === 'suspended')
})

test('no more machines are sold than a network has addresses, and other machines cannot take reserved ones', async () => {
  const network = await natNetwork(world.lodge, { size: 2 })
  const plan = await makePlan({}, { networkId: network.id })
  const people = await Promise.all(Array.from({ length: 4 }, () => world.lodge.customer()))
  const answers = await Promise.all(people.map((person) => buy(person, plan.id)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
  const machine = {
    ...{ name: 'other', ownerId: people[0]?.id ?? '', templateId: LINUX, memoryMb: 512 },
    vm: { vcpus: 1, networkId: network.id, source: { kind: 'empty' as const } },
  }
  expect(await admin.call('POST /api/servers', { body: machine })).toMatchObject({
    body: { code: 'no_capacity' },
  })
  const winner = answers.findIndex(({ status }) => status === 201)
  const { id } = (answers[winner]?.body ?? {}) as { id: string }
  await people[winner]?.must('DELETE /api/store/checkouts/{id}', { params: { id } })
  expect((await admin.call('POST /api/servers', { body: machine })).status).toBe(202)
})

import { isMachine, type MachineSpec } from '@lodge/shared/machine-spec.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { shareBackups } from '../../support/shared-backups.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { jobEnd, machineNode, natNetwork, readyMedium, WINDOWS } from '../../support/vm-world.ts'

let lodge: Lodge
let admin: Caller
let owner: Caller
let here: RealAgent
let there: RealAgent
let imageId: string
let networkId: string
beforeAll(async () => {
  lodge = await startLodge()
  const size = { cpuPercent: 25_600 }
  ;[here, there] = [
    (await machineNode(lodge, { ...size, name: 'here' })).agent,
    (await machineNode(lodge, { ...size, name: 'there' })).agent,
  ]
  shareBackups([here, there])
  networkId = (await natNetwork(lodge)).id
  imageId = await readyMedium(lodge, 'qcow2')
  admin = await lodge.admin()
  owner = await lodge.customer()
})
afterAll(async () => {
  for (const agent of [here, there]) await agent?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

/** A machine with UEFI, a TPM, a seed, two disks and a further port. */
async function makeMachine(given: { start?: boolean } = {}): Promise<string> {
  const { serverId: id, jobId } = await admin.must('POST /api/servers', {
    body: {
      name: 'Original',
      ownerId: owner.id,
      memoryMb: 4096,
      diskMb: 65_536,
      nodeId: here.nodeId,
      start: given.start ?? false,
      templateId: WINDOWS,
      vm: {
        vcpus: 2,
        networkId,
        extraDisks: [{ sizeMb: 1024 }],
        source: {
          kind: 'image',
          mediumId: imageId,
          seed: { hostname: 'original', user: 'guest', sshKeys: [], password: 'one long password' },
        },
      },
    },
  })
  await jobEnd(admin, jobId, 'done')
  await admin.must('POST /api/servers/{id}/ports', {
    params: { id },
    body: { container: 8080, protocol: 'both', label: 'web' },
  })
  for (const name of ['system', 'data1', 'firmware', 'tpm']) partsOf(here, id)?.set(name, 'first')
  return id
}
const partsOf = (agent: RealAgent, id: string) => agent.driver.runtime.machines.get(id)?.parts
const show = (id: string) => admin.must('GET /api/servers/{id}', { params: { id } })
const clone = (id: string, body: object = {}, caller = admin) =>
  caller.call('POST /api/servers/{id}/clone', { params: { id }, body: { name: 'Two', ...body } })
async function cloned(id: string, body: object) {
  const { body: made } = await clone(id, body)
  await jobEnd(admin, made.jobId, 'done')
  return made as { serverId: string; warnings: string[] }
}
const backupsOf = async (id: string) =>
  (await admin.must('GET /api/servers/{id}/backups', { params: { id }, query: {} })).items
async function specOf(id: string): Promise<MachineSpec> {
  const { rows } = await lodge.database.pool.query(
    'select desired_spec from servers where id = $1',
    [id],
  )
  const spec = rows[0]?.desired_spec
  if (!spec || !isMachine(spec)) throw new Error('no machine')
  return spec
}
const seedOf = ({ source }: MachineSpec) => (source.kind === 'image' ? source.seed : undefined)

test.each([
  ['the same node', () => here],
  ['another node', () => there],
])(
  'a clone of a machine on %s has its disks and firmware, an identity of its own, and is off',
  async (_, to) => {
    const id = await makeMachine()
    const { jobId } = await owner.must('POST /api/servers/{id}/vm/snapshots', {
      params: { id },
      body: { name: 'before' },
    })
    await jobEnd(owner, jobId, 'done')
    const { serverId: copy, warnings } = await cloned(id, {
      name: 'Web Two',
      includeData: true,
      nodeId: to().nodeId,
    })
    expect(warnings).toEqual([expect.stringContaining('recovery key')])
    expect(Object.fromEntries(partsOf(to(), copy) ?? [])).toEqual({
      ...{ system: 'first', data1: 'first', firmware: 'first' },
      // A copied TPM would give both the same secret identity.
      tpm: 'as new',
    })
    const [was, is] = [await specOf(id), await specOf(copy)]
    expect(is).toMatchObject({
      hostname: 'web-two',
      profile: was.profile,
      vcpus: was.vcpus,
      memoryMb: was.memoryMb,
      disks: was.disks,
      network: { name: was.network.name },
    })
    expect(seedOf(is)).toMatchObject({
      ...seedOf(was),
      ...{ instanceId: expect.anything(), hostname: 'web-two' },
    })
    for (const [a, b] of [
      [was.uuid, is.uuid],
      [was.network.mac, is.network.mac],
      [was.network.address, is.network.address],
      [seedOf(was)?.instanceId, seedOf(is)?.instanceId],
    ])
      expect(a).not.toBe(b)
    const params = { id: copy }
    const ports = (await admin.must('GET /api/servers/{id}/ports', { params })).items
    expect(ports).toMatchObject([
      { container: 22 },
      { container: 8080, protocol: 'both', label: 'web' },
    ])
    const [first, second] = ports.map(({ hostPort }) => hostPort)
    expect(is.natRules).toEqual([
      { protocol: 'tcp', hostPort: first, guestPort: 22 },
      { protocol: 'tcp', hostPort: second, guestPort: 8080 },
      { protocol: 'udp', hostPort: second, guestPort: 8080 },
    ])
    if (to() === here) expect(was.natRules.map(({ hostPort }) => hostPort)).not.toContain(first)
    expect(await show(copy)).toMatchObject({ status: 'stopped', holds: [], ownerId: owner.id })
    expect((await admin.must('GET /api/servers/{id}/vm', { params })).snapshots).toEqual([])
    expect(await backupsOf(id)).toEqual([])
    expect(await show(id)).toMatchObject({ holds: [], status: 'stopped' })
  },
)

test('a machine goes on running while it is cloned, and its clone may be started beside it', async () => {
  const id = await makeMachine({ start: true })
  await until(async () => (await show(id)).status === 'running')
  const { serverId: copy } = await cloned(id, { includeData: true, nodeId: here.nodeId })
  expect(await show(id)).toMatchObject({ status: 'running', holds: [] })
  const started = await admin.must('POST /api/servers/{id}/actions', {
    params: { id: copy },
    body: { action: 'start' },
  })
  await jobEnd(admin, started.jobId, 'done')
  expect(partsOf(here, copy)?.get('system')).toBe('first')
  for (const one of [id, copy]) expect(await show(one)).toMatchObject({ status: 'running' })
})

test('a clone of a backup of a machine has its disks, for another owner within their limits', async () => {
  const id = await makeMachine()
  const { jobId, backupId } = await owner.must('POST /api/servers/{id}/backups', {
    params: { id },
    body: {},
  })
  await jobEnd(owner, jobId, 'done')
  partsOf(here, id)?.set('system', 'second')
  const other = await lodge.customer()
  const { serverId: copy } = await cloned(id, {
    ...{ backupId, ownerId: other.id, nodeId: here.nodeId },
  })
  expect(partsOf(here, copy)?.get('system')).toBe('first')
  expect(await show(copy)).toMatchObject({ ownerId: other.id })
  expect(await backupsOf(id)).toMatchObject([{ id: backupId, state: 'good' }])
  // The backup is stored only on its own node.
  expect(await clone(id, { backupId, nodeId: there.nodeId })).toMatchObject({
    status: 409,
    body: { code: 'unsupported_on_node' },
  })
  const limited = async (quota: object) => {
    await admin.must('PATCH /api/customers/{id}', { params: { id: other.id }, body: { quota } })
    const to = { backupId, ownerId: other.id, nodeId: here.nodeId }
    return (await Promise.all([clone(id, to), clone(id, to)])).map(({ status, body }) => [
      status,
      'code' in body ? body.code : undefined,
    ])
  }
  const over = [409, 'limit_exceeded']
  expect(await limited({ maxServers: 2 })).toEqual(expect.arrayContaining([[202, undefined], over]))
  expect(await limited({ maxServers: 9, maxMemoryMb: 8192 })).toEqual([over, over])
  expect(await limited({ maxServers: 9, maxExtraPorts: 2 })).toEqual([over, over])
})

test('without disks a clone is installed anew, and hardware closed to new machines is refused', async () => {
  const id = await makeMachine()
  const builder = await lodge.limitedAdmin(['servers.view', 'servers.create'])
  expect(await clone(id, { includeData: true }, builder)).toMatchObject({
    status: 403,
    body: { code: 'permission_required' },
  })
  expect((await clone(id, {}, owner)).status).toBe(403)
  const { body } = await clone(id, { nodeId: here.nodeId }, builder)
  await jobEnd(admin, body.jobId, 'done')
  expect(body.warnings).toEqual([])
  expect(partsOf(here, body.serverId)?.get('data1')).toBe('empty')
  expect(partsOf(here, body.serverId)?.get('system')).not.toBe('first')
  const params = { id: WINDOWS }
  await admin.must('PATCH /api/virtualization/profiles/{id}', { params, body: { enabled: false } })
  expect(await clone(id)).toMatchObject({
    status: 409,
    body: { code: 'invalid_state', detail: expect.stringContaining('enable it first') },
  })
  await admin.must('PATCH /api/virtualization/profiles/{id}', { params, body: { enabled: true } })
})

test('a clone gets a network of its node if the original’s is not open there, and reports that', async () => {
  const id = await makeMachine()
  const params = { id: networkId }
  const open = (enabled: boolean) =>
    admin.must('PATCH /api/virtualization/networks/{id}', { params, body: { enabled } })
  const other = await natNetwork(lodge, { nodeIds: [there.nodeId], size: 1 })
  await open(false)
  const { serverId, warnings } = await cloned(id, { includeData: true, nodeId: there.nodeId })
  expect(warnings).toContainEqual(expect.stringContaining(other.name))
  expect((await specOf(serverId)).network.name).toBe(other.libvirtName)
  expect(await clone(id, { includeData: true, nodeId: there.nodeId })).toMatchObject({
    status: 409,
    body: { code: 'no_capacity', detail: expect.stringContaining('free address') },
  })
  await open(true)
})

test('a cancelled clone of a machine leaves no machine, address, port or backup', async () => {
  const id = await makeMachine()
  const facts = async () => {
    const { rows } = await lodge.database.pool.query(
      `select (select count(*) from machines) as machines, (select count(*) from vm_addresses) as addresses,
         (select count(*) from server_ports) as ports, (select count(*) from server_backups) as backups`,
    )
    return [rows, [...here.driver.runtime.machines.keys()]]
  }
  const before = await facts()
  const { body } = await clone(id, { includeData: true, nodeId: here.nodeId })
  await admin.must('POST /api/jobs/{id}/cancel', { params: { id: body.jobId } })
  await jobEnd(admin, body.jobId, 'cancelled')
  expect(await facts()).toEqual(before)
  await until(async () => (await show(id)).holds.length === 0)
})

import { isMachine } from '@lodge/shared/machine-spec.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import {
  jobEnd,
  LINUX,
  type MachineWorld,
  machineNode,
  machineWorld,
  makeVm,
  natNetwork,
  readyMedium,
  WINDOWS,
} from '../../support/vm-world.ts'

let world: MachineWorld
let lodge: Lodge
let agent: RealAgent
let nodeId: string
let networkId: string
let admin: Caller
let owner: Caller
beforeAll(async () => {
  world = await machineWorld()
  ;({ lodge, agent, admin, owner, networkId } = world)
  nodeId = world.node.id
})
afterAll(() => world?.[Symbol.asyncDispose]())

const machineOn = (id: string) => {
  const spec = agent.driver.runtime.servers.get(id)?.workload?.spec
  return spec && isMachine(spec) ? spec : undefined
}

async function act(id: string, action: 'start' | 'stop' | 'kill' | 'restart') {
  const { jobId } = await owner.must('POST /api/servers/{id}/actions', {
    params: { id },
    body: { action },
  })
  await jobEnd(owner, jobId, 'done')
}

describe('a virtual machine', () => {
  test('is created, placed, addressed and started, and its owner sees its details', async () => {
    const mediumId = await readyMedium(lodge, 'iso', 'Installer')
    const { id } = await makeVm(lodge, owner.id, { start: true, source: { kind: 'iso', mediumId } })
    const server = await owner.must('GET /api/servers/{id}', { params: { id } })
    expect(server).toMatchObject({
      kind: 'vm',
      status: 'running',
      templateId: null,
      templateName: 'Linux',
      memoryMb: 512,
      cpuPercent: 100,
      diskMb: 1024,
    })
    const vm = await owner.must('GET /api/servers/{id}/vm', { params: { id } })
    expect(vm).toMatchObject({
      vcpus: 1,
      hostname: 'machine',
      medium: { name: 'Installer', kind: 'iso' },
      disks: [{ id: 'system', sizeMb: 1024 }],
      storage: null,
      network: { id: networkId, mode: 'nat', gateway: expect.stringMatching(/\.1$/) },
      ports: [{ rules: [{ protocol: 'tcp', guestPort: 22, hostPort: server.port }] }],
      changeable: { now: false, why: 'The machine is running: stop it first' },
      bootWaitsFor: null,
    })
    expect(machineOn(id)).toMatchObject({
      uuid: vm.uuid,
      network: { address: vm.network.address, mac: vm.network.mac },
      medium: { kind: 'iso' },
      emulationAllowed: true,
    })
    const list = await owner.must('GET /api/servers')
    expect(list.items.find((item) => item.id === id)).toMatchObject({ kind: 'vm' })
    const { rows } = await lodge.database.pool.query(
      'select allowed from vm_boot_grants where server_id = $1',
      [id],
    )
    expect(rows).toContainEqual({ allowed: true })
    await act(id, 'stop')
    await act(id, 'start')
    await act(id, 'kill')
  })

  test('never shares its address, even if many are created concurrently', async () => {
    const small = await natNetwork(lodge, { size: 5 })
    const make = () =>
      admin.call('POST /api/servers', {
        body: {
          name: 'Many',
          ownerId: owner.id,
          memoryMb: 256,
          diskMb: 64,
          start: false,
          templateId: LINUX,
          vm: { networkId: small.id, vcpus: 1, source: { kind: 'empty' } },
        },
      })
    const answers = await Promise.all(Array.from({ length: 8 }, make))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3)
    const { rows } = await lodge.database.pool.query<{ n: number; d: number }>(
      'select count(*)::int n, count(distinct address)::int d from vm_addresses where network_id = $1',
      [small.id],
    )
    expect(rows[0]).toEqual({ n: 5, d: 5 })
    const one = answers.find(({ status }) => status === 202)!.body as { serverId: string }
    const { jobId } = (await admin.must('DELETE /api/servers/{id}', {
      params: { id: one.serverId },
    })) as { jobId: string }
    await jobEnd(admin, jobId, 'done')
    expect((await make()).status).toBe(202)
  })

  test.each([
    ['no such hardware', { templateId: crypto.randomUUID() }, '/templateId'],
    ['no such network', { vm: { networkId: crypto.randomUUID() } }, '/vm/networkId'],
    [
      'an unknown medium',
      { vm: { source: { kind: 'iso' as const, mediumId: crypto.randomUUID() } } },
      '/vm/source/mediumId',
    ],
    ['hardware that needs more', { templateId: WINDOWS }, '/memoryMb'],
  ])('is refused with %s', async (_what, change, pointer) => {
    const { status, body } = await admin.call('POST /api/servers', {
      body: {
        name: 'Refused',
        ownerId: owner.id,
        memoryMb: 256,
        diskMb: 64,
        templateId: LINUX,
        ...change,
        vm: { source: { kind: 'empty' }, ...('vm' in change ? change.vm : {}) },
      },
    })
    expect(status).toBe(400)
    const { errors } = body as unknown as { errors: { pointer: string }[] }
    expect(errors.map((error) => error.pointer)).toContain(pointer)
  })

  test('is refused with the reason of the requested node, even if others could run it', async () => {
    const { virtualization } = agent.driver.knobs
    const withoutTpm = await machineNode(
      lodge,
      { location: 'Elsewhere' },
      { virtualization: { ...virtualization, tpm: false } },
    )
    const { status, body } = await admin.call('POST /api/servers', {
      body: {
        name: 'Refused',
        ownerId: owner.id,
        nodeId: withoutTpm.node.id,
        memoryMb: 8192,
        diskMb: 70_000,
        templateId: WINDOWS,
        vm: { vcpus: 2, source: { kind: 'empty' } },
      },
    })
    expect(status).toBe(409)
    expect(body).toMatchObject({ code: 'no_capacity' })
    expect(body).toHaveProperty(
      'detail',
      expect.stringMatching(/^No node can run this virtual machine: .* has no swtpm for a TPM$/),
    )
    await withoutTpm.agent[Symbol.asyncDispose]()
  })

  test('a medium of the wrong kind is refused as such', async () => {
    const disk = await readyMedium(lodge, 'qcow2')
    const { status, body } = await admin.call('POST /api/servers', {
      body: {
        name: 'Refused',
        ownerId: owner.id,
        memoryMb: 256,
        diskMb: 64,
        templateId: LINUX,
        vm: { source: { kind: 'iso', mediumId: disk } },
      },
    })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain('is a disk image, not an installation medium')
  })

  test('from a cloud image has keys, user and a host name, and a disk as large as the image', async () => {
    const image = await readyMedium(lodge, 'qcow2', 'Debian')
    const seed = { user: 'ann', sshKeys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK ann'] }
    const body = {
      name: 'Ännes Kiste!',
      ownerId: owner.id,
      memoryMb: 256,
      diskMb: 4096,
      start: false,
      templateId: LINUX,
      vm: {
        source: { kind: 'image' as const, mediumId: image, seed },
      },
    }
    const small = await admin.call('POST /api/servers', { body: { ...body, diskMb: 1024 } })
    expect(small.status).toBe(400)
    expect(JSON.stringify(small.body)).toContain('must be 2048 at least')
    const { serverId: id, jobId } = await admin.must('POST /api/servers', { body })
    await jobEnd(admin, jobId, 'done')
    expect(machineOn(id)).toMatchObject({
      hostname: 'a-nnes-kiste',
      source: { kind: 'image', seed: { ...seed, hostname: 'a-nnes-kiste', passwordHash: null } },
    })
  })

  test('is either a machine or a container, and never both', async () => {
    const body = { name: 'X', ownerId: owner.id, memoryMb: 256 }
    const neither = await admin.call('POST /api/servers', { body: { ...body, templateId: LINUX } })
    expect(neither).toMatchObject({ status: 400, body: { errors: [{ pointer: '/templateId' }] } })
    const { id: templateId } = await lodge.template()
    const both = await admin.call('POST /api/servers', {
      body: { ...body, templateId, vm: { source: { kind: 'empty' } } },
    })
    expect(both).toMatchObject({ status: 400, body: { errors: [{ pointer: '/templateId' }] } })
    const { id } = await makeVm(lodge, owner.id)
    const startup = await owner.call('GET /api/servers/{id}/startup', { params: { id } })
    expect(startup).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  })
})

describe('a stopped machine', () => {
  test('gets other hardware within the limits of its owner, and a running one does not', async () => {
    const { id } = await makeVm(lodge, owner.id, { start: true })
    const change = (vcpus: number, memoryMb: number) =>
      owner.call('POST /api/servers/{id}/vm/resources', {
        params: { id },
        body: { vcpus, memoryMb },
      })
    expect(await change(2, 1024)).toMatchObject({
      status: 409,
      body: { code: 'invalid_state', detail: 'The machine is running: stop it first' },
    })
    await act(id, 'stop')
    const done = await change(2, 1024)
    expect(done.status).toBe(202)
    await jobEnd(owner, done.body.jobId, 'done')
    expect(machineOn(id)).toMatchObject({ vcpus: 2, memoryMb: 1024, cpuPercent: 200 })
    expect(await change(1, 16)).toMatchObject({ status: 400 })
    const node = await admin.must('GET /api/nodes/{id}', { params: { id: nodeId } })
    const { rows } = await lodge.database.pool.query<{ m: number; c: number; d: number }>(
      `select sum(memory_mb)::int m, sum(cpu_percent)::int c, sum(disk_mb + copies_disk_mb)::int d
       from servers where node_id = $1`,
      [nodeId],
    )
    expect(node.allocated).toMatchObject({
      memoryMb: rows[0]?.m,
      cpuPercent: rows[0]?.c,
      diskMb: rows[0]?.d,
    })
  })

  test('is not resized like a container, and may be renamed while it runs', async () => {
    const { id } = await makeVm(lodge, owner.id, { start: true })
    const edit = (body: object) => admin.call('PATCH /api/servers/{id}', { params: { id }, body })
    expect(await edit({ memoryMb: 1024 })).toMatchObject({ status: 409 })
    expect(await edit({ diskMb: 4096 })).toMatchObject({ status: 409 })
    expect(await edit({ name: 'Renamed', cpuPercent: 50 })).toMatchObject({ status: 200 })
    await until(() => machineOn(id)?.cpuPercent === 50)
    expect((await owner.must('GET /api/servers/{id}', { params: { id } })).status).toBe('running')
  })

  test('exceeds no limit by hardware, disks or snapshots', async () => {
    const bound = await lodge.customer()
    const { id } = await makeVm(lodge, bound.id)
    await lodge.database.pool.query('update users set quota = $2 where id = $1', [
      bound.id,
      { maxMemoryMb: 600, maxDiskMb: 1100, maxServerBackups: 0 },
    ])
    const memory = await bound.call('POST /api/servers/{id}/vm/resources', {
      params: { id },
      body: { vcpus: 1, memoryMb: 700 },
    })
    expect(memory).toMatchObject({
      status: 409,
      body: {
        code: 'limit_exceeded',
        detail: 'This would exceed the limit of 600 MiB of memory (512 in use, 188 requested)',
      },
    })
    const disk = await bound.call('POST /api/servers/{id}/vm/disks', {
      params: { id },
      body: { disks: [{ sizeMb: 100 }] },
    })
    expect(disk).toMatchObject({ status: 409, body: { code: 'limit_exceeded' } })
    const snapshot = await bound.call('POST /api/servers/{id}/vm/snapshots', {
      params: { id },
      body: { name: 'one' },
    })
    expect(snapshot).toMatchObject({ status: 409, body: { code: 'limit_exceeded' } })
  })

  test('gets more and larger disks, never smaller ones', async () => {
    const { id } = await makeVm(lodge, owner.id)
    const change = (disks: { id?: string; sizeMb?: number }[]) =>
      owner.call('POST /api/servers/{id}/vm/disks', { params: { id }, body: { disks } })
    const done = await change([{ id: 'system', sizeMb: 2048 }, { sizeMb: 512 }])
    expect(done.status).toBe(202)
    await jobEnd(owner, done.body.jobId, 'done')
    expect([...(agent.driver.runtime.machines.get(id)?.parts.keys() ?? [])]).toContain('data1')
    const server = await owner.must('GET /api/servers/{id}', { params: { id } })
    expect(server.diskMb).toBe(2560)
    expect(await change([{ id: 'system', sizeMb: 1024 }])).toMatchObject({ status: 400 })
    expect(await change([{ id: 'other', sizeMb: 1024 }])).toMatchObject({ status: 400 })
    const many = Array.from({ length: 7 }, () => ({ sizeMb: 1 }))
    expect(await change(many)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  test('reports a disk that its node could not create', async () => {
    const { id } = await makeVm(lodge, owner.id)
    const { DriverError } = await import('@lodge/driver/driver.ts')
    agent.driver.knobs.applyError = new DriverError('disk_full', 'The disk of the node is full.')
    const done = await owner.must('POST /api/servers/{id}/vm/disks', {
      params: { id },
      body: { disks: [{ sizeMb: 100 }] },
    })
    const job = await jobEnd(owner, done.jobId, 'failed')
    agent.driver.knobs.applyError = null
    expect(job.failure).toMatchObject({ code: 'disk_full' })
  })

  test('accepts and ejects a medium, and is reinstalled after a confirmation', async () => {
    const mediumId = await readyMedium(lodge, 'iso')
    const { id } = await makeVm(lodge, owner.id)
    const send = (body: object) =>
      owner.call('POST /api/servers/{id}/vm/installation', { params: { id }, body })
    const into = await send({ mediumId, bootOrder: ['cdrom', 'disk'] })
    await jobEnd(owner, into.body.jobId, 'done')
    expect(machineOn(id)).toMatchObject({ medium: { kind: 'iso' }, bootOrder: ['cdrom', 'disk'] })
    const parts = agent.driver.runtime.machines.get(id)!.parts
    parts.set('system', 'written to')
    expect(await send({ reinstall: true })).toMatchObject({
      status: 400,
      body: { code: 'confirmation_required' },
    })
    const again = await send({ reinstall: true, confirm: true, mediumId: null })
    await jobEnd(owner, again.body.jobId, 'done')
    expect(machineOn(id)?.medium).toBeNull()
    expect(agent.driver.runtime.machines.get(id)!.parts.get('system')).toBe('empty')
    agent.driver.runtime.machines.get(id)!.parts.set('system', 'written to again')
    const same = await send({ reinstall: true, confirm: true })
    await jobEnd(owner, same.body.jobId, 'done')
    expect(agent.driver.runtime.machines.get(id)!.parts.get('system')).toBe('empty')
    expect(await send({ mediumId: await readyMedium(lodge, 'qcow2') })).toMatchObject({
      status: 400,
    })
  })
})

describe('host ports', () => {
  test('lead where their owner says, at once, and only their own', async () => {
    const { id } = await makeVm(lodge, owner.id, { start: true })
    const extra = await owner.must('POST /api/servers/{id}/ports', {
      params: { id },
      body: { container: 80, protocol: 'tcp' },
    })
    await until(() => machineOn(id)?.natRules.some(({ guestPort }) => guestPort === 80))
    const rules = [{ protocol: 'udp' as const, hostPort: extra.hostPort, guestPort: 53 }]
    const vm = await owner.must('POST /api/servers/{id}/vm/network', {
      params: { id },
      body: { rules },
    })
    expect(vm.ports.find(({ hostPort }) => hostPort === extra.hostPort)?.rules).toEqual(rules)
    await until(() => machineOn(id)?.natRules.length === 1)
    expect(machineOn(id)?.natRules).toEqual(rules)
    const server = await owner.must('GET /api/servers/{id}', { params: { id } })
    expect(server.status).toBe('running')
    const foreign = await owner.call('POST /api/servers/{id}/vm/network', {
      params: { id },
      body: { rules: [{ protocol: 'tcp', hostPort: 29_999, guestPort: 1 }] },
    })
    expect(foreign).toMatchObject({ status: 400 })
    await owner.must('DELETE /api/servers/{id}/ports/{offset}', {
      params: { id, offset: String(extra.offset) },
    })
    await until(() => machineOn(id)?.natRules.length === 0)
  })
})

test('a container has none of these', async () => {
  const { id: templateId } = await lodge.template()
  const id = await lodge.server({ name: 'Box', ownerId: owner.id, templateId, start: false })
  expect(await owner.call('GET /api/servers/{id}/vm', { params: { id } })).toMatchObject({
    status: 409,
    body: { code: 'invalid_state' },
  })
})

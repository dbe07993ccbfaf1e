import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { HardwareReport } from '@lodge/shared/hardware.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contextFor } from '../../../control-plane/src/context.ts'
import { prepareLocalNode } from '../../../control-plane/src/domains/nodes/index.ts'
import { HELLO } from '../../../control-plane/src/fleet/fleet.fixture.ts'
import { startRealAgent } from '../../support/real-agent.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

const GIB = 2 ** 30
const DETECTED = { memoryMb: null, cpuPercent: null, diskMb: null }

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

const machine = (memoryGib: number, threads: number, diskGib: number): HardwareReport => ({
  cpu: { model: 'EPYC', threads, cores: threads / 2, sockets: 1, architecture: 'x64' },
  memoryBytes: memoryGib * GIB,
  swapBytes: 0,
  data: { path: '/var/lib/lodge-agent', sizeBytes: diskGib * GIB },
  disks: [{ name: 'nvme0n1', model: 'SAMSUNG', sizeBytes: diskGib * GIB, kind: 'ssd' }],
  interfaces: [],
  system: { name: 'Debian 12', kernel: '6.1', hostname: 'alpha', virtualized: false },
})

/** A node without a configured capacity, and the agent of its machine. */
async function bareNode() {
  const admin = await lodge.admin()
  const made = await admin.must('POST /api/nodes', {
    body: { name: `bare ${randomUUID().slice(0, 8)}`, location: 'Here', ...DETECTED },
  })
  const show = () => admin.must('GET /api/nodes/{id}', { params: { id: made.id } })
  const edit = (body: object) =>
    admin.must('PATCH /api/nodes/{id}', { params: { id: made.id }, body })
  return { admin, made, show, edit, params: { id: made.id } }
}

test('the capacity of a node that nobody set is what its agent reports', async () => {
  const { made, show, admin, params } = await bareNode()
  expect(made).toMatchObject({ memoryMb: 0, cpuPercent: 0, diskMb: 0, detected: null })
  await lodge.standIn(await lodge.joinAgain(made.id))
  expect(await show()).toMatchObject({
    memoryMb: 8192,
    cpuPercent: 400,
    // The rest of the disk is reserved for the system and images.
    diskMb: 92_160,
    headroomMb: 409,
    followed: ['memoryMb', 'cpuPercent', 'diskMb', 'headroomMb'],
    detected: { memoryMb: 8192, cpuPercent: 400, diskMb: 92_160 },
  })
  // The agent of these tests reports no hardware, like one of an earlier version.
  expect(await admin.must('GET /api/nodes/{id}/hardware', { params })).toMatchObject({
    hardware: null,
    engines: [{ kind: 'docker', healthy: true, version: '28' }],
  })
})

test('the agent reports the machine it runs on', async () => {
  const { made, show, admin, params } = await bareNode()
  await using _agent = await startRealAgent(lodge, await lodge.joinAgain(made.id))
  const { hardware, engines } = await until(async () => {
    const found = await admin.must('GET /api/nodes/{id}/hardware', { params })
    return found.hardware !== null && found
  })
  expect(engines).toMatchObject([{ kind: 'fake', healthy: true }])
  const { detected, memoryMb } = await show()
  expect(memoryMb).toBe(Math.floor((hardware?.memoryBytes ?? 0) / 2 ** 20))
  expect(detected?.cpuPercent).toBe((hardware?.cpu.threads ?? 0) * 100)
})

test('the node on the machine of the control plane is detected too, and leaves memory for it', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-local-'))
  await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
  const { services } = lodge.controlPlane
  await prepareLocalNode(contextFor(services, { kind: 'system' }), folder, '127.0.0.1:9')
  expect(await readFile(path.join(folder, 'local-node.join'), 'utf8')).not.toBe('')
  const admin = await lodge.admin()
  const { items } = await admin.must('GET /api/nodes')
  const { id = '', ...made } = items.find(({ name }) => name === 'local') ?? {}
  expect(made).toMatchObject({ memoryMb: 0, followed: expect.arrayContaining(['memoryMb']) })
  await lodge.standIn(await lodge.joinAgain(id))
  const show = () => admin.must('GET /api/nodes/{id}', { params: { id } })
  expect(await show()).toMatchObject({ memoryMb: 8192, cpuPercent: 400, headroomMb: 1638 })
  const edit = (body: object) => admin.must('PATCH /api/nodes/{id}', { params: { id }, body })
  expect(await edit({ memoryMb: 4000 })).toMatchObject({ memoryMb: 4000, headroomMb: 800 })
})

test('nothing is placed on a node before its capacity is known', async () => {
  const { admin, made } = await bareNode()
  const owner = await lodge.customer()
  const { id: templateId } = await lodge.template()
  const refused = await admin.call('POST /api/servers', {
    body: { name: 'Early', ownerId: owner.id, templateId, nodeId: made.id },
  })
  expect(refused.status).toBe(409)
})

test('capacity follows the machine when it grows, but not where an operator has set it', async () => {
  const { made, show, edit, admin, params } = await bareNode()
  const agent = await lodge.standIn(await lodge.joinAgain(made.id), {
    hardware: JSON.stringify(machine(8, 4, 100)),
  })
  expect(await edit({ cpuPercent: 800 })).toMatchObject({
    cpuPercent: 800,
    followed: ['memoryMb', 'diskMb', 'headroomMb'],
  })
  agent.line?.say({
    $case: 'heartbeat',
    value: {
      sequence: 1_000,
      drivers: HELLO.drivers,
      preflight: [],
      hardware: JSON.stringify(machine(16, 8, 200)),
    },
  })
  const grown = await until(async () => {
    const node = await show()
    return node.memoryMb === 16_384 && node
  })
  expect(grown).toMatchObject({ cpuPercent: 800, diskMb: 184_320, headroomMb: 819 })
  expect(grown.detected).toEqual({ memoryMb: 16_384, cpuPercent: 800, diskMb: 184_320 })
  expect(await admin.must('GET /api/nodes/{id}/hardware', { params })).toMatchObject({
    hardware: { disks: [{ name: 'nvme0n1', sizeBytes: 200 * GIB }] },
  })
})

test('null returns to the detected value immediately', async () => {
  const { made, edit } = await bareNode()
  await lodge.standIn(await lodge.joinAgain(made.id))
  expect(await edit({ memoryMb: 4096, headroomMb: 100 })).toMatchObject({
    memoryMb: 4096,
    headroomMb: 100,
    followed: ['cpuPercent', 'diskMb'],
  })
  expect(await edit({ memoryMb: null, headroomMb: null })).toMatchObject({
    memoryMb: 8192,
    headroomMb: 409,
    followed: ['memoryMb', 'cpuPercent', 'diskMb', 'headroomMb'],
  })
})

test('a node without an address of its own has the one its agent connects from', async () => {
  const { made, edit } = await bareNode()
  await lodge.standIn(await lodge.joinAgain(made.id))
  expect(await edit({ address: 'node.example.org' })).toMatchObject({ address: 'node.example.org' })
  expect(await edit({ address: null })).toMatchObject({ address: '127.0.0.1' })
})

test('an agent that reports nonsense changes no capacity', async () => {
  const { made, show } = await bareNode()
  await lodge.standIn(await lodge.joinAgain(made.id), {
    cpuCores: 0,
    memoryBytes: 2 ** 52,
    hardware: '{"cpu":',
  })
  expect(await show()).toMatchObject({ memoryMb: 0, detected: null })
})

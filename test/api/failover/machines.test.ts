import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import { LEASE_TIMES, scaledTimes } from '@lodge/shared/leases/times.ts'
import { GUARDS_MACHINES, HOLDS_LEASES } from '@lodge/shared/node-abilities.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { LeaseAgent } from '../../support/lease-agent.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { shareBackups } from '../../support/shared-backups.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import {
  connected,
  jobEnd,
  machineNode,
  makeVm,
  natNetwork,
  WINDOWS,
} from '../../support/vm-world.ts'
import { Gates } from '../moves/gates.ts'

/** The protocol with scaled times. Nodes that beat every five seconds are still heard. */
const TIMES = { ...scaledTimes(LEASE_TIMES, 0.05), suspectMs: LEASE_TIMES.suspectMs }
const TTL_MS = 2_000

let lodge: Lodge
let admin: Caller
/** Stores the backups, and runs no machines. */
let store: RealAgent
let lost: RealAgent
let spare: RealAgent
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  store = await startRealAgent(lodge, await lodge.joinedNode({ name: 'store' }))
  await connected(lodge, store.nodeId)
  lost = (await machineNode(lodge, { name: 'lost' })).agent
  spare = (await machineNode(lodge, { name: 'spare' })).agent
  shareBackups([store, lost, spare])
  const { s3: _, ...settings } = await admin.must('GET /api/settings/backups')
  await admin.must('PUT /api/settings/backups', {
    body: { ...settings, place: 'other-node', storageNodeIds: [store.nodeId], s3: null },
  })
})
afterAll(async () => {
  for (const agent of [store, lost, spare]) await agent?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const nodeOf = (agent: RealAgent) =>
  admin.must('GET /api/nodes/{id}', { params: { id: agent.nodeId } })
const partsOf = (agent: RealAgent, id: string) => agent.driver.runtime.machines.get(id)?.parts
const runsOn = (agent: RealAgent, id: string) =>
  agent.driver.runtime.servers.get(id)?.workload?.running ?? false
const show = (id: string) => admin.must('GET /api/servers/{id}', { params: { id } })
const status = () => admin.must('GET /api/failover/status')
async function act(id: string, action: 'start' | 'backup'): Promise<void> {
  const { jobId } = await admin.must('POST /api/servers/{id}/actions', {
    params: { id },
    body: { action },
  })
  await jobEnd(admin, jobId, 'done')
}
async function declareDead(): Promise<void> {
  const { jobId } = await admin.must('POST /api/failover/run', {
    body: { nodeId: lost.nodeId, confirm: 'lost' },
  })
  await jobEnd(admin, jobId, 'done')
}

test('a virtual machine of a node declared dead is restored from its backup, and never starts on that node again', async () => {
  const owner = await lodge.customer()
  const given = { nodeId: lost.nodeId, networkId: (await natNetwork(lodge)).id }
  // With firmware variables and a TPM.
  const { serverId: id, jobId: made } = await admin.must('POST /api/servers', {
    body: {
      ...{ name: 'Desktop', ownerId: owner.id, nodeId: lost.nodeId, templateId: WINDOWS },
      ...{ memoryMb: 4096, diskMb: 65_536, start: false },
      vm: { vcpus: 2, source: { kind: 'empty' }, networkId: given.networkId },
    },
  })
  await jobEnd(admin, made, 'done')
  const only = await natNetwork(lodge, { nodeIds: [lost.nodeId] })
  const bound = (await makeVm(lodge, owner.id, { nodeId: lost.nodeId, networkId: only.id })).id
  const bare = (await makeVm(lodge, owner.id, given)).id
  const params = { id }
  const snapshot = await admin.must('POST /api/servers/{id}/vm/snapshots', {
    params,
    body: { name: 'Before' },
  })
  await jobEnd(admin, snapshot.jobId, 'done')
  for (const name of ['system', 'firmware', 'tpm']) partsOf(lost, id)?.set(name, `first ${name}`)
  await act(id, 'start')
  for (const one of [id, bound]) await act(one, 'backup')
  for (const name of ['system', 'firmware', 'tpm']) partsOf(lost, id)?.set(name, `later ${name}`)
  const before = await admin.must('GET /api/servers/{id}/vm', { params })

  const plan = await admin.must('POST /api/failover/plan', { body: { nodeId: lost.nodeId } })
  const fates = new Map(plan.servers.map((one) => [one.serverId, one]))
  expect(fates.get(id)).toMatchObject({ target: { nodeName: 'spare' }, starts: true, why: null })
  expect(fates.get(bound)?.why).toContain(`${only.name} is not a network of spare`)
  expect(fates.get(bound)?.why).toMatch(/store .* virtual machines/)
  expect(fates.get(bare)?.why).toContain('no backup of it')

  await lost.close()
  await until(async () => (await nodeOf(lost)).state === 'offline')
  // A machine that cannot be restored stays as it was, and leaves nothing on the other node.
  const there = await nodeOf(spare)
  spare.driver.knobs.backupError = new DriverError('disk_full', 'Its disk is full.')
  await declareDead()
  expect((await status()).runs[0]?.servers).toMatchObject([{ serverId: id, state: 'failed' }])
  expect(await show(id)).toMatchObject({ nodeId: lost.nodeId, holds: [] })
  expect(partsOf(spare, id)).toBeUndefined()
  expect((await nodeOf(spare)).allocated).toEqual(there.allocated)

  spare.driver.knobs.backupError = null
  await declareDead()
  await until(async () => (await show(id)).status === 'running')
  expect(await show(id)).toMatchObject({ nodeId: spare.nodeId, holds: [] })
  expect(runsOn(spare, id)).toBe(true)
  expect(Object.fromEntries(partsOf(spare, id) ?? [])).toMatchObject({
    ...{ system: 'first system', firmware: 'first firmware', tpm: 'first tpm' },
  })
  const after = await admin.must('GET /api/servers/{id}/vm', { params })
  expect(after.network).toEqual(before.network)
  expect([before.snapshots.length, after.snapshots]).toEqual([1, []])
  expect((await nodeOf(lost)).allocated.servers).toBe(2)

  // The node was alive all the time: its copy stops, is stored for a week, and is deleted.
  expect(runsOn(lost, id)).toBe(true)
  await lost.connect()
  await until(async () => (await status()).copies.some(({ stoppedAt }) => stoppedAt !== null))
  expect(runsOn(lost, id)).toBe(false)
  expect(partsOf(lost, id)?.get('system')).toBe('later system')
  await lodge.database.pool.query(
    `update superseded_copies set stopped_at = stopped_at - interval '8 days'`,
  )
  await until(() => partsOf(lost, id) === undefined)
  expect(await show(id)).toMatchObject({ nodeId: spare.nodeId, status: 'running' })
  // On its new node, everything works as before.
  await act(id, 'backup')
})

test('what arrives on a node is kept although a former copy of the machine there is due to be deleted', async () => {
  await admin.must('POST /api/nodes/{id}/uncordon', { params: { id: lost.nodeId } })
  const owner = await lodge.customer()
  const networkId = (await natNetwork(lodge)).id
  const { id } = await makeVm(lodge, owner.id, { nodeId: spare.nodeId, networkId })
  const { knobs, runtime } = lost.driver
  knobs.copyDelayMs = 60_000
  const body = { nodeId: lost.nodeId }
  const { jobId } = await admin.must('POST /api/servers/{id}/migrate', { params: { id }, body })
  await until(() => runtime.imports.has(id))
  const { pool } = lodge.database
  const due = (serverId: string) =>
    pool.query(
      `insert into superseded_copies
         (server_id, node_id, server_name, kind, placement_generation, stopped_at)
       values ($1, $2, 'Left', 'vm', 1, now() - interval '8 days')`,
      [serverId, lost.nodeId],
    )
  const copyOf = async (serverId: string) => {
    const asked = 'select tries, deleted_at from superseded_copies where server_id = $1'
    return (await pool.query<{ tries: number; deleted_at: Date | null }>(asked, [serverId])).rows[0]
  }
  await due(id)
  const other = randomUUID()
  await due(other)
  await until(async () => (await copyOf(other))?.deleted_at)
  expect(await copyOf(id)).toEqual({ tries: 0, deleted_at: null })
  knobs.copyDelayMs = 0
  await admin.must('POST /api/jobs/{id}/cancel', { params: { id: jobId } })
  await jobEnd(admin, jobId, 'cancelled')
  await until(async () => (await copyOf(id))?.deleted_at)
})

test('a virtual machine that was moving away from a node declared dead is restored, although a person had cancelled the move', async () => {
  using gates = new Gates('vm.migrate')
  const owner = await lodge.customer()
  const { node, agent } = await machineNode(lodge, { name: 'leaving' })
  shareBackups([store, lost, spare, agent])
  const networkId = (await natNetwork(lodge)).id
  const { id } = await makeVm(lodge, owner.id, { nodeId: node.id, networkId })
  partsOf(agent, id)?.set('system', 'saved system')
  await act(id, 'backup')
  gates.before(id, 'Copy', async () => {
    await agent.close()
    await until(async () => (await nodeOf(agent)).state === 'offline')
  })
  const body = { nodeId: spare.nodeId }
  const { jobId } = await admin.must('POST /api/servers/{id}/migrate', { params: { id }, body })
  await until(async () => (await nodeOf(agent)).state === 'offline')
  await admin.must('POST /api/jobs/{id}/cancel', { params: { id: jobId } })
  await until(async () => {
    const waiting =
      'select from sagas where job_id = $1 and parked_node = $2 and rollback is not null'
    return (await lodge.database.pool.query(waiting, [jobId, node.id])).rows.length > 0
  })
  const run = await admin.must('POST /api/failover/run', {
    body: { nodeId: node.id, confirm: 'leaving' },
  })
  await jobEnd(admin, run.jobId, 'done')
  await jobEnd(admin, jobId, 'cancelled')
  const { nodeId, holds } = await show(id)
  const target = [lost, spare].find((one) => one.nodeId === nodeId)
  expect([target && partsOf(target, id)?.get('system'), holds]).toEqual(['saved system', []])
  await agent[Symbol.asyncDispose]()
})

test('a virtual machine fails over automatically only once its agent reports that it guards machines', async () => {
  Object.assign(lodge.controlPlane.services.fleet, { leaseTimes: TIMES })
  const owner = await lodge.customer()
  const { node, agent } = await machineNode(lodge)
  shareBackups([store, lost, spare, agent])
  const networkId = (await natNetwork(lodge)).id
  const { id } = await makeVm(lodge, owner.id, { nodeId: node.id, networkId, start: true })
  partsOf(agent, id)?.set('system', 'saved system')
  await act(id, 'backup')
  await agent[Symbol.asyncDispose]()
  await using leased = new LeaseAgent(lodge, node)
  await lodge.database.pool.query(
    'update nodes set lease_ttl_ms = $2, lease_longest_ttl_ms = $2 where id = $1',
    [node.id, TTL_MS],
  )
  const params = { id: node.id }
  const failover = () => admin.must('GET /api/nodes/{id}/failover', { params })
  const planned = async () => {
    const plan = await admin.must('POST /api/failover/plan', { body: { nodeId: node.id } })
    return plan.servers.find(({ serverId }) => serverId === id)?.failover
  }

  // An earlier agent: its node fails over automatically, but the machine runs on and waits.
  await leased.connect([HOLDS_LEASES]).next('desiredEnd')
  await admin.must('PUT /api/nodes/{id}/failover', { params, body: { mode: 'auto' } })
  const own = { params: { id }, body: { mode: 'auto' } } as const
  const refused = await admin.call('PUT /api/servers/{id}/failover', own)
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'unsupported_on_node' }])
  const whyNotAuto = expect.stringMatching(/too old to stop virtual machines .* update it/)
  // The plan says so, and what to do, also for the machine that only follows its node's mode.
  expect(await planned()).toMatchObject({
    ...{ own: null, mode: 'pinned', guarded: false, whyNotAuto, whyPinned: whyNotAuto },
  })
  await until(() => leased.leftMs > 0)
  expect(await failover()).toMatchObject({
    ...{ auto: 0, guarded: 0, unguarded: { machines: 1, why: whyNotAuto } },
  })
  const told = leased.desired.get(id)?.failover
  expect(told?.mode).toBe('pinned')

  // The newer agent learns from a newer revision that the machine runs under the lease.
  await leased.connect([HOLDS_LEASES, GUARDS_MACHINES]).next('desiredEnd')
  await until(async () => (await failover()).guarded === 1)
  const news = leased.desired.get(id)?.failover
  expect(news?.mode).toBe('auto')
  expect(news?.revision).toBeGreaterThan(told?.revision ?? 0)
  expect(await planned()).toMatchObject({
    ...{ mode: 'auto', guarded: true, whyNotAuto: null, whyPinned: null },
  })
  expect((await failover()).unguarded).toBeNull()
  expect(await admin.must('PUT /api/servers/{id}/failover', own)).toMatchObject({ own: 'auto' })
  await until(async () => (await failover()).guarded === 1)

  // Where nodes can be switched off, the machine may run on until that has happened.
  const stonith = { params: { id }, body: { mode: 'stonith' } } as const
  const { services } = lodge.controlPlane
  Object.assign(services, { fence: { ...services.fence, command: '/bin/false' } })
  expect(await admin.must('PUT /api/servers/{id}/failover', stonith)).toMatchObject({
    ...{ mode: 'stonith', guarded: false, whyNotStonith: null },
  })
  expect(await failover()).toMatchObject({ auto: 0, stonith: 1 })
  await until(() => leased.desired.get(id)?.failover?.mode === 'pinned')
  await admin.must('PUT /api/servers/{id}/failover', own)
  await until(async () => (await failover()).guarded === 1)

  // Back to the earlier agent: the confirmations of the other one are no longer valid.
  await leased.connect([HOLDS_LEASES]).next('desiredEnd')
  expect(await planned()).toMatchObject({ own: 'auto', mode: 'pinned', guarded: false })
  expect(leased.desired.get(id)?.failover?.mode).toBe('pinned')
  const line = leased.connect([HOLDS_LEASES, GUARDS_MACHINES])
  await line.next('desiredEnd')
  await until(async () => (await failover()).guarded === 1)

  // The machine runs under the lease, and its node is lost.
  await until(() => leased.leftMs > 0)
  leased.running.add(id)
  leased.isCutOff = true
  await until(async () => (await failover()).fencedAt !== null)
  expect(leased.leftMs).toBeLessThan(-TIMES.marginMs)
  expect(leased.running.size).toBe(0)
  await until(async () => (await show(id)).status === 'running')
  const { nodeId, holds } = await show(id)
  expect([nodeId === node.id, holds]).toEqual([false, []])
  const target = [lost, spare].find((one) => one.nodeId === nodeId)
  expect(target && partsOf(target, id)?.get('system')).toBe('saved system')
  expect((await status()).runs[0]).toMatchObject({ automatic: true, startedBy: null })

  await leased.connect([HOLDS_LEASES, GUARDS_MACHINES]).next('desiredEnd')
  leased.prove([])
  await until(async () => (await failover()).fencedAt === null)
  await until(async () =>
    (await status()).copies.some((copy) => copy.nodeId === node.id && copy.stoppedAt !== null),
  )
  expect(leased.desired.has(id) && leased.running.has(id)).toBe(false)

  if (target) await isSwitchedOffFirst(id, target)
})

/** On a node without leases it runs until the fence command has reported that the node is off. */
async function isSwitchedOffFirst(id: string, here: RealAgent): Promise<void> {
  const { pool } = lodge.database
  const { services } = lodge.controlPlane
  const there = here === spare ? lost : spare
  await admin.must('POST /api/nodes/{id}/uncordon', { params: { id: there.nodeId } })
  await pool.query('update nodes set lease_ttl_ms = $2, lease_longest_ttl_ms = $2 where id = $1', [
    here.nodeId,
    TTL_MS,
  ])
  await pool.query('delete from takeovers')
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-machines-'))
  try {
    const power = path.join(folder, 'power')
    const command = path.join(folder, 'fence')
    const calls = path.join(folder, 'calls')
    await writeFile(power, 'on')
    await writeFile(command, `#!/bin/sh\necho "$1" >> ${calls}\n[ "$1" = off ] || cat ${power}\n`, {
      mode: 0o755,
    })
    Object.assign(services, { fence: { ...services.fence, command, limitMs: 1_000 } })
    await admin.must('PUT /api/servers/{id}/failover', {
      params: { id },
      body: { mode: 'stonith' },
    })
    await here.close()
    const fencing = async () =>
      (await admin.must('GET /api/nodes/{id}/failover', { params: { id: here.nodeId } })).fencing
    // A fence command that reports success but then reports that the node is on moves nothing.
    await until(async () => (await fencing())?.failed?.includes('is said to be on still'))
    expect(await show(id)).toMatchObject({ nodeId: here.nodeId, holds: [] })
    expect(runsOn(there, id)).toBe(false)
    await writeFile(power, 'off')
    await pool.query('update fencings set try_at = now()')
    await until(async () => (await show(id)).status === 'running')
    expect(await show(id)).toMatchObject({ nodeId: there.nodeId, holds: [] })
    expect(partsOf(there, id)?.get('system')).toBe('saved system')
    expect(await fencing()).toMatchObject({ tries: 2, tryAt: null, failed: null })
    const asked = (await readFile(calls, 'utf8')).trim().split('\n')
    expect([asked[0], asked.filter((one) => one === 'off').length, asked.at(-1)]).toEqual([
      ...['off', 2, 'status'],
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

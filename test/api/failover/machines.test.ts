import { DriverError } from '@lodge/driver/driver.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
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

let lodge: Lodge
let admin: Caller
/** Keeps the backups, and runs no machines. */
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
}, 60_000)
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

test('a virtual machine of a node that is declared dead comes back from its backup, and never starts on that node again', async () => {
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
  // What cannot be brought back stays as it was, and leaves nothing on the other node.
  const there = await nodeOf(spare)
  spare.driver.knobs.backupError = new DriverError('copy_damaged', 'The backup is damaged.')
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

  // It was alive all the time: its copy stops, stays for a week, and goes.
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
  // Where it is now, it can do all that it could.
  await act(id, 'backup')
}, 90_000)

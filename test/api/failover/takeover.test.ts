import { randomUUID } from 'node:crypto'
import { LEASE_TIMES, scaledTimes, takeoverDelayMs } from '@lodge/shared/leases/times.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { LeaseAgent } from '../../support/lease-agent.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { shareBackups } from '../../support/shared-backups.ts'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { connected, jobEnd } from '../../support/vm-world.ts'

/** The protocol with scaled times. Nodes that beat every five seconds are still heard. */
const TIMES = { ...scaledTimes(LEASE_TIMES, 0.05), suspectMs: LEASE_TIMES.suspectMs }
const TTL_MS = 2_000

let lodge: Lodge
let admin: Caller
let owner: Caller
let templateId: string
let node: JoinedNode
/** Stores the backups, and takes over the servers. */
let store: RealAgent
let leased: LeaseAgent
/** With a backup, and without one. */
let saved: string
let bare: string
beforeAll(async () => {
  lodge = await startLodge()
  Object.assign(lodge.controlPlane.services.fleet, { leaseTimes: TIMES })
  admin = await lodge.admin()
  owner = await lodge.customer()
  templateId = (await lodge.template()).id
  store = await startRealAgent(lodge, await lodge.joinedNode({ name: 'store' }))
  const { s3: _, ...settings } = await admin.must('GET /api/settings/backups')
  await admin.must('PUT /api/settings/backups', {
    body: { ...settings, place: 'other-node', storageNodeIds: [store.nodeId], s3: null },
  })
  node = await lodge.joinedNode({ name: 'leased' })
  const before = await startRealAgent(lodge, node)
  shareBackups([store, before])
  for (const id of [store.nodeId, node.id]) await connected(lodge, id)
  saved = await makeServer('saved')
  bare = await makeServer('bare')
  before.driver.runtime.folders.set(before.driver.dataFolder(saved), 'saved files')
  const { jobId } = await admin.must('POST /api/servers/{id}/backups', {
    params: { id: saved },
    body: {},
  })
  await jobEnd(admin, jobId, 'done')
  await before[Symbol.asyncDispose]()
  leased = new LeaseAgent(lodge, node)
})
afterAll(async () => {
  await leased?.[Symbol.asyncDispose]()
  await store?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

async function makeServer(name: string): Promise<string> {
  const { serverId, jobId } = await admin.must('POST /api/servers', {
    body: { name, ownerId: owner.id, templateId, nodeId: node.id, start: true },
  })
  await jobEnd(admin, jobId, 'done')
  return serverId
}
const show = (id: string) => admin.must('GET /api/servers/{id}', { params: { id } })
const failover = () => admin.must('GET /api/nodes/{id}/failover', { params: { id: node.id } })
const choose = (mode: 'pinned' | 'auto') =>
  admin.call('PUT /api/nodes/{id}/failover', { params: { id: node.id }, body: { mode } })
const takeovers = async () =>
  (await lodge.database.pool.query('select epoch from takeovers')).rows.length

/** The response to the node when it requests to start a server. */
async function mayStart(id: string) {
  const { placementGeneration = 0 } = leased.desired.get(id) ?? {}
  const response = await lodge.anonymous().send({
    method: 'GET',
    url: `/api/agent/servers/${id}/vm-authorization`,
    query: {
      attempt: randomUUID(),
      generation: String(placementGeneration),
      epoch: String(leased.lease.epoch),
    },
    headers: { authorization: `Bearer ${node.credential}`, 'x-node-id': node.id },
  })
  return { status: response.statusCode, ...(JSON.parse(response.body) as { reasons?: string[] }) }
}

test('auto cannot be chosen for a node whose agent has no guard', async () => {
  const refused = await choose('auto')
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'unsupported_on_node' }])
  expect((await failover()).whyNotAuto).toContain('leased has no guard')
  const alone = await admin.call('PUT /api/servers/{id}/failover', {
    params: { id: saved },
    body: { mode: 'auto' },
  })
  expect([alone.status, alone.body]).toMatchObject([409, { code: 'unsupported_on_node' }])
  // Without a guard it gets no lease, even if it requests one.
  const line = leased.connect([])
  await line.heardCount('heartbeatAck', 2)
  expect(leased.lease.deadlineMs).toBeNull()
  line.close()
})

test('a silent node is taken over after its lease, its servers start elsewhere once, and it comes back without them', async () => {
  leased.running.add(saved).add(bare)
  await leased.connect().next('desiredEnd')
  await lodge.database.pool.query(
    'update nodes set lease_ttl_ms = $2, lease_longest_ttl_ms = $2 where id = $1',
    [node.id, TTL_MS],
  )
  expect((await choose('auto')).body).toMatchObject({ mode: 'auto', whyNotAuto: null })
  await until(async () => (await failover()).guarded === 2)
  await until(() => leased.leftMs > 0)
  expect(await show(saved)).toMatchObject({ nodeId: node.id })

  // While it is heard, nothing happens, even for longer than the delay.
  const delayMs = takeoverDelayMs(TIMES, TTL_MS)
  const heardFrom = performance.now()
  await until(() => performance.now() - heardFrom > delayMs)
  expect(await takeovers()).toBe(0)

  // It connects once more, and is lost before it has reported its servers.
  const line = leased.connect(undefined, false)
  await line.next('welcome')
  leased.isCutOff = true
  await until(async () => (await takeovers()) === 1)
  // The lease had ended, and the processes under it were dead, before another node could have started
  // them.
  expect(leased.leftMs).toBeLessThan(-TIMES.marginMs)
  expect(leased.running.size).toBe(0)
  await until(async () => (await show(saved)).status === 'running')
  expect(await show(saved)).toMatchObject({ nodeId: store.nodeId, holds: [] })
  const { driver } = store
  expect(driver.runtime.servers.get(saved)?.workload?.running).toBe(true)
  expect(driver.runtime.folders.get(driver.dataFolder(saved))).toBe('saved files')
  // A server that could not be restored stays, and waits for its node.
  expect(await show(bare)).toMatchObject({ nodeId: node.id })
  const { runs } = await admin.must('GET /api/failover/status')
  expect(runs).toMatchObject([{ nodeName: 'leased', automatic: true, startedBy: null }])
  expect(runs[0]?.servers).toMatchObject([{ serverId: saved, state: 'restored' }])
  const told = await admin.must('GET /api/notifications')
  expect(told.items.map(({ type }) => type)).toContain('failover.taken-over')

  // It reconnects: fenced, without a lease, and without a permit for its remaining servers.
  expect((await line.over).code).not.toBe(0)
  const { epoch } = leased.lease
  const back = leased.connect()
  expect(await back.next('welcome')).toMatchObject({ fenced: true, nodeEpoch: epoch + 1 })
  await back.next('desiredEnd')
  await back.heardCount('heartbeatAck', 3)
  expect(leased.leftMs).toBeLessThanOrEqual(0)
  expect((await mayStart(bare)).reasons).toContain('fenced')
  expect((await mayStart(saved)).status).toBe(404)
  leased.prove([bare])
  await back.heardCount('heartbeatAck', 6)
  expect((await failover()).fencedAt).not.toBeNull()
  leased.prove([])
  await back.next('rejoined')
  expect((await failover()).fencedAt).toBeNull()
  await until(() => leased.leftMs > 0)
  expect((await mayStart(bare)).reasons).toEqual([])

  // Its former copy is stopped permanently, and it takes no new servers until an operator has checked
  // it.
  await until(async () => {
    const { copies } = await admin.must('GET /api/failover/status')
    return copies.length === 1 && copies[0]?.stoppedAt !== null
  })
  expect(leased.copyWork).toEqual(['supersede'])
  const cordoned = await admin.must('GET /api/nodes/{id}', { params: { id: node.id } })
  expect(cordoned).toMatchObject({ cordoned: true, cordon: { because: 'failover' } })
  const open = await admin.must('POST /api/nodes/{id}/uncordon', { params: { id: node.id } })
  expect(open).toMatchObject({ cordoned: false, cordon: null })
  const again = await admin.must('POST /api/nodes/{id}/cordon', { params: { id: node.id } })
  expect(again.cordon?.because).toBe('person')
  expect(await takeovers()).toBe(1)
  expect(await show(saved)).toMatchObject({ nodeId: store.nodeId, status: 'running' })
})

test('a server that is pinned, or not confirmed to be guarded, is not taken over', async () => {
  const own = await admin.must('PUT /api/servers/{id}/failover', {
    params: { id: bare },
    body: { mode: 'pinned' },
  })
  expect(own).toMatchObject({ own: 'pinned', mode: 'pinned', guarded: false })
  await until(async () => (await failover()).auto === 0)
  leased.isCutOff = true
  const silentFrom = performance.now()
  await until(() => performance.now() - silentFrom > 2 * takeoverDelayMs(TIMES, TTL_MS))
  expect(await takeovers()).toBe(1)
})

test('leases can be extended before maintenance of the control plane, and count as outstanding until they end', async () => {
  const { pool } = lodge.database
  const body = { ttlSeconds: 900, minutes: 60 }
  const extend = () => admin.call('PUT /api/failover/lease-extension', { body })
  const own = (mode: 'pinned' | null) =>
    admin.must('PUT /api/servers/{id}/failover', { params: { id: bare }, body: { mode } })
  const extension = async () => (await admin.must('GET /api/failover/status')).extension
  await own('pinned')
  const refused = await extend()
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'conflict' }])
  await own(null)
  await leased.connect().next('desiredEnd')
  await until(async () => (await failover()).guarded === 1)
  // No earlier guard vouches for what an older agent without leases finds there.
  await leased.connect([], false).next('welcome')
  expect((await failover()).guarded).toBe(0)
  const line = leased.connect()
  await line.next('desiredEnd')
  await until(async () => (await failover()).guarded === 1)

  const begun = (await extend()).body
  expect(begun).toMatchObject({ extension: { ttlSeconds: 900, nodes: 1 } })
  await until(async () => (await extension())?.extended === 1)
  // The last heartbeat may be that old, and an agent may take that long to reconnect.
  const awayMs = 900_000 - TIMES.heartbeatMs - TIMES.returnMs
  expect((await extension())?.mayBeAwaySeconds).toBe(Math.floor(awayMs / 1000))
  await until(() => leased.leftMs > 800_000)
  expect(await failover()).toMatchObject({ ttlSeconds: TTL_MS / 1000 })
  expect((await failover()).takeoverAfterSeconds).toBeGreaterThan(900)
  const ended = await admin.must('DELETE /api/failover/lease-extension')
  expect(ended).toEqual({ extension: null })
  // Its agent is granted short leases again, and still has the long one.
  const heard = line.count('heartbeatAck')
  await line.heardCount('heartbeatAck', heard + 3)
  expect(leased.leftMs).toBeGreaterThan(800_000)
  expect((await failover()).takeoverAfterSeconds).toBeGreaterThan(900)

  // A node that joins meanwhile gets long ones too; they end automatically, and are waited for then.
  const longMs = 3_000
  await pool.query('update nodes set lease_longest_ttl_ms = lease_ttl_ms where id = $1', [node.id])
  await pool.query(
    `update failover_office set lease_extended_ttl_ms = $1, lease_extended_at = now(),
      lease_extended_until = now() + interval '1 hour'`,
    [longMs],
  )
  const row = async () =>
    (
      await pool.query(
        `select lease_extended_ttl_ms as extended, lease_longest_ttl_ms as longest from nodes
          where id = $1`,
        [node.id],
      )
    ).rows[0]
  await until(async () => (await row()).longest === longMs)
  expect(await row()).toEqual({ extended: longMs, longest: longMs })
  const endsMs = performance.now()
  await pool.query('update failover_office set lease_extended_until = now()')
  await until(async () => (await row()).extended === null)
  expect(await extension()).toBeNull()
  await until(async () => (await row()).longest === TTL_MS)
  expect(performance.now() - endsMs).toBeGreaterThan(takeoverDelayMs(TIMES, longMs))
})

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { startSharingNodes } from '../../support/sharing-nodes.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { jobEnd } from '../../support/vm-world.ts'
import { Gates } from '../moves/gates.ts'

const start = () => startSharingNodes({ name: 'alpha' }, { name: 'beta' })
let nodes: Awaited<ReturnType<typeof start>>
let lodge: Lodge
let admin: Caller
let owner: Caller
let alpha: RealAgent
let beta: RealAgent
let gates: Gates
beforeAll(async () => {
  nodes = await start()
  ;({ lodge, admin, owner } = nodes)
  ;[alpha, beta] = nodes.agents
  const { fleet } = lodge.controlPlane.services
  Object.assign(fleet, { leaseTimes: { ...fleet.leaseTimes, returnMs: 1_500 } })
  gates = new Gates('server.clone')
})
let named = 0
/** A name that no other clone has, not even one of an earlier attempt of the test. */
const newName = () => `Clone ${++named}`
afterEach(async () => {
  gates.restore()
  gates = new Gates('server.clone')
  alpha.driver.knobs.backupDelayMs = 0
  await lodge.database.pool.query('update nodes set fenced_at = null')
  for (const agent of [alpha, beta]) {
    await agent.connect()
    await until(async () => (await nodes.nodeOf(agent)).state !== 'offline')
    await admin.must('POST /api/nodes/{id}/uncordon', { params: { id: agent.nodeId } })
  }
})
afterAll(async () => {
  gates?.restore()
  await nodes?.[Symbol.asyncDispose]()
})

const serverIds = async () =>
  (await admin.must('GET /api/servers', { query: {} })).items.map(({ id }) => id).toSorted()
const copiesOf = async (id: string) =>
  (await admin.must('GET /api/failover/status')).copies.filter(({ serverId }) => serverId === id)
const noticesOf = async (caller: Caller, type: string, name: string) =>
  (await caller.must('GET /api/notifications')).items.filter(
    (one) => one.type === type && one.title.includes(name),
  )
async function lose(agent: RealAgent): Promise<void> {
  await agent.close()
  await until(async () => (await nodes.nodeOf(agent)).state === 'offline')
}
const awayFor = (agent: RealAgent, minutes: number) =>
  lodge.database.pool.query(
    `update nodes set last_seen_at = now() - $2 * interval '1 minute' where id = $1`,
    [agent.nodeId, minutes],
  )

const makeServer = (on: RealAgent) => nodes.makeServer(on, {}, () => 'files')
const clone = (id: string, name: string) =>
  admin.must('POST /api/servers/{id}/clone', {
    params: { id },
    body: { name, includeData: true, nodeId: beta.nodeId },
  })
/** Expects nothing left of the clone except what the lost node stores. */
async function expectNothing(
  original: string,
  before: { servers: string[]; node: unknown },
): Promise<void> {
  expect(await serverIds()).toEqual(before.servers)
  expect((await nodes.nodeOf(beta)).allocated).toEqual(before.node)
  await until(async () => (await nodes.show(original)).holds.length === 0)
}
/** The copy of the files may be stored on the lost node. */
const expectNoBackup = (original: string) =>
  until(async () => (await nodes.backupsOf(original)).length === 0)
const now = async () => ({ servers: await serverIds(), node: (await nodes.nodeOf(beta)).allocated })

test('a clone whose node is unreachable for longer than a boot takes is abandoned, and nothing is left', async () => {
  const id = await makeServer(alpha)
  const before = await now()
  // Lost before the clone is installed there.
  await lose(beta)
  await lodge.database.pool.query(
    `update nodes set session_id = gen_random_uuid(), last_seen_at = now() where id = $1`,
    [beta.nodeId],
  )
  const name = newName()
  const { serverId, jobId } = await clone(id, name)
  await lodge.database.pool.query('update nodes set session_id = null where id = $1', [beta.nodeId])
  await awayFor(beta, 9)
  // Not yet: the node may only be booting.
  await until(async () => {
    const { steps } = await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
    return steps.some(({ detail }) => detail === 'Waiting for the node to install it')
  })
  expect((await nodes.show(serverId)).holds).not.toEqual([])
  await awayFor(beta, 11)
  const { failure } = await jobEnd(admin, jobId, 'failed')
  expect(failure).toEqual({
    code: 'target_lost',
    detail:
      'beta was lost before the clone was complete, so nothing is left of it, and the original is as it was. Clone it to a node that is connected. beta deletes its part when it is back',
  })
  await expectNothing(id, before)
  expect(await noticesOf(owner, 'server.clone_given_up', name)).toHaveLength(1)
  expect(await noticesOf(admin, 'node.clone_given_up', name)).toHaveLength(1)
  await beta.connect()
  await expectNoBackup(id)
})

test('a clone whose node is declared dead while receiving files is abandoned, and deleted there later', async () => {
  const id = await makeServer(alpha)
  const before = await now()
  gates.beforeAny('Copy the files', async () => {
    await lose(beta)
    await lodge.database.pool.query('update nodes set fenced_at = now() where id = $1', [
      beta.nodeId,
    ])
  })
  const { serverId: cloned, jobId } = await clone(id, newName())
  expect((await jobEnd(admin, jobId, 'failed')).failure?.code).toBe('target_lost')
  await lodge.database.pool.query('update nodes set fenced_at = null where id = $1', [beta.nodeId])
  await expectNothing(id, before)
  expect(await copiesOf(cloned)).toMatchObject([{ nodeName: 'beta', partial: true }])
  expect(beta.driver.runtime.servers.has(cloned)).toBe(true)
  await beta.connect()
  await until(async () => (await copiesOf(cloned)).length === 0)
  expect(beta.driver.runtime.servers.has(cloned)).toBe(false)
  expect(beta.driver.runtime.folders.get(beta.driver.dataFolder(cloned))).toBeUndefined()
  await expectNoBackup(id)
})

test('a cancelled clone does not wait for its node either, once that counts as lost', async () => {
  const id = await makeServer(alpha)
  const before = await now()
  gates.beforeAny('Copy the files', () => lose(beta))
  const { jobId } = await clone(id, newName())
  await until(async () => (await nodes.nodeOf(beta)).state === 'offline')
  await admin.must('POST /api/jobs/{id}/cancel', { params: { id: jobId } })
  await awayFor(beta, 11)
  await jobEnd(admin, jobId, 'cancelled')
  await expectNothing(id, before)
  await beta.connect()
  await expectNoBackup(id)
})

test('a clone whose original is on a node lost before the files were copied is abandoned', async () => {
  const id = await makeServer(alpha)
  const before = await now()
  alpha.driver.knobs.backupDelayMs = 60_000
  const name = newName()
  const { jobId } = await clone(id, name)
  await until(async () => {
    const { steps } = await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
    return steps.some(({ name, state }) => name === 'Back up the original' && state === 'running')
  })
  await lose(alpha)
  alpha.driver.knobs.backupDelayMs = 0
  await awayFor(alpha, 11)
  expect((await jobEnd(admin, jobId, 'failed')).failure).toEqual({
    code: 'source_lost',
    detail:
      'alpha, which has the original, was lost before its files were copied, so nothing is left of the clone. Clone one of its backups, or wait until alpha is back',
  })
  await expectNothing(id, before)
  await alpha.connect()
  await expectNoBackup(id)
  expect(await noticesOf(owner, 'server.clone_given_up', name)).toHaveLength(1)
})

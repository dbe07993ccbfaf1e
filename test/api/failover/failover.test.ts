import { snapshotOf } from '@lodge/driver-fake/backup-store.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LostNodes, recoverFenced } from '../../../control-plane/src/domains/failover/recover.ts'
import type { Caller } from '../../support/caller.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { shareBackups, startSharingAgents } from '../../support/shared-backups.ts'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { connected, jobEnd } from '../../support/vm-world.ts'
import { Gates } from '../moves/gates.ts'

let lodge: Lodge
let admin: Caller
let owner: Caller
let templateId: string
/** Stores the backups, and is in the location of the lost node. */
let store: RealAgent
/** Has free capacity, in another location. */
let spare: RealAgent
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  owner = await lodge.customer()
  templateId = (await lodge.template()).id
  ;[store, spare] = await startSharingAgents(
    lodge,
    { name: 'store', memoryMb: 512 },
    { name: 'spare', location: 'There' },
  )
  await admin.must('PUT /api/settings/backups', {
    body: {
      ...(await settings()),
      place: 'other-node',
      storageNodeIds: [store.nodeId],
      s3: null,
    },
  })
})
afterAll(async () => {
  for (const agent of [store, spare]) await agent?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

async function settings() {
  const { s3: _, ...rest } = await admin.must('GET /api/settings/backups')
  return rest
}

async function start(node: JoinedNode): Promise<RealAgent> {
  const agent = await startRealAgent(lodge, node)
  shareBackups([store, agent])
  await connected(lodge, node.id)
  return agent
}

async function makeServer(on: RealAgent, name: string, body: object = {}): Promise<string> {
  const { serverId, jobId } = await admin.must('POST /api/servers', {
    body: { name, ownerId: owner.id, templateId, nodeId: on.nodeId, start: true, ...body },
  })
  await jobEnd(admin, jobId, 'done')
  return serverId
}
const write = (on: RealAgent, id: string, text: string) =>
  on.driver.runtime.folders.set(on.driver.dataFolder(id), text)
const filesOf = (on: RealAgent, id: string) =>
  on.driver.runtime.folders.get(on.driver.dataFolder(id))
const running = (on: RealAgent, id: string) =>
  on.driver.runtime.servers.get(id)?.workload?.running ?? false
const show = (id: string) => admin.must('GET /api/servers/{id}', { params: { id } })
const nodeOf = (id: string) => admin.must('GET /api/nodes/{id}', { params: { id } })
const status = () => admin.must('GET /api/failover/status')
const plan = (nodeId: string) => admin.must('POST /api/failover/plan', { body: { nodeId } })
const run = (nodeId: string, body: object = {}, caller = admin) =>
  caller.call('POST /api/failover/run', { body: { nodeId, confirm: 'lost', ...body } })

async function backUp(id: string): Promise<string> {
  const { jobId, backupId } = await admin.must('POST /api/servers/{id}/backups', {
    params: { id },
    body: {},
  })
  await jobEnd(admin, jobId, 'done')
  return backupId
}

test('a lost node’s servers are restored from their backups once, and its own copies never start again', async () => {
  const node = await lodge.joinedNode({ name: 'lost' })
  const lost = await start(node)
  const [on, suspended, bare, big, late] = [
    await makeServer(lost, 'on'),
    await makeServer(lost, 'suspended'),
    await makeServer(lost, 'bare'),
    await makeServer(lost, 'big', { memoryMb: 600 }),
    await makeServer(lost, 'late'),
  ]
  for (const id of [on, suspended, big, late]) {
    write(lost, id, `first of ${id}`)
    await backUp(id)
    write(lost, id, `later of ${id}`)
  }
  await admin.must('POST /api/servers/{id}/actions', {
    params: { id: suspended },
    body: { action: 'suspend' },
  })
  await until(
    async () => (await show(suspended)).status === 'suspended' && !running(lost, suspended),
  )

  // A connected node cannot be declared dead, but the consequences of its loss can be shown.
  const before = await plan(node.id)
  expect(before.whyNot).toContain('is connected')
  const fates = new Map(before.servers.map((one) => [one.serverId, one]))
  expect(fates.get(on)).toMatchObject({ starts: true, why: null, target: { nodeName: 'store' } })
  expect(fates.get(on)?.backup?.keptOn).toBe('store')
  // It does not fit into the location of the lost node.
  expect(fates.get(big)).toMatchObject({ starts: true, target: { nodeName: 'spare' } })
  expect(fates.get(suspended)).toMatchObject({
    starts: false,
    staysOff: 'It is suspended',
    why: null,
  })
  expect(fates.get(bare)).toMatchObject({ target: null, backup: null })
  expect(fates.get(bare)?.why).toContain('no backup of it')
  const standing = (await status()).nodes.find(({ id }) => id === node.id)
  expect(standing).toMatchObject({ servers: 5, unprotected: 1, state: 'online', mode: 'pinned' })
  const alive = await run(node.id)
  expect([alive.status, alive.body]).toMatchObject([409, { code: 'node_alive' }])

  // A backup that is under way when the node is lost is aborted.
  lost.driver.knobs.backupDelayMs = 60_000
  const { jobId: halfway } = await admin.must('POST /api/servers/{id}/backups', {
    params: { id: late },
    body: {},
  })
  await until(async () => (await show(late)).holds.length > 0)
  await lost.close()
  await until(async () => (await nodeOf(node.id)).state === 'offline')

  const unsure = await run(node.id, { confirm: 'los' })
  expect([unsure.status, unsure.body]).toMatchObject([400, { code: 'confirmation_required' }])
  expect((await nodeOf(node.id)).cordoned).toBe(false)
  for (const caller of [owner, await lodge.limitedAdmin(['nodes.view'])])
    expect((await run(node.id, {}, caller)).status).toBe(403)

  // Of several concurrent declarations that it is dead, one succeeds.
  const racers = await Promise.all(Array.from({ length: 5 }, () => run(node.id)))
  expect(racers.map((one) => one.status).toSorted()).toEqual([202, 409, 409, 409, 409])
  const jobId = racers.find((one) => one.status === 202)?.body.jobId ?? ''
  await jobEnd(admin, jobId, 'done')
  await jobEnd(admin, halfway, 'cancelled')

  for (const [id, at] of [
    [on, store],
    [late, store],
    [big, spare],
  ] as const) {
    await until(async () => (await show(id)).status === 'running')
    expect(await show(id)).toMatchObject({ nodeId: at.nodeId, holds: [] })
    expect([running(at, id), filesOf(at, id)]).toEqual([true, `first of ${id}`])
  }
  // Never started, although its owner wants it on.
  expect(await show(suspended)).toMatchObject({ nodeId: store.nodeId, status: 'suspended' })
  expect([running(store, suspended), filesOf(store, suspended)]).toEqual([
    false,
    `first of ${suspended}`,
  ])
  expect(await show(bare)).toMatchObject({ nodeId: node.id, holds: [] })
  const { runs, copies } = await status()
  expect(runs[0]).toMatchObject({ nodeName: 'lost', jobId })
  expect(runs[0]?.endedAt).not.toBeNull()
  expect(runs[0]?.servers.map(({ state }) => state)).toEqual(Array(4).fill('restored'))
  expect(copies.map(({ stoppedAt }) => stoppedAt)).toEqual(Array(4).fill(null))
  expect((await nodeOf(node.id)).allocated.servers).toBe(1)
  const told = await owner.must('GET /api/notifications')
  expect(told.items.filter(({ type }) => type === 'server.brought-back')).toHaveLength(4)
  expect(JSON.stringify(told)).not.toMatch(/store|spare/)
  // The server's page says so for a week.
  const returned = async () =>
    (await owner.must('GET /api/servers/{id}/return', { params: { id: on } })).returned
  expect(await returned()).toEqual({
    ...{ at: runs[0]?.startedAt, filesOf: fates.get(on)?.backup?.createdAt },
  })
  const { pool } = lodge.database
  await pool.query(`update failover_runs set started_at = started_at - interval '8 days'`)
  expect(await returned()).toBeNull()
  await pool.query(`update failover_runs set started_at = started_at + interval '8 days'`)

  // The node was alive all the time, and reconnects: it stops its own copies, and keeps their files.
  expect(running(lost, on)).toBe(true)
  await lost.connect()
  await until(() => [on, big, late].every((id) => !running(lost, id)))
  await until(async () => (await status()).copies.every(({ stoppedAt }) => stoppedAt !== null))
  expect(filesOf(lost, on)).toBe(`later of ${on}`)
  expect(running(lost, bare)).toBe(true)
  // An operator checks first why it was silent, and is notified.
  expect(await nodeOf(node.id)).toMatchObject({
    state: 'cordoned',
    cordon: { because: 'failover', since: expect.any(String) },
  })
  expect(await show(on)).toMatchObject({ nodeId: store.nodeId, status: 'running' })
  // Its agent does not start them either when it restarts without the panel.
  await lost.close()
  await lost.connect()
  await until(async () => (await nodeOf(node.id)).connectedSince !== null)
  expect([on, big, late].map((id) => running(lost, id))).toEqual([false, false, false])

  // After 7 days the copies are deleted; what runs elsewhere is unaffected.
  await lodge.database.pool.query(
    `update superseded_copies set stopped_at = stopped_at - interval '8 days'`,
  )
  await until(async () => (await status()).copies.length === 0)
  await until(() => filesOf(lost, on) === undefined)
  expect(await show(on)).toMatchObject({ nodeId: store.nodeId, status: 'running' })
  await lost[Symbol.asyncDispose]()
})

test('a server whose new node is lost too before it has started it is brought back once more, without delay', async () => {
  const [first, second] = [
    await start(await lodge.joinedNode({ name: 'first', location: 'Far' })),
    await start(await lodge.joinedNode({ name: 'second', location: 'Far' })),
  ]
  const id = await makeServer(first, 'twice')
  write(first, id, 'all of it')
  await backUp(id)
  const isAway = async (agent: RealAgent) => {
    await agent.close()
    await until(async () => (await nodeOf(agent.nodeId)).state === 'offline')
  }
  await isAway(first)
  second.driver.knobs.startDelayMs = 3_600_000
  const once = (await run(first.nodeId, { confirm: 'first' })).body
  await until(async () => (await show(id)).nodeId === second.nodeId)
  await until(async () => (await show(id)).status === 'starting')
  await isAway(second)
  const again = (await run(second.nodeId, { confirm: 'second' })).body
  for (const { jobId } of [once, again]) await jobEnd(admin, jobId, 'done')
  await until(async () => (await show(id)).status === 'running')
  expect(await show(id)).toMatchObject({ nodeId: spare.nodeId, holds: [] })
  expect(filesOf(spare, id)).toBe('all of it')
  for (const agent of [first, second]) await agent[Symbol.asyncDispose]()
})

test('damage that a lost node’s server is not restored for marks the backup, and its owner hears of it', async () => {
  const node = await lodge.joinedNode({ name: 'unlucky' })
  const lost = await start(node)
  const id = await makeServer(lost, 'hurt')
  const backupId = await backUp(id)
  for (const repository of store.driver.runtime.repositories.values())
    repository.delete(snapshotOf(backupId))
  await lost.close()
  await until(async () => (await nodeOf(node.id)).state === 'offline')
  const { body } = await run(node.id, { confirm: 'unlucky' })
  await jobEnd(admin, body.jobId, 'done')
  const { runs } = await status()
  expect(runs[0]?.servers).toMatchObject([{ serverId: id, state: 'failed' }])
  const { items } = await owner.must('GET /api/servers/{id}/backups', { params: { id }, query: {} })
  expect(items).toMatchObject([{ id: backupId, damaged: { detail: runs[0]?.servers[0]?.detail } }])
  await until(async () => {
    const told = await owner.must('GET /api/notifications')
    return told.items.some(({ type }) => type === 'backup.damaged')
  })
  await lost[Symbol.asyncDispose]()
})

test('servers that were moving away from a lost node are brought back, and no cancelled move waits for it', async () => {
  using gates = new Gates('server.migrate')
  const { pool } = lodge.database
  const node = await lodge.joinedNode({ name: 'leaving' })
  const lost = await start(node)
  const ids = [
    await makeServer(lost, 'automatic'),
    await makeServer(lost, 'cancelled'),
    await makeServer(lost, 'declared'),
  ] as const
  for (const id of ids) {
    write(lost, id, `first of ${id}`)
    await backUp(id)
  }
  const [automatic, cancelled, declared] = ids
  const bare = await makeServer(lost, 'bare')
  const isLost = Promise.withResolvers<void>()
  const copying = [cancelled, declared].map((id) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    gates.before(id, 'Copy while it goes on', () => {
      resolve()
      return isLost.promise
    })
    return promise
  })
  gates.before(automatic, 'Copy what has changed', async () => {
    await Promise.all(copying)
    await lost.close()
    await until(async () => (await nodeOf(node.id)).state === 'offline')
    isLost.resolve()
  })
  const moves = new Map<string, string>()
  for (const id of ids) {
    const body = { nodeId: spare.nodeId }
    const { jobId } = await admin.must('POST /api/servers/{id}/migrate', { params: { id }, body })
    moves.set(id, jobId)
  }
  const moveOf = (id: string) => moves.get(id) ?? ''
  const isWaiting = async (id: string, undoing: boolean) => {
    const asked = `select from sagas where job_id = $1 and parked_node = $2
      and (rollback is not null) = $3`
    return (await pool.query(asked, [moveOf(id), node.id, undoing])).rows.length > 0
  }
  await until(() => isWaiting(cancelled, false))
  await admin.must('POST /api/jobs/{id}/cancel', { params: { id: moveOf(cancelled) } })
  await until(() => isWaiting(cancelled, true))
  for (const id of [automatic, declared]) await until(() => isWaiting(id, false))
  const { servers } = await plan(node.id)
  expect(servers.map(({ serverName, why }) => [serverName, why])).toEqual([
    ['automatic', null],
    ['bare', 'There is no backup of it that outlives the node'],
    ['cancelled', null],
    ['declared', null],
  ])

  // Its node is taken over, and of the guarded servers there is at first one without a backup.
  const guard = (id: string) =>
    pool.query(
      `update servers set failover_mode = 'auto', failover_revision = 1, guarded_revision = 1
        where id = $1`,
      [id],
    )
  const known = new LostNodes()
  known.see([node.id], 0)
  const recover = (nowMs: number) => recoverFenced(lodge.controlPlane.services, known, nowMs)
  const told = async (type: string) =>
    (await admin.must('GET /api/notifications')).items
      .filter((one) => one.type === type && one.title.includes('leaving'))
      .map(({ title, body }) => `${title}: ${body}`)
  await guard(bare)
  await pool.query('update nodes set fenced_at = now() where id = $1', [node.id])
  for (const nowMs of [1e9, 2e9]) expect(await recover(nowMs)).toBe(0)
  await until(async () => (await told('failover.blocked')).length > 0)
  await guard(automatic)
  expect(await recover(3e9)).toBe(1)
  expect((await jobEnd(admin, moveOf(automatic), 'failed')).failure).toEqual({
    code: 'source_lost',
    detail: 'leaving was lost while the server moved away from it. Its page says where it is now',
  })
  await jobEnd(admin, moveOf(cancelled), 'cancelled')
  await until(async () => (await show(automatic)).status === 'running')
  await until(async () => (await told('failover.failed')).length > 0)
  expect(await recover(4e9)).toBe(0)
  expect(await told('failover.failed')).toEqual([
    'One server of leaving could not be brought back: One server brought back. The page of failover says why the others are not.',
  ])
  // Once is enough, as long as the node is not accepted again.
  expect(await told('failover.blocked')).toEqual([
    'One server of leaving cannot be brought back now: bare: There is no backup of it that outlives the node. As soon as that has changed, this is tried again by itself. The page of failover shows the reason for each server.',
  ])
  // The others wait for a person.
  for (const id of [cancelled, declared]) expect(await show(id)).toMatchObject({ nodeId: node.id })
  const { body } = await run(node.id, { confirm: 'leaving' })
  await jobEnd(admin, body.jobId, 'done')
  expect((await jobEnd(admin, moveOf(declared), 'failed')).failure?.code).toBe('source_lost')
  for (const id of ids) {
    await until(async () => (await show(id)).status === 'running')
    const { nodeId, holds } = await show(id)
    const at = [store, spare].find((one) => one.nodeId === nodeId)
    expect([at && filesOf(at, id), holds]).toEqual([`first of ${id}`, []])
  }
  await lost[Symbol.asyncDispose]()
})

import { DriverError } from '@lodge/driver/driver.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { shareBackups } from '../../support/shared-backups.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { connected, jobEnd, machineNode, makeVm, natNetwork } from '../../support/vm-world.ts'
import { Gates } from './gates.ts'

let lodge: Lodge
let admin: Caller
let owner: Caller
let templateId: string
let networkId: string
let alpha: RealAgent
/** Lost in each test. */
let beta: RealAgent
let gates: Gates
let waking: NodeJS.Timeout
beforeAll(async () => {
  lodge = await startLodge()
  const { fleet } = lodge.controlPlane.services
  Object.assign(fleet, { leaseTimes: { ...fleet.leaseTimes, returnMs: 1_500 } })
  const size = { cpuPercent: 25_600 }
  alpha = (await machineNode(lodge, { name: 'alpha', ...size })).agent
  beta = (await machineNode(lodge, { name: 'beta', ...size })).agent
  shareBackups([alpha, beta])
  admin = await lodge.admin()
  owner = await lodge.customer()
  templateId = (await lodge.template()).id
  networkId = (await natNetwork(lodge)).id
  gates = new Gates('server.migrate', 'vm.migrate')
  // Retries are due immediately: their backoff is tested elsewhere.
  waking = setInterval(() => {
    void lodge.database.pool
      .query('update job_dispatch set due_at = now() where worker is null and due_at > now()')
      .catch(() => undefined)
  }, 50)
})
afterEach(async () => {
  await beta.connect()
  await until(async () => (await nodeOf(beta)).connectedSince !== null)
  await admin.must('POST /api/nodes/{id}/uncordon', { params: { id: beta.nodeId } })
  await connected(lodge, beta.nodeId)
})
afterAll(async () => {
  clearInterval(waking)
  gates?.restore()
  for (const agent of [alpha, beta]) await agent?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const show = (id: string) => admin.must('GET /api/servers/{id}', { params: { id } })
const nodeOf = ({ nodeId }: RealAgent) =>
  admin.must('GET /api/nodes/{id}', { params: { id: nodeId } })
const copiesOf = async (id: string) =>
  (await admin.must('GET /api/failover/status')).copies.filter(({ serverId }) => serverId === id)
const running = (agent: RealAgent, id: string) =>
  agent.driver.runtime.servers.get(id)?.workload?.running ?? false
const isRunning = (id: string) => until(async () => (await show(id)).status === 'running')
const act = async (id: string, action: 'start' | 'stop') => {
  const params = { id }
  const { jobId } = await admin.must('POST /api/servers/{id}/actions', { params, body: { action } })
  await jobEnd(admin, jobId, 'done')
}
const declareDead = () =>
  admin.must('POST /api/failover/run', { body: { nodeId: beta.nodeId, confirm: 'beta' } })
async function lose(): Promise<void> {
  await beta.close()
  await until(async () => (await nodeOf(beta)).state === 'offline')
}

const textOf = (id: string) => `files of ${id}`

/** A kind of server, and what the two nodes store of it. */
interface Kind {
  readonly make: () => Promise<string>
  readonly contents: (agent: RealAgent, id: string) => unknown
}
const KINDS: Readonly<Record<'container' | 'machine', Kind>> = {
  container: {
    async make() {
      const { serverId, jobId } = await admin.must('POST /api/servers', {
        body: {
          ...{ name: 'One', ownerId: owner.id, templateId, nodeId: alpha.nodeId, start: true },
        },
      })
      await jobEnd(admin, jobId, 'done')
      alpha.driver.runtime.folders.set(alpha.driver.dataFolder(serverId), textOf(serverId))
      return serverId
    },
    contents: (agent, id) => agent.driver.runtime.folders.get(agent.driver.dataFolder(id)),
  },
  machine: {
    async make() {
      const { id } = await makeVm(lodge, owner.id, { nodeId: alpha.nodeId, networkId, start: true })
      alpha.driver.runtime.machines.get(id)?.parts.set('system', textOf(id))
      return id
    },
    contents: (agent, id) => agent.driver.runtime.machines.get(id)?.parts.get('system'),
  },
}

async function move(id: string): Promise<string> {
  const { jobId } = await owner.must('POST /api/servers/{id}/migrate', {
    params: { id },
    body: { nodeId: beta.nodeId, stop: true },
  })
  return jobId
}

/** Expects the server unchanged in its place, with nothing reserved for it on the other node. */
async function expectStayed(id: string, kind: Kind, before: { servers: number }): Promise<void> {
  await isRunning(id)
  expect(await show(id)).toMatchObject({ nodeId: alpha.nodeId, holds: [] })
  expect([running(alpha, id), running(beta, id)]).toEqual([true, false])
  expect(kind.contents(alpha, id)).toBe(textOf(id))
  expect((await nodeOf(beta)).allocated).toEqual(before)
  const { rows } = await lodge.database.pool.query(
    `select server_id from server_moves where server_id = $1
     union all select server_id from vm_moves where server_id = $1`,
    [id],
  )
  expect(rows).toEqual([])
}

/**
 * Expects, once the node is back, that nothing of the server starts there and that its files there
 * are deleted.
 */
async function expectGoneFromBeta(id: string, kind: Kind): Promise<void> {
  await beta.connect()
  await until(async () => (await copiesOf(id)).length === 0)
  expect(kind.contents(beta, id)).toBeUndefined()
  expect(running(beta, id)).toBe(false)
  expect(beta.driver.runtime.servers.get(id)?.workload).toBeUndefined()
  expect(running(alpha, id)).toBe(true)
  // Nothing is left of the copies to be transferred either, wherever they were stored.
  const { repositories } = alpha.driver.runtime
  await until(() =>
    [...repositories.values()].every((one) => ![...one.values()].includes(textOf(id))),
  )
  await until(async () => {
    const left = `select id from server_backups where state = 'deleting'`
    return (await lodge.database.pool.query(left)).rows.length === 0
  })
}

const noticesOf = async (caller: Caller, id: string, type: string) =>
  (await caller.must('GET /api/notifications')).items.filter(
    (one) => one.type === type && JSON.stringify(one).includes(id),
  )

const STEPS = {
  container: [
    'Prepare the place',
    'Copy while it goes on',
    'Stop',
    'Copy what has changed',
    'Change the place',
  ],
  machine: ['Stop', 'Back up', 'Read the disks', 'Copy', 'Change the place'],
} as const

/** The other steps differ in what was done before them, not in what has to be undone. */
const IN_EACH_RUN: ReadonlySet<string> = new Set([
  ...(['Prepare the place', 'Copy what has changed', 'Copy', 'Change the place'] as const),
])

describe.each(['container', 'machine'] as const)('the target of a %s that moves', (name) => {
  const kind = KINDS[name]

  const steps = STEPS[name].map(
    (step) => [step, { tags: IN_EACH_RUN.has(step) ? [] : ['long'] }] as const,
  )
  for (const [step, options] of steps)
    test(`is declared dead before “${step}”`, options, async () => {
      const id = await kind.make()
      const before = (await nodeOf(beta)).allocated
      // The worker dies after each undo, so that each is repeated.
      gates.killed.add(id)
      gates.before(id, step, async () => {
        await lose()
        const plan = await admin.must('POST /api/failover/plan', { body: { nodeId: beta.nodeId } })
        expect(plan.whyNot).toBeNull()
        expect(plan.moves.map(({ serverId }) => serverId)).toEqual([id])
        await declareDead()
      })
      const job = await jobEnd(admin, await move(id), 'failed')
      expect(job.failure?.code).toBe('target_lost')
      expect(job.failure?.detail).toMatch(
        /^beta was lost before .* it stays on alpha and can be used again\. Move it to a node/,
      )
      await expectStayed(id, kind, before)
      expect(await copiesOf(id)).toMatchObject([{ nodeName: 'beta', partial: true }])
      expect(await noticesOf(owner, id, 'server.move_given_up')).toHaveLength(1)
      expect(await noticesOf(admin, id, 'node.move_given_up')).toHaveLength(1)
      await expectGoneFromBeta(id, kind)
    })

  test.each([
    [
      'is away for longer than a machine takes to boot',
      `last_seen_at = now() - interval '11 minutes'`,
    ],
    ['is taken over after its lease', 'fenced_at = now()'],
  ])('%s', async (_, change) => {
    const id = await kind.make()
    const before = (await nodeOf(beta)).allocated
    gates.before(id, name === 'container' ? 'Prepare the place' : 'Copy', lose)
    const jobId = await move(id)
    await until(async () => {
      const { steps } = await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
      return steps.some(({ detail }) => detail === 'Waiting for the node')
    })
    // Not yet: the node may only be booting.
    await lodge.database.pool.query(
      `update nodes set last_seen_at = now() - interval '9 minutes' where id = $1`,
      [beta.nodeId],
    )
    expect((await show(id)).holds).not.toEqual([])
    await lodge.database.pool.query(`update nodes set ${change} where id = $1`, [beta.nodeId])
    const job = await jobEnd(admin, jobId, 'failed')
    await lodge.database.pool.query('update nodes set fenced_at = null where id = $1', [
      beta.nodeId,
    ])
    expect(job.failure?.code).toBe('target_lost')
    await expectStayed(id, kind, before)
    await expectGoneFromBeta(id, kind)
  })

  test('is lost while a cancelled move is rolled back', async () => {
    const id = await kind.make()
    const before = (await nodeOf(beta)).allocated
    let jobId = ''
    gates.before(id, name === 'container' ? 'Stop' : 'Change the place', async () => {
      await lose()
      await until(() => jobId !== '')
      await admin.must('POST /api/jobs/{id}/cancel', { params: { id: jobId } })
    })
    jobId = await move(id)
    await until(async () => {
      const { steps } = await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
      return steps.some(({ detail }) => detail?.startsWith('Undoing “'))
    })
    await declareDead()
    await jobEnd(admin, jobId, 'cancelled')
    await expectStayed(id, kind, before)
    await expectGoneFromBeta(id, kind)
  })

  test('returns, and can receive the server after it has deleted its part', async () => {
    const id = await kind.make()
    gates.before(id, name === 'container' ? 'Copy what has changed' : 'Copy', async () => {
      await lose()
      await declareDead()
    })
    await jobEnd(admin, await move(id), 'failed')
    await isRunning(id)
    await expectGoneFromBeta(id, kind)
    await admin.must('POST /api/nodes/{id}/uncordon', { params: { id: beta.nodeId } })
    await connected(lodge, beta.nodeId)
    await jobEnd(admin, await move(id), 'done')
    await isRunning(id)
    expect(kind.contents(beta, id)).toBe(textOf(id))
    expect([running(alpha, id), running(beta, id)]).toEqual([false, true])
    await act(id, 'stop')
  })
})

describe('a container that has just moved', () => {
  /** On the other node, but not started there yet. */
  async function unproven() {
    const id = await KINDS.container.make()
    beta.driver.knobs.startDelayMs = 60_000
    const jobId = await move(id)
    await until(async () => {
      const { steps } = await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
      return steps.some(({ name, state }) => name === 'Prove the new place' && state === 'running')
    })
    await until(async () => (await show(id)).holds.every(({ kind }) => kind !== 'migrating'))
    await lose()
    beta.driver.knobs.startDelayMs = 0
    return { id, jobId }
  }

  /** A server of the other node, with a backup on the first. */
  async function savedOnBeta() {
    const { s3: _, ...settings } = await admin.must('GET /api/settings/backups')
    await admin.must('PUT /api/settings/backups', {
      body: { ...settings, place: 'other-node', storageNodeIds: [alpha.nodeId], s3: null },
    })
    const made = await admin.must('POST /api/servers', {
      body: { name: 'Saved', ownerId: owner.id, templateId, nodeId: beta.nodeId, start: false },
    })
    await jobEnd(admin, made.jobId, 'done')
    const params = { id: made.serverId }
    const { jobId } = await admin.must('POST /api/servers/{id}/backups', { params, body: {} })
    await jobEnd(admin, jobId, 'done')
    return made.serverId
  }

  test('stays assigned to the other node however long that is unreachable, and runs nowhere else', async () => {
    const other = await KINDS.container.make()
    const isLost = Promise.withResolvers<void>()
    gates.before(other, 'Prepare the place', () => isLost.promise)
    const given = await move(other)
    const { id, jobId } = await unproven()
    await lodge.database.pool.query(
      `update nodes set last_seen_at = now() - interval '2 hours' where id = $1`,
      [beta.nodeId],
    )
    isLost.resolve()
    // The same check that abandons this one leaves the other alone.
    await jobEnd(admin, given, 'failed')
    expect(await show(id)).toMatchObject({ nodeId: beta.nodeId })
    expect(running(alpha, id)).toBe(false)
    await beta.connect()
    await jobEnd(admin, jobId, 'done')
    await isRunning(id)
    expect([running(alpha, id), running(beta, id)]).toEqual([false, true])
    await act(id, 'stop')
  })

  test('returns to its former copy when that node is declared dead, while that node’s own servers stay assigned', async () => {
    const before = (await nodeOf(beta)).allocated
    const other = await KINDS.container.make()
    const isLost = Promise.withResolvers<void>()
    gates.before(other, 'Prepare the place', () => isLost.promise)
    const given = await move(other)
    const saved = await savedOnBeta()
    const { id, jobId } = await unproven()
    gates.killed.add(id)
    isLost.resolve()
    beta.driver.runtime.folders.set(beta.driver.dataFolder(id), 'later files')
    const plan = await admin.must('POST /api/failover/plan', { body: { nodeId: beta.nodeId } })
    expect(plan.whyNot).toBeNull()
    expect(plan.servers.find(({ serverId }) => serverId === id)?.why).toBe(
      'It has just moved here, and goes back to alpha, which has its files from before',
    )
    // Including one that is moving there, and one that is being restored there.
    await jobEnd(admin, (await declareDead()).jobId, 'done')
    const job = await jobEnd(admin, jobId, 'failed')
    expect(job.failure).toMatchObject({ code: 'place_lost' })
    expect((await jobEnd(admin, given, 'failed')).failure).toMatchObject({ code: 'target_lost' })
    expect(await show(saved)).toMatchObject({ nodeId: alpha.nodeId })
    await expectStayed(id, KINDS.container, before)
    expect(await copiesOf(id)).toMatchObject([{ nodeName: 'beta', partial: false }])
    expect(await noticesOf(owner, id, 'server.move_given_up')).toHaveLength(1)
    await beta.connect()
    await until(async () => (await copiesOf(id))[0]?.stoppedAt !== null)
    expect([running(alpha, id), running(beta, id)]).toEqual([true, false])
    expect(KINDS.container.contents(beta, id)).toBe('later files')
    await act(id, 'stop')
  })
})

test('a target that is briefly silent when the copy fails does not count as lost', async () => {
  const kind = KINDS.container
  const id = await kind.make()
  const before = (await nodeOf(beta)).allocated
  gates.before(id, 'Copy while it goes on', async () => {
    await lose()
    alpha.driver.knobs.backupError = new DriverError('unsupported', 'It cannot be read.')
  })
  const job = await jobEnd(admin, await move(id), 'failed')
  alpha.driver.knobs.backupError = null
  expect(job.failure).toEqual({
    code: 'target_silent',
    detail:
      'beta stopped answering before it had all of the server, so it stays on alpha and can be used again. Move it again once beta is connected. beta deletes its part when it is back',
  })
  await expectStayed(id, kind, before)
  const [told] = await noticesOf(owner, id, 'server.move_given_up')
  expect(told?.body).toMatch(/^The machine it was moving to stopped answering\./)
  await expectGoneFromBeta(id, kind)
})

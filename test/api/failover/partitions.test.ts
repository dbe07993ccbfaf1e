import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { LEASE_TIMES, scaledTimes } from '@lodge/shared/leases/times.ts'
import { expect, test } from 'vitest'
import { type Guard, keepGuard } from '../../../agent/src/guard/keeper.ts'
import { createLog } from '../../../agent/src/log.ts'
import { FLEET_OPTIONS } from '../../../control-plane/src/fleet/options.ts'
import { seededRandom } from '../../leases/random.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { shareBackups } from '../../support/shared-backups.ts'
import { SilentLine } from '../../support/silent-line.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { letTick, ticksIn } from '../../support/ticking.ts'
import { until } from '../../support/until.ts'
import { connected, jobEnd } from '../../support/vm-world.ts'

const NODES = ['alpha', 'beta', 'gamma'] as const
const PARTITIONS = Number(process.env.LODGE_PARTITIONS ?? 100)
/** As short as a permit to boot allows. */
const TTL_MS = 6_000
const TIMES = {
  ...scaledTimes(LEASE_TIMES, 0.1),
  ...{ ttlMs: TTL_MS, suspectMs: LEASE_TIMES.suspectMs, limitWindowMs: 1_000, bootLeastMs: 300 },
  // As large as what a guard and its node may really need.
  marginMs: 3_000,
}
/** Agents are told how often they beat: more often than every lease needs. */
async function startQuickly(): Promise<Lodge> {
  const { heartbeatSeconds } = FLEET_OPTIONS
  Object.assign(FLEET_OPTIONS, { heartbeatSeconds: 1 })
  try {
    return await startLodge()
  } finally {
    Object.assign(FLEET_OPTIONS, { heartbeatSeconds })
  }
}

/** Guards are asked as often as ever. */
const AGENT_TIMES = { ...LEASE_TIMES, bootLeastMs: 300 }

const WAYS = [['out'], ['in'], ['out', 'in'], ['out', 'in']] as const
/** Whoever is not heard is taken over; whoever only hears nothing stops by itself, and is heard. */
const UNHEARD = ['out', 'in'] as const
/** Every so many cuts one lasts until the node was taken over, whatever its length by chance. */
const TAKEN_OVER_EVERY = 3

test(`servers under leases run nowhere twice while links are cut ${PARTITIONS} times`, {
  tags: 'long',
  timeout: 3_600_000,
}, async () => {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-partitions-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const lodge = stack.use(await startQuickly())
  const { pool } = lodge.database
  const { fleet } = lodge.controlPlane.services
  Object.assign(fleet, { leaseTimes: TIMES })
  const admin = await lodge.admin()
  const { id: templateId } = await lodge.template()
  const ticksOf = (serverId: string) => path.join(folder, serverId)

  const store = stack.use(await startRealAgent(lodge, await lodge.joinedNode({ name: 'store' })))
  const { s3: _, ...settings } = await admin.must('GET /api/settings/backups')
  await admin.must('PUT /api/settings/backups', {
    body: { ...settings, place: 'other-node', storageNodeIds: [store.nodeId], s3: null },
  })
  const lines: SilentLine[] = []
  const agents: RealAgent[] = []
  for (const name of NODES) {
    const places = {
      folder: path.join(folder, name),
      recordFile: path.join(folder, `${name}.jsonl`),
      ...{ scope: `test-${process.pid}-${name}`, prefix: undefined },
    }
    const guard: Guard = keepGuard(places, createLog('silent'))
    stack.defer(() => guard.end())
    await guard.known
    const line = stack.use(await SilentLine.open(fleet.port))
    const node = await lodge.joinedNode({ name })
    const options = { guard, leaseTimes: AGENT_TIMES, fleetAddress: line.address }
    const agent = stack.use(await startRealAgent(lodge, node, {}, {}, options))
    const ticking = letTick(agent.driver, name, ticksOf)
    stack.defer(() => ticking.close())
    // Its agent learns from the start how a guard finds the processes.
    await agent.close()
    await agent.connect()
    await connected(lodge, node.id)
    lines.push(line)
    agents.push(agent)
  }
  shareBackups([store, ...agents])
  await pool.query('update nodes set lease_ttl_ms = $1, lease_longest_ttl_ms = $1', [TTL_MS])
  // What only keeps backups takes no server.
  await admin.must('POST /api/nodes/{id}/cordon', { params: { id: store.nodeId } })
  const servers: string[] = []
  for (const { nodeId } of agents) {
    const { serverId, jobId } = await admin.must('POST /api/servers', {
      body: { name: `on ${nodeId}`, ownerId: admin.id, templateId, nodeId, start: true },
    })
    await jobEnd(admin, jobId, 'done')
    const params = { id: serverId }
    const backup = await admin.must('POST /api/servers/{id}/backups', { params, body: {} })
    await jobEnd(admin, backup.jobId, 'done')
    await admin.must('PUT /api/servers/{id}/failover', { params, body: { mode: 'auto' } })
    servers.push(serverId)
  }
  /** A person who lets nodes that are back take servers again, and has no use for former copies. */
  const tidy = async () => {
    await pool.query(
      'update nodes set cordoned = false where cordoned and fenced_at is null and id <> $1',
      [store.nodeId],
    )
    await pool.query(
      `update superseded_copies set superseded_at = now() - interval '8 days'
        where stopped_at is not null and superseded_at > now() - interval '1 day'`,
    )
  }
  const areGuarded = async () => {
    await tidy()
    const { nodes } = await admin.must('GET /api/failover/status')
    return nodes.reduce((sum, { guarded }) => sum + guarded, 0) === servers.length
  }
  await until(areGuarded, 30_000)

  const random = seededRandom(20)
  const takeovers = async (): Promise<number> => {
    const { rows } = await pool.query('select count(*)::int as count from takeovers')
    return rows[0].count
  }
  /** The line of the node that has the most servers now. */
  const busiest = async () => {
    const { nodes } = await admin.must('GET /api/failover/status')
    const [most] = nodes.toSorted((one, other) => other.guarded - one.guarded)
    return lines[agents.findIndex(({ nodeId }) => nodeId === most?.id)]
  }
  for (let cut = 0; cut < PARTITIONS; cut++) {
    const before = await takeovers()
    const isLong = cut % TAKEN_OVER_EVERY === 0
    const line = isLong ? await busiest() : lines[Math.floor(random() * lines.length)]
    line?.cut(isLong ? UNHEARD : (WAYS[Math.floor(random() * WAYS.length)] ?? []))
    // Shorter than a lease, or about as long, or until its servers are about to start elsewhere.
    if (isLong) await until(async () => (await takeovers()) > before, 60_000)
    await pause(isLong ? random() * 3_000 : 500 + random() * 12_000)
    line?.mend()
    await until(areGuarded, 90_000).catch(async (cause: unknown) => {
      const { stoppedBecause, nodes, runs, copies } = await admin.must('GET /api/failover/status')
      const stand = { stoppedBecause, nodes, runs: runs.slice(0, 3), copies: copies.slice(0, 3) }
      throw new Error(`after cut ${cut}: ${JSON.stringify(stand)}`, { cause })
    })
  }
  for (const id of servers)
    await until(async () => {
      const { status } = await admin.must('GET /api/servers/{id}', { params: { id } })
      return status === 'running'
    }, 60_000).catch(async (cause: unknown) => {
      const params = { id }
      const { status, nodeId, holds } = await admin.must('GET /api/servers/{id}', { params })
      const { items } = await admin.must('GET /api/servers/{id}/events', { params })
      const { nodes } = await admin.must('GET /api/failover/status')
      const stand = { status, nodeId, holds, events: items.slice(0, 6), nodes }
      throw new Error(`it does not run: ${JSON.stringify(stand)}`, { cause })
    })

  const runs = servers.map((id) => ticksIn(ticksOf(id)))
  for (const one of runs)
    for (const [at, run] of one.entries()) {
      const next = one[at + 1]
      if (next) expect(next.firstMs, `${run.node}, then ${next.node}`).toBeGreaterThan(run.lastMs)
    }
  const count = await takeovers()
  process.stdout.write(
    `${PARTITIONS} partitions: ${count} takeovers, ${runs.flat().length} runs, none twice\n`,
  )
  const atLeast = Math.ceil(PARTITIONS / TAKEN_OVER_EVERY)
  expect(count).toBeGreaterThanOrEqual(atLeast)
  expect(runs.flat().length).toBeGreaterThanOrEqual(servers.length + atLeast)
})

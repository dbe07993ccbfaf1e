import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { LEASE_TIMES, scaledTimes } from '@lodge/shared/leases/times.ts'
import { type Guard, keepGuard } from '../../../agent/src/guard/keeper.ts'
import type { GuardPlaces } from '../../../agent/src/guard/launch.ts'
import { createLog } from '../../../agent/src/log.ts'
import { FLEET_OPTIONS } from '../../../control-plane/src/fleet/options.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { shareBackups } from '../../support/shared-backups.ts'
import { SilentLine } from '../../support/silent-line.ts'
import { type Lodge, type LodgeOptions, startLodge } from '../../support/stack.ts'
import { letTick, type TickedRun, ticksIn } from '../../support/ticking.ts'
import { until } from '../../support/until.ts'
import { connected, jobEnd } from '../../support/vm-world.ts'

const NODES = ['alpha', 'beta', 'gamma'] as const
/** As short as a permit to boot allows, in ms. */
const TTL_MS = 6_000
/** The timing of the control planes. */
export const QUICK_TIMES = {
  ...scaledTimes(LEASE_TIMES, 0.1),
  ...{ ttlMs: TTL_MS, suspectMs: LEASE_TIMES.suspectMs, limitWindowMs: 1_000, bootLeastMs: 300 },
  // They check once a second, and later on a busy machine: with a shorter one coordination would pass
  // back and forth.
  coordinatorMs: 5_000,
  // As large as a guard and its node may really need.
  marginMs: 3_000,
}
/** Guards are polled at the usual interval. */
const AGENT_TIMES = { ...LEASE_TIMES, bootLeastMs: 300 }

/** The interval of heartbeats that agents are told: more often than every lease needs. */
export const QUICK_HEARTBEAT = { heartbeatSeconds: 1 }

/** A control plane in this process with these times. */
export async function startQuickly(options: LodgeOptions = {}): Promise<Lodge> {
  const { heartbeatSeconds } = FLEET_OPTIONS
  Object.assign(FLEET_OPTIONS, QUICK_HEARTBEAT)
  try {
    const lodge = await startLodge(options)
    Object.assign(lodge.controlPlane.services.fleet, { leaseTimes: QUICK_TIMES })
    return lodge
  } finally {
    Object.assign(FLEET_OPTIONS, { heartbeatSeconds })
  }
}

/** A node with the real agent and a guard in a process of its own. */
export interface GuardedNode {
  readonly id: string
  readonly agent: RealAgent
  /** The connection from its agent to a control plane. */
  readonly line: SilentLine
  readonly guard: GuardPlaces
}

/**
 * Three nodes under leases, each with a server whose process logs ticks, and a fourth one that stores
 * their backups.
 */
export interface GuardedFleet extends AsyncDisposable {
  readonly nodes: readonly GuardedNode[]
  readonly servers: readonly string[]
  /** The processes of a server, in the order in which they started. */
  runsOf(serverId: string): TickedRun[]
  /** Acts as an operator: lets nodes that are back take servers again, and deletes former copies. */
  tidy(): Promise<void>
  takeovers(): Promise<number>
}

/** @param portOf the target port of the agents' connections, called for each connection */
export async function guardedFleet(lodge: Lodge, portOf: () => number): Promise<GuardedFleet> {
  const stack = new AsyncDisposableStack()
  try {
    return await build(lodge, portOf, stack)
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

async function build(
  lodge: Lodge,
  portOf: () => number,
  stack: AsyncDisposableStack,
): Promise<GuardedFleet> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-guarded-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const { pool } = lodge.database
  const admin = await lodge.admin()
  const { id: templateId } = await lodge.template()
  const ticksOf = (serverId: string) => path.join(folder, serverId)

  const storeLine = stack.use(await SilentLine.open(portOf))
  const store = stack.use(
    await startRealAgent(...([lodge, await lodge.joinedNode({ name: 'store' }), {}, {}] as const), {
      fleetAddress: storeLine.address,
    }),
  )
  const { s3: _, ...settings } = await admin.must('GET /api/settings/backups')
  await admin.must('PUT /api/settings/backups', {
    body: { ...settings, place: 'other-node', storageNodeIds: [store.nodeId], s3: null },
  })
  const nodes: GuardedNode[] = []
  const agents: RealAgent[] = []
  for (const name of NODES) {
    const places = {
      folder: path.join(folder, name),
      recordFile: path.join(folder, `${name}.jsonl`),
      ...{ scope: `${path.basename(folder)}-${name}`, prefix: undefined },
    }
    const guard: Guard = keepGuard(places, createLog('silent'))
    stack.defer(() => guard.end())
    await guard.known
    const line = stack.use(await SilentLine.open(portOf))
    const node = await lodge.joinedNode({ name })
    // Before it may get its first lease: a longer one would hold on after the takeover.
    const leased = 'update nodes set lease_ttl_ms = $1, lease_longest_ttl_ms = $1 where id = $2'
    await pool.query(leased, [TTL_MS, node.id])
    const options = { guard, leaseTimes: AGENT_TIMES, fleetAddress: line.address }
    const agent = stack.use(await startRealAgent(lodge, node, {}, {}, options))
    const ticking = letTick(agent.driver, name, ticksOf)
    stack.defer(() => ticking.close())
    // Its agent is told from the start how a guard finds the processes.
    await agent.close()
    await agent.connect()
    await connected(lodge, node.id)
    nodes.push({ id: node.id, agent, line, guard: places })
    agents.push(agent)
  }
  shareBackups([store, ...agents])
  // A node that only stores backups takes no servers.
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
  await until(async () => {
    await tidy()
    return areGuarded((await admin.must('GET /api/failover/status')).nodes, servers)
  })
  return {
    nodes,
    servers,
    runsOf: (serverId) => ticksIn(ticksOf(serverId)),
    tidy,
    async takeovers() {
      const { rows } = await pool.query('select count(*)::int as count from takeovers')
      return rows[0].count
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

type Listed = {
  readonly id: string
  readonly guarded: number
  readonly state: string
  readonly fencedAt: string | null
}

/** Whether each of these servers is under the lease of a node that is up. */
export const areGuarded = (nodes: readonly Listed[], servers: readonly string[]): boolean =>
  nodes
    .filter(({ state, fencedAt }) => state !== 'offline' && fencedAt === null)
    .reduce((sum, { guarded }) => sum + guarded, 0) === servers.length

/** The node that has the most servers now. */
export function busiest(nodes: readonly Listed[], fleet: GuardedFleet): GuardedNode | undefined {
  const [most] = nodes.toSorted((one, other) => other.guarded - one.guarded)
  return fleet.nodes.find(({ id }) => id === most?.id)
}

/**
 * The overlaps of each two consecutive runs of a server: empty, unless it ran twice at the same time.
 */
export function runsTwice(fleet: GuardedFleet): string[] {
  return fleet.servers.flatMap((id) => {
    const runs = fleet.runsOf(id)
    return runs.flatMap((run, at) => {
      const next = runs[at + 1]
      return next && next.firstMs <= run.lastMs
        ? [`${id} on ${run.node} until ${run.lastMs}, on ${next.node} from ${next.firstMs}`]
        : []
    })
  })
}

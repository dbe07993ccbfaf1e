import type { Fencing, NodeFailover, ServerFailover } from '@lodge/shared/failover.ts'
import { isSurelyDead } from '@lodge/shared/leases/takeover.ts'
import { takeoverDelayMs } from '@lodge/shared/leases/times.ts'
import { whyNoLeases, whyNoMachineLeases } from '@lodge/shared/node-abilities.ts'
import type { Ctx } from '../../context.ts'
import type { NodeRow } from '../nodes/index.ts'
import {
  type FailoverStand,
  movableServers,
  type ServerRow,
  unguardedMachines,
} from '../servers/index.ts'
import { whyNoFence } from './fencing/fencer.ts'
import { fencingsOf } from './fencing/fencing-store.ts'
import type { FencingRow } from './tables.ts'

/** The failover settings of these nodes, and the resulting leases. */
export async function nodesFailover(
  ctx: Ctx,
  nodes: readonly NodeRow[],
): Promise<ReadonlyMap<string, NodeFailover>> {
  const ids = nodes.map(({ id }) => id)
  const byNode = Map.groupBy(await movableServers(ctx.db, ids), ({ nodeId }) => nodeId)
  const whyNotStonith = await whyNoFence(ctx)
  const fencings = await fencingsOf(ctx.db, ids)
  const unguarded = await unguardedMachines(ctx.db, ids)
  return new Map(
    nodes.map((node) => [
      node.id,
      {
        ...describe(ctx, node, byNode.get(node.id) ?? [], fencings.get(node.id)),
        unguarded: describeUnguarded(node, unguarded.get(node.id)),
        whyNotStonith,
      },
    ]),
  )
}

function describe(
  ctx: Ctx,
  node: NodeRow,
  movable: readonly FailoverStand[],
  fencing: FencingRow | undefined,
): Omit<NodeFailover, 'unguarded' | 'whyNotStonith'> {
  const { leaseTimes } = ctx.fleet
  const delayMs = takeoverDelayMs(leaseTimes, node.leaseLongestTtlMs)
  const auto = movable.filter(({ mode }) => mode === 'auto')
  const stonith = movable.length - auto.length
  const guarded = auto.filter((one) => isSurelyDead(one)).length
  const silentMs = node.lastSeenAt ? ctx.now.getTime() - node.lastSeenAt.getTime() : 0
  const isWaiting =
    (guarded > 0 || (stonith > 0 && !fencing)) &&
    node.fencedAt === null &&
    silentMs >= leaseTimes.suspectMs
  return {
    mode: node.failoverMode,
    since: node.failoverModeSince?.toISOString() ?? null,
    whyNotAuto: whyNoLeases(node) ?? null,
    ttlSeconds: node.leaseTtlMs / 1000,
    takeoverAfterSeconds: Math.ceil(delayMs / 1000),
    // For display only: the coordinator goes by its own clock and observations.
    takeoverAt:
      isWaiting && node.lastSeenAt
        ? new Date(node.lastSeenAt.getTime() + delayMs).toISOString()
        : null,
    fencedAt: node.fencedAt?.toISOString() ?? null,
    auto: auto.length,
    guarded,
    stonith,
    fencing: fencing ? describeFencing(fencing) : null,
  }
}

const describeUnguarded = (
  node: NodeRow,
  machines: number | undefined,
): NodeFailover['unguarded'] => {
  const why = whyNoMachineLeases(node)
  return machines !== undefined && why !== undefined ? { machines, why } : null
}

const describeFencing = (row: FencingRow): Fencing => ({
  askedAt: row.askedAt.toISOString(),
  tries: row.tries,
  offAt: row.offAt?.toISOString() ?? null,
  tryAt: row.tryAt?.toISOString() ?? null,
  failed: row.failure?.detail ?? null,
})

/** The failover settings of one server. */
export const serverFailover = (
  whyNotStonith: string | null,
  server: Pick<ServerRow, 'kind' | 'failoverMode' | 'failoverRevision' | 'guardedRevision'>,
  node: NodeRow,
): ServerFailover => {
  const chosen = server.failoverMode ?? node.failoverMode
  const whyNotAuto = whyNotGuarded(server, node)
  // As in `MODE_IN_FORCE`.
  const whyPinned = server.kind === 'vm' && chosen === 'auto' ? whyNotAuto : undefined
  const mode = whyPinned === undefined ? chosen : 'pinned'
  return {
    own: server.failoverMode,
    mode,
    whyPinned: whyPinned ?? null,
    guarded: isSurelyDead({
      mode,
      revision: server.failoverRevision,
      guardedRevision: server.guardedRevision,
    }),
    whyNotAuto: whyNotAuto ?? null,
    whyNotStonith,
  }
}

/** Why its node cannot stop a server on its own; undefined if it can. */
export const whyNotGuarded = ({ kind }: Pick<ServerRow, 'kind'>, node: NodeRow) =>
  kind === 'vm' ? whyNoMachineLeases(node) : whyNoLeases(node)

import type { ExtendLeases, LeaseExtension } from '@lodge/shared/failover.ts'
import { type Ctx, contextFor } from '../../context.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { extendLeases, isOnline, joinedNodes, type NodeRow } from '../nodes/index.ts'
import { movableServers } from '../servers/index.ts'
import { type Extension, readExtension, saveExtension } from './office-store.ts'

/**
 * Extends the leases of all nodes for a while, so that no node stops its servers during maintenance
 * of the control planes. A node that is lost meanwhile, or soon after, is taken over later.
 * @throws {Problem} conflict
 */
export async function extendAll(ctx: Ctx, { ttlSeconds, minutes }: ExtendLeases): Promise<void> {
  const ttlMs = ttlSeconds * 1000
  await ctx.transaction(async (ctx) => {
    const nodes = await joinedNodes(ctx.db)
    if ((await nodesUnderLease(ctx, nodes)).length === 0)
      throw new Problem(
        'conflict',
        'No server fails over by itself, so none stops while the control plane is away: just do your work',
      )
    await saveExtension(ctx.db, { ttlMs, minutes })
    // Granted leases change together with the row, so that no lease is longer than the row says.
    await extendLeases(ctx.db, ttlMs)
  })
}

/**
 * Ends the extension: leases are as each node has them again. Long leases that nodes hold run until
 * they end.
 */
export async function endExtension(ctx: Ctx): Promise<void> {
  await ctx.transaction(async (ctx) => {
    await saveExtension(ctx.db, null)
    await extendLeases(ctx.db, null)
  })
}

/**
 * Ends the extension when its time is over, and extends the leases of nodes that have joined since.
 */
export async function keepExtension(services: Services): Promise<void> {
  if (!(await readExtension(services.db))) return
  const ctx = contextFor(services, { kind: 'system' } as const)
  await ctx.transaction(async (ctx) => {
    // An operator may end it concurrently.
    const extension = await readExtension(ctx.db, 'locked')
    if (extension?.isOver) await endExtension(ctx)
    else if (extension) await extendLeases(ctx.db, extension.ttlMs)
  })
}

export async function leaseExtension(ctx: Ctx): Promise<LeaseExtension | null> {
  const extension = await readExtension(ctx.db)
  return extension ? describe(ctx, extension, await joinedNodes(ctx.db)) : null
}

/** Nodes that stop servers when their lease ends. */
async function nodesUnderLease(ctx: Ctx, nodes: readonly NodeRow[]): Promise<NodeRow[]> {
  const movable = await movableServers(
    ctx.db,
    nodes.map(({ id }) => id),
  )
  const ids = new Set(movable.filter(({ mode }) => mode === 'auto').map(({ nodeId }) => nodeId))
  return nodes.filter(({ id }) => ids.has(id))
}

async function describe(
  ctx: Ctx,
  { ttlMs, at, until }: Extension,
  joined: readonly NodeRow[],
): Promise<LeaseExtension> {
  const { heartbeatMs, returnMs } = ctx.fleet.leaseTimes
  const nodes = await nodesUnderLease(ctx, joined)
  // For display only: a node that was heard since has renewed its lease since.
  const extended = nodes.filter((node) => isOnline(node) && (node.lastSeenAt ?? at) > at).length
  // The last lease may be one heartbeat old, and agents need a moment to reconnect afterwards.
  const awayMs = ttlMs - heartbeatMs - returnMs
  return {
    ttlSeconds: ttlMs / 1000,
    since: at.toISOString(),
    until: until.toISOString(),
    nodes: nodes.length,
    extended,
    mayBeAwaySeconds: extended === nodes.length ? Math.max(0, Math.floor(awayMs / 1000)) : null,
  }
}

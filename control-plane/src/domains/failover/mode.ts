import type { NodeFailover, ServerFailover, SetNodeFailover } from '@lodge/shared/failover.ts'
import { whyNoLeases } from '@lodge/shared/node-abilities.ts'
import type { Ctx } from '../../context.ts'
import { announceDesired } from '../../fleet/store.ts'
import { notFound, Problem } from '../../problem.ts'
import { findNode, isOnline, type NodeRow, setNodeFailover } from '../nodes/index.ts'
import {
  announceDesired as announceServer,
  findServer,
  followNodeMode,
  lockServer,
  updateFailoverMode,
} from '../servers/index.ts'
import { whyNoFence } from './fencing/fencer.ts'
import { nodesFailover, serverFailover, whyNotGuarded } from './stand.ts'

/**
 * Sets what happens to a node's servers when it is lost. Going back to `pinned` is always possible.
 * @throws {Problem} unsupported_on_node, node_unavailable
 */
export async function chooseNodeMode(
  ctx: Ctx,
  { id }: NodeRow,
  { mode, ttlSeconds }: SetNodeFailover,
): Promise<NodeRow> {
  return ctx.transaction(async (ctx) => {
    const before = await findNode(ctx.db, id)
    if (!before) throw notFound('node')
    if (mode === 'auto') requireLeases(before, whyNoLeases(before))
    if (mode === 'stonith') await requireFence(ctx)
    // Lock order: servers before their node.
    if (before.failoverMode !== mode) await followNodeMode(ctx.db, id)
    const row = await setNodeFailover(ctx.db, id, {
      ...{ before: before.failoverMode, mode, ttlMs: ttlSeconds && ttlSeconds * 1000 },
    })
    if (!row)
      throw new Problem(
        'conflict',
        'Its failover mode was changed meanwhile: look at it, and choose again',
      )
    await announceDesired(ctx.db, id)
    await ctx.live.announce(ctx.db, { kind: 'node', id })
    return row
  })
}

/**
 * Sets the failover mode of one server; null: that of its node.
 * @throws {Problem} unsupported_on_node, node_unavailable
 */
export async function chooseServerMode(
  ctx: Ctx,
  serverId: string,
  mode: ServerFailover['own'],
): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const server = await lockServer(ctx.db, serverId)
    if (!server) throw notFound('server')
    if (mode === 'stonith') await requireFence(ctx)
    if (mode === 'auto') {
      const node = await findNode(ctx.db, server.nodeId)
      if (node) requireLeases(node, whyNotGuarded(server, node))
    }
    await updateFailoverMode(ctx.db, server.id, mode)
    await announceServer(ctx, { id: server.id, nodeId: server.nodeId })
    await ctx.live.announce(ctx.db, { kind: 'server', id: server.id })
  })
}

/**
 * Only a node whose guard can stop its servers without the control plane may fail over automatically.
 */
function requireLeases(node: NodeRow, why: string | undefined): void {
  if (why !== undefined) throw new Problem('unsupported_on_node', why)
  if (!isOnline(node))
    throw new Problem('node_unavailable', `${node.name} is not connected: choose auto once it is`)
}

/** Refuses `stonith` where nothing can switch a node off, so that nobody relies on it in vain. */
async function requireFence(ctx: Ctx): Promise<void> {
  const why = await whyNoFence(ctx)
  if (why !== null) throw new Problem('unsupported_on_node', why)
}

export async function nodeFailover(ctx: Ctx, node: NodeRow): Promise<NodeFailover> {
  const stand = (await nodesFailover(ctx, [node])).get(node.id)
  if (!stand) throw notFound('node')
  return stand
}

export async function failoverOfServer(ctx: Ctx, serverId: string): Promise<ServerFailover> {
  const server = await findServer(ctx.db, serverId)
  const node = server && (await findNode(ctx.db, server.nodeId))
  if (!node) throw notFound('server')
  return serverFailover(await whyNoFence(ctx), server, node)
}

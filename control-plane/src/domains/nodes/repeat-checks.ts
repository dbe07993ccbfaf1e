import type { Node } from '@lodge/shared/nodes.ts'
import type { Ctx } from '../../context.ts'
import { notFound, Problem } from '../../problem.ts'
import { describeNode, isOnline } from './describe.ts'
import { findNode } from './store.ts'
import type { NodeRow } from './tables.ts'

/** Starting a guest as proof that machines work takes the longest. */
const CHECK_MS = 60_000

/**
 * Has the agent repeat the checks of its machine, whose results come with its next heartbeat.
 * @throws {Problem} node_unavailable
 */
export async function repeatChecks(ctx: Ctx, node: NodeRow): Promise<Node> {
  if (!isOnline(node))
    throw new Problem(
      'node_unavailable',
      `${node.name} is not connected: its checks run again when it is back`,
      { retryAfterSeconds: 15 },
    )
  await ctx.fleet.runTask(
    node.id,
    { work: { $case: 'runPreflight', value: {} } },
    { timeoutMs: CHECK_MS },
  )
  const present = await findNode(ctx.db, node.id)
  if (!present) throw notFound('node')
  return describeNode(present)
}

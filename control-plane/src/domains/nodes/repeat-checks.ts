import type { Node } from '@lodge/shared/nodes.ts'
import type { Ctx } from '../../context.ts'
import { notFound } from '../../problem.ts'
import { askAgent, requireOnline } from './ask-agent.ts'
import { describeNode } from './describe.ts'
import { findNode } from './store.ts'
import type { NodeRow } from './tables.ts'

/** The longest check starts a guest, to prove that machines work. */
const CHECK_MS = 60_000

/**
 * Has the agent repeat the checks of its machine; the results come with its next heartbeat.
 * @throws {Problem} node_unavailable, node_timeout, node_protocol_error
 */
export async function repeatChecks(ctx: Ctx, node: NodeRow): Promise<Node> {
  requireOnline(node, 'its checks run again when it is back')
  await askAgent(ctx, node, { $case: 'runPreflight', value: {} }, CHECK_MS)
  const present = await findNode(ctx.db, node.id)
  if (!present) throw notFound('node')
  return describeNode(present)
}

import { whyNoAgentLog } from '@lodge/shared/node-abilities.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { askAgent, requireOnline } from './ask-agent.ts'
import type { NodeRow } from './tables.ts'

const READ_MS = 10_000

/**
 * The newest lines of the agent's own log, as JSON, the oldest first. The agent serves them and
 * nothing of them is stored here: this and the logs of servers are the only reads that call a node.
 * @throws {Problem} unsupported_on_node, node_unavailable, node_timeout, node_protocol_error
 */
export async function readAgentLog(
  ctx: Ctx,
  node: NodeRow,
  lines: number,
): Promise<{ lines: string[] }> {
  requireOnline(node, 'its log is on the machine itself, in the journal of the service lodge-agent')
  const why = whyNoAgentLog(node)
  if (why !== undefined) throw new Problem('unsupported_on_node', `${why}: update the agent`)
  const work = { $case: 'readAgentLog' as const, value: { lines } }
  const done = await askAgent(ctx, node, work, READ_MS)
  return { lines: done.output?.$case === 'logs' ? done.output.value.lines : [] }
}

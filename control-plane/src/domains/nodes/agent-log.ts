import { whyNoAgentLog } from '@lodge/shared/node-abilities.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { isOnline } from './describe.ts'
import type { NodeRow } from './tables.ts'

const READ_MS = 10_000

/**
 * The newest lines of the agent's own log, as JSON, the oldest first. They are asked of the agent:
 * nothing of them is stored here.
 * @throws {Problem} unsupported_on_node, node_unavailable
 */
export async function readAgentLog(
  ctx: Ctx,
  node: NodeRow,
  lines: number,
): Promise<{ lines: string[] }> {
  if (!isOnline(node))
    throw new Problem(
      'node_unavailable',
      `${node.name} is not connected: its log is on the machine itself, in the journal of the service lodge-agent`,
      { retryAfterSeconds: 15 },
    )
  const why = whyNoAgentLog(node)
  if (why !== undefined) throw new Problem('unsupported_on_node', `${why}: update the agent`)
  const done = await ctx.fleet.runTask(
    node.id,
    { work: { $case: 'readAgentLog', value: { lines } } },
    { timeoutMs: READ_MS },
  )
  return { lines: done.output?.$case === 'logs' ? done.output.value.lines : [] }
}

import type { Done } from '@lodge/proto/task.ts'
import type { Ctx } from '../../context.ts'
import { TaskFailure, type TaskWork } from '../../fleet/tasks.ts'
import { Problem } from '../../problem.ts'
import { isOnline } from './describe.ts'
import type { NodeRow } from './tables.ts'

/**
 * @param meanwhile what people can do while the node is away, for the problem's text
 * @throws {Problem} node_unavailable
 */
export function requireOnline(node: NodeRow, meanwhile: string): void {
  if (isOnline(node)) return
  throw new Problem('node_unavailable', `${node.name} is not connected: ${meanwhile}`, {
    retryAfterSeconds: 15,
  })
}

/**
 * Sends a task to the agent of a node and waits for its result.
 * @throws {Problem} node_unavailable, node_timeout, unsupported_on_node, node_protocol_error
 */
export async function askAgent(
  ctx: Ctx,
  node: NodeRow,
  work: TaskWork,
  timeoutMs: number,
): Promise<Done> {
  try {
    return await ctx.fleet.ask(node.id, { work }, { timeoutMs })
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error
    if (error.code === 'unsupported')
      throw new Problem(
        'unsupported_on_node',
        `The agent of ${node.name} is too old for this: update it`,
      )
    throw new Problem(
      'node_protocol_error',
      `The agent of ${node.name} could not do this: try again, and update it if that does not help`,
    )
  }
}

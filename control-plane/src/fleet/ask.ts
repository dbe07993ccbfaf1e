import type { Done } from '@lodge/proto/task.ts'
import { Problem } from '../problem.ts'
import type { TaskOptions } from './session/running-tasks.ts'
import type { TaskRequest, Tasks } from './tasks.ts'

/**
 * How many requests wait for one node's answer at once. Answers take milliseconds, so only a node
 * that does not answer has so many; each holds its connection to the panel until it gives up, but
 * no transaction and no connection to the database.
 */
export const WAITING_FOR_NODE_MAX = 32

export type Ask = (nodeId: string, task: TaskRequest, options: TaskOptions) => Promise<Done>

/** Runs tasks whose output is the response to a request, a limited number at once per node. */
export function createAsk(run: Tasks['run']): Ask {
  const waiting = new Map<string, number>()
  return async (nodeId, task, options) => {
    const before = waiting.get(nodeId) ?? 0
    if (before >= WAITING_FOR_NODE_MAX)
      throw new Problem(
        'node_unavailable',
        `The node is slow: ${before} requests wait for its answer already. Try again in a moment`,
        { retryAfterSeconds: 5 },
      )
    waiting.set(nodeId, before + 1)
    try {
      return await run(nodeId, task, options)
    } finally {
      const left = (waiting.get(nodeId) ?? 1) - 1
      if (left === 0) waiting.delete(nodeId)
      else waiting.set(nodeId, left)
    }
  }
}

import { z } from 'zod'
import type { Methods } from './method.ts'

/** The node that a plugin is asked about. */
const Node = z.object({
  nodeId: z.uuid(),
  /** What operators call it, which may change. */
  name: z.string(),
})

/** The methods of plugins that switch nodes off. An error means that it is tried again later. */
export const FENCE_METHODS = {
  /** Has the power cut at once, or finds it cut. It may be called several times for one node. */
  'fence.off': { request: Node, reply: z.object({}) },
  /** Looks, and changes nothing. Lodge asks until the node is off. */
  'fence.status': {
    request: Node,
    reply: z.object({ power: z.enum(['on', 'off', 'unknown']) }),
  },
} as const satisfies Methods

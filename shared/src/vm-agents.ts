import { z } from 'zod'

/** What the agents of nodes ask the control plane about virtual machines, over HTTP. */

/** The response to an agent that asks whether a guest may boot now. */
export const VmAuthorization = z.object({
  decision: z.enum(['allow', 'deny']),
  attempt: z.uuid(),
  serverId: z.uuid(),
  generation: z.int(),
  nodeEpoch: z.int(),
  /** Counted by the agent from its request. */
  validForMs: z.int(),
  lease: z.object({ renewSeq: z.int(), ttlMs: z.int() }),
  holds: z.array(z.object({ kind: z.string(), since: z.iso.datetime() })),
  reasons: z.array(
    z.enum([
      'wrong_generation',
      'wrong_epoch',
      'no_lease',
      'fenced',
      'hold',
      'deleted',
      'running_limit',
    ]),
  ),
})
export type VmAuthorization = z.infer<typeof VmAuthorization>

/** Console and screen sessions that wait for the agent to connect. */
export const VmConsoles = z.object({
  items: z.array(
    z.object({
      sessionId: z.uuid(),
      serverId: z.string(),
      kind: z.string(),
      ticket: z.string(),
      mayWrite: z.boolean(),
    }),
  ),
})
export type VmConsoles = z.infer<typeof VmConsoles>

import { z } from 'zod'

/** API schemas of a database that was set back in time, and of what nodes know more than it. */

/**
 * What differs. `newer`: the node has a newer desired state of the server. `missing`: the node does
 * not have it. `unknown`: the panel does not have it on this node.
 */
export const FindingKind = z.enum(['newer', 'missing', 'unknown'])

export const SetBackStatus = z.object({
  /** Null: the database was never found to be set back. */
  latest: z
    .object({
      at: z.iso.datetime(),
      /** By what it was noticed. */
      why: z.enum(['another_cluster', 'another_timeline', 'older_data', 'agent_ahead']),
    })
    .nullable(),
  /** Nothing is taken over, moved or started by itself at this moment. */
  isSafeMode: z.boolean(),
  /** Nodes whose inventory has not been compared with the database since. */
  waitingFor: z.array(z.object({ id: z.uuid(), name: z.string() })),
  findings: z.array(
    z.object({
      nodeId: z.uuid(),
      nodeName: z.string(),
      serverId: z.uuid(),
      /** Null: the panel does not have it. */
      serverName: z.string().nullable(),
      kind: FindingKind,
      /** What the node does with it now, as it last said. */
      state: z.string(),
      /** The node that the panel has it on; null: none. */
      knownOn: z.string().nullable(),
      foundAt: z.iso.datetime(),
    }),
  ),
})
export type SetBackStatus = z.infer<typeof SetBackStatus>

export const DecideFinding = z.strictObject({
  nodeId: z.uuid(),
  serverId: z.uuid(),
  keep: z
    .enum(['node', 'panel'])
    .describe(
      'node: whether it runs, and what is installed, stays as the node has it; panel: the node does what the panel knows',
    ),
})
export type DecideFinding = z.infer<typeof DecideFinding>

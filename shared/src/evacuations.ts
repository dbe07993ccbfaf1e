import { z } from 'zod'

/** API schemas of emptying a node. */

export const EVACUATION_STATES = [
  'waiting',
  'moving',
  'moved',
  'failed',
  'blocked',
  'cancelled',
] as const
export type EvacuationState = (typeof EVACUATION_STATES)[number]

export const EvacuateNode = z.strictObject({
  parallel: z
    .int()
    .min(1)
    .max(4)
    .optional()
    .describe('how many servers move at once; 2 by default'),
  serverIds: z
    .array(z.uuid())
    .min(1)
    .max(500)
    .optional()
    .describe('only these servers of the node; all by default'),
  stopMachines: z
    .boolean()
    .optional()
    .describe(
      'stop running virtual machines for the move, and start them again afterwards; true by default, otherwise they stay',
    ),
  confirmBackupsLeft: z
    .boolean()
    .optional()
    .describe('also move servers with backups that only this node keeps'),
})
export type EvacuateNode = z.infer<typeof EvacuateNode>

const PlannedMove = z.object({
  serverId: z.uuid(),
  serverName: z.string(),
  kind: z.enum(['container', 'vm']),
  bytes: z.int().nullable(),
  target: z.object({ nodeId: z.uuid(), nodeName: z.string(), location: z.string() }).nullable(),
  /** Estimates by its size, as far as that is known. */
  copySeconds: z.int().nullable(),
  offSeconds: z.int().nullable(),
  /** A virtual machine that runs, and is stopped for the move unless the request says otherwise. */
  stops: z.boolean(),
  /** Backups that only this node keeps. */
  backupsLeft: z.int(),
  /** Why it cannot move now, in words. */
  why: z.string().nullable(),
})
export type PlannedMove = z.infer<typeof PlannedMove>

const EvacuatedServer = z.object({
  serverId: z.uuid(),
  serverName: z.string(),
  state: z.enum(EVACUATION_STATES),
  targetName: z.string().nullable(),
  jobId: z.uuid().nullable(),
  /** Why it has not moved. */
  detail: z.string().nullable(),
})

export const Evacuation = z.object({
  /** What would happen to each server of the node now. */
  plan: z.array(PlannedMove),
  /** The latest evacuation, with a result for each server. */
  latest: z
    .object({
      jobId: z.uuid(),
      startedAt: z.string(),
      endedAt: z.string().nullable(),
      items: z.array(EvacuatedServer),
    })
    .nullable(),
})
export type Evacuation = z.infer<typeof Evacuation>

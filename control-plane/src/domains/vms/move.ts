import { z } from 'zod'

/** The hold under which a machine moves. */
export const MOVING = { kind: 'migrating', cause: 'move' } as const

/** What a move is told at its beginning. */
export const Move = z.object({
  serverId: z.uuid(),
  sourceId: z.uuid(),
  targetId: z.uuid(),
  networkId: z.uuid(),
  /** The placement that is to be left. */
  placement: z.int(),
  /** The target has the machine's former copy, which has not run since: nothing is copied. */
  returning: z.boolean(),
})
export type Move = z.infer<typeof Move>

import { z } from 'zod'

/** The hold of a moving machine. */
export const MOVING = { kind: 'migrating', cause: 'move' } as const

/** Input of a move. */
export const Move = z.object({
  serverId: z.uuid(),
  sourceId: z.uuid(),
  targetId: z.uuid(),
  networkId: z.uuid(),
  /** The placement being left. */
  placement: z.int(),
  /** The target has the machine's former copy, unchanged since, so nothing is transferred. */
  returning: z.boolean(),
})
export type Move = z.infer<typeof Move>

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
  /** Both nodes have the shared storage with its disks, so nothing is transferred either. */
  shared: z.boolean().default(false),
  /** It changes its storage on the way. */
  storages: z.object({ from: z.uuid().nullable(), to: z.uuid().nullable() }).optional(),
})
export type Move = z.infer<typeof Move>

import type { Ctx } from '../../context.ts'
import { contextFor } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { watcher } from '../../jobs/periodic-task.ts'
import type { Services } from '../../services.ts'
import { surelyLost } from '../nodes/index.ts'
import { giveUpMove } from '../servers/index.ts'
import { ANY_LOST_TARGET, type MoveTo, movesToLost, movesToNode } from './lost-store.ts'

/** Servers that move to a node, and have not changed their place. */
export const movesTo = (db: Db, nodeId: string): Promise<MoveTo[]> => movesToNode(db, nodeId)

/**
 * Gives up the moves to a node that counts as lost from this transaction on.
 * @returns how many
 */
export async function giveUpMovesTo(ctx: Ctx, nodeId: string): Promise<number> {
  let given = 0
  for (const move of await movesToNode(ctx.db, nodeId))
    given += (await giveUpMove(ctx, move)) ? 1 : 0
  return given
}

/** It looks at how things are, so that one that was missed has its turn with the next look. */
async function giveUpLost(services: Services): Promise<{ given: number }> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  let given = 0
  for (const move of surelyLost(services, 'moves', await movesToLost(ctx.db)))
    given += (await giveUpMove(ctx, move)) ? 1 : 0
  return { given }
}

export const lostTargets = watcher('moves.lost-targets', ANY_LOST_TARGET, giveUpLost)

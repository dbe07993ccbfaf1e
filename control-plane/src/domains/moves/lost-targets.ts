import type { Ctx } from '../../context.ts'
import { contextFor } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { watcher } from '../../jobs/periodic-task.ts'
import type { Services } from '../../services.ts'
import { surelyLost } from '../nodes/index.ts'
import { giveUpMove } from '../servers/index.ts'
import { giveUpEach } from './give-up-each.ts'
import { ANY_LOST_TARGET, type MoveTo, movesToLost, movesToNode } from './lost-store.ts'

/** Servers that are moving to a node and are not placed there yet. */
export const movesTo = (db: Db, nodeId: string): Promise<MoveTo[]> => movesToNode(db, nodeId)

/**
 * Gives up the moves to a node, in the transaction that makes it count as lost.
 * @returns how many
 */
export const giveUpMovesTo = async (ctx: Ctx, nodeId: string): Promise<number> =>
  giveUpEach(await movesToNode(ctx.db, nodeId), (move) => giveUpMove(ctx, move))

/** Works from the current state, so that the next round finds what one missed. */
async function giveUpLost(services: Services): Promise<{ given: number }> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  const moves = surelyLost(services, 'moves', await movesToLost(ctx.db))
  return { given: await giveUpEach(moves, (move) => giveUpMove(ctx, move)) }
}

export const lostTargets = watcher('moves.lost-targets', ANY_LOST_TARGET, giveUpLost)

import type { Ctx } from '../../context.ts'
import { deleteSessionsOf, deleteTokensFor } from './recovery/store.ts'
import { deleteTokensOf } from './token-store.ts'

/**
 * Ends all that may have come into other hands: sessions, sign-ins that are half done, links of every
 * purpose and API tokens. To be called where a password or an address changes or a factor goes.
 * @param keep the session that may go on: that of the person who asks
 */
export async function endAccess(
  ctx: Ctx,
  userId: string,
  keep?: string,
): Promise<{ ended: number }> {
  await deleteTokensFor(ctx.db, userId)
  await deleteTokensOf(ctx.db, userId)
  const ended = await deleteSessionsOf(ctx.db, userId, keep)
  for (const id of ended) await ctx.live.announce(ctx.db, { kind: 'session', id })
  return { ended: ended.length }
}

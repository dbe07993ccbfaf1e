import type { Ctx } from '../../context.ts'
import { deleteTokensFor } from './links/store.ts'
import { deleteSessionsOf } from './store.ts'
import { deleteTokensOf } from './tokens/token-store.ts'

/**
 * Revokes everything that may be in the wrong hands: sessions, unfinished sign-ins, links of every
 * purpose and API tokens. Call it when a password or address changes or a factor is removed.
 * @param keep the caller's own session, which stays open
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

import type { Ctx } from '../../context.ts'
import { deleteTokensFor } from './links/store.ts'
import { deleteSessionsOf, listSessionIds } from './store.ts'
import { deleteTokensOf } from './tokens/token-store.ts'

/**
 * Revokes everything that may be in the wrong hands: sessions, unfinished sign-ins, links of every
 * purpose, API tokens, and what domains above keep. Call it when a
 * password or address changes or a factor is removed.
 * @param keep the caller's own session, which stays open
 */
export async function endAccess(
  ctx: Ctx,
  userId: string,
  keep?: string,
): Promise<{ ended: number }> {
  const ended = await deleteSessionsOf(ctx.db, userId, keep)
  await tellEnded(ctx, userId, ended)
  await endCredentials(ctx, userId)
  return { ended: ended.length }
}

/**
 * Closes what ended sessions have open, and ends what belongs to their browsers.
 * @param elsewhere whether somebody ended them from outside their browsers
 */
export async function tellEnded(
  ctx: Ctx,
  userId: string,
  sessionIds: readonly string[],
  elsewhere = true,
): Promise<void> {
  for (const id of sessionIds) await ctx.live.announce(ctx.db, { kind: 'session', id })
  await ctx.emit('account.sessions_ended', { userId, sessionIds, elsewhere })
}

/** Revokes the same except for sessions: links of every purpose, API tokens and what domains above keep. */
export async function endCredentials(ctx: Ctx, userId: string): Promise<void> {
  await deleteTokensFor(ctx.db, userId)
  await deleteTokensOf(ctx.db, userId)
  await ctx.emit('account.access_ended', { userId })
}

/** Ends every session of an account and its unfinished sign-ins; nothing else. */
export const endSessions = async (ctx: Ctx, userId: string): Promise<void> =>
  tellEnded(ctx, userId, await deleteSessionsOf(ctx.db, userId))

/** Closes what the sessions of an account have open; whatever reconnects is checked anew. */
export async function closeConnections(ctx: Ctx, userId: string): Promise<void> {
  for (const id of await listSessionIds(ctx.db, userId))
    await ctx.live.announce(ctx.db, { kind: 'session', id })
}

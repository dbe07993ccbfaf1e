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
  for (const id of ended) await ctx.live.announce(ctx.db, { kind: 'session', id })
  await endCredentials(ctx, userId)
  return { ended: ended.length }
}

/** Revokes the same except for sessions: links of every purpose, API tokens and what domains above keep. */
export async function endCredentials(ctx: Ctx, userId: string): Promise<void> {
  await deleteTokensFor(ctx.db, userId)
  await deleteTokensOf(ctx.db, userId)
  await ctx.emit('account.access_ended', { userId })
}

/** Ends every session of an account and its unfinished sign-ins; nothing else. */
export async function endSessions(ctx: Ctx, userId: string): Promise<void> {
  const ended = await deleteSessionsOf(ctx.db, userId)
  for (const id of ended) await ctx.live.announce(ctx.db, { kind: 'session', id })
}

/** Closes what the sessions of an account have open; whatever reconnects is checked anew. */
export async function closeConnections(ctx: Ctx, userId: string): Promise<void> {
  for (const id of await listSessionIds(ctx.db, userId))
    await ctx.live.announce(ctx.db, { kind: 'session', id })
}

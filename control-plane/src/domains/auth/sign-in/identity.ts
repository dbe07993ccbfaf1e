import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import { findUser, passwordMatches } from '../../customers/index.ts'
import { acceptAnyCode, attempt, judged, methodsOf } from '../factors/challenges.ts'
import { listSessionIds } from '../store.ts'

/** Requires the account's password. */
export async function requirePassword(ctx: Ctx<User>, password: string): Promise<void> {
  const user = await findUser(ctx.db, ctx.actor.id)
  if (!user || !(await passwordMatches(user.passwordHash, password)))
    throw new Problem('invalid_credentials', 'Wrong password')
}

/**
 * Requires password and second factor again before something irreversible. Wrong codes count like
 * those of a sign-in.
 */
export async function requireIdentity(
  ctx: Ctx<User>,
  given: { password: string; code: string },
): Promise<void> {
  const { id, address } = ctx.actor
  await requirePassword(ctx, given.password)
  if ((await methodsOf(ctx, id)).length === 0)
    throw new Problem('invalid_state', 'Set up a second factor first')
  await judged(ctx, id, (ctx) =>
    attempt(ctx, id, () => acceptAnyCode(ctx, id, given.code, address)),
  )
}

/** Ends a person's open streams; their browsers reconnect with the current permissions. */
export async function refreshRights(ctx: Ctx, userId: string): Promise<void> {
  for (const id of await listSessionIds(ctx.db, userId))
    await ctx.live.announce(ctx.db, { kind: 'session', id })
}

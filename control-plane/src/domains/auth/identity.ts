import type { Ctx, User } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { findUser, passwordMatches } from '../customers/index.ts'
import { acceptAnyCode, methodsOf } from './challenges.ts'
import { listSessionIds } from './recovery/store.ts'

/** Demands password and second factor once more, before what cannot be taken back. */
export async function requireIdentity(
  ctx: Ctx<User>,
  given: { password: string; code: string },
): Promise<void> {
  const user = await findUser(ctx.db, ctx.actor.id)
  if (!user || !(await passwordMatches(user.passwordHash, given.password)))
    throw new Problem('invalid_credentials', 'The password is wrong')
  if ((await methodsOf(ctx, user.id)).length === 0)
    throw new Problem('invalid_state', 'Set up a second factor first')
  if (!(await acceptAnyCode(ctx, user.id, given.code, ctx.actor.address)))
    throw new Problem(
      'invalid_second_factor',
      'The code is wrong: try the next one or a recovery code',
    )
}

/** Ends the open streams of a person, whose browsers then come back with the rights of now. */
export async function refreshRights(ctx: Ctx, userId: string): Promise<void> {
  for (const id of await listSessionIds(ctx.db, userId))
    await ctx.live.announce(ctx.db, { kind: 'session', id })
}

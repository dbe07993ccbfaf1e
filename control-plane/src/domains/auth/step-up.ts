import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Ctx, User } from '../../context.ts'
import type { Exchange } from '../../http/endpoint.ts'
import { notFound, Problem } from '../../problem.ts'
import { lockOwner, passwordMatches } from '../customers/index.ts'
import { acceptAnyCode, attempt, methodsOf } from './challenges.ts'
import { acceptProof } from './passkeys.ts'
import { proveSession } from './store.ts'

const PROOF_MINUTES = 10

export interface Proof {
  /** Until when dangerous acts are open to this session. */
  provedUntil: string
}

/**
 * Shows again who one is, before what is dangerous: with an authenticator or recovery code, or with the
 * password where the account has no second factor. Wrong codes count as those of a sign-in do.
 */
export async function proveByCode(
  ctx: Ctx<User>,
  given: { code?: string | undefined; password?: string | undefined },
): Promise<Proof> {
  return prove(ctx, async (ctx) => {
    if ((await methodsOf(ctx, ctx.actor.id)).length > 0) {
      const { code } = given
      if (code === undefined)
        throw new Problem('second_factor_required', 'Send code: the account has a second factor')
      return attempt(ctx, ctx.actor.id, () =>
        acceptAnyCode(ctx, ctx.actor.id, code, ctx.actor.address),
      )
    }
    const user = await lockOwner(ctx.db, ctx.actor.id)
    if (await passwordMatches(user?.passwordHash, given.password ?? '')) return undefined
    return new Problem('invalid_credentials', 'The password is wrong')
  })
}

export const proveByPasskey = (
  ctx: Ctx<User>,
  response: AuthenticationResponseJSON,
  http: Exchange,
): Promise<Proof> =>
  prove(ctx, (ctx) => attempt(ctx, ctx.actor.id, () => acceptProof(ctx, response, http)))

/** A refusal is kept as well as a success: the failure that was counted must not be rolled back. */
async function prove(
  ctx: Ctx<User>,
  judge: (ctx: Ctx<User>) => Promise<Problem | undefined>,
): Promise<Proof> {
  const outcome = await ctx.transaction(async (ctx) => {
    if (!(await lockOwner(ctx.db, ctx.actor.id))) throw notFound('account')
    const refused = await judge(ctx)
    if (refused) return { refused }
    await ctx.emit('account.proved', { userId: ctx.actor.id })
    return { provedAt: await proveSession(ctx.db, ctx.actor.sessionId) }
  })
  if ('refused' in outcome) throw outcome.refused
  const until = new Date(outcome.provedAt.getTime() + PROOF_MINUTES * 60_000)
  return { provedUntil: until.toISOString() }
}

import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import type { Exchange } from '../../../http/endpoint.ts'
import { Problem } from '../../../problem.ts'
import { acceptAnyCode, attempt, judged, methodsOf } from '../factors/challenges.ts'
import { acceptProof } from '../factors/passkeys.ts'
import { proveSession } from '../store.ts'
import { requirePassword } from './identity.ts'

const PROOF_MINUTES = 10

export interface Proof {
  /** Until when this session may use dangerous endpoints. */
  provedUntil: string
}

/**
 * Requires an authenticator or recovery code, or the password if the account has no second factor.
 * Wrong codes count like those of a sign-in.
 */
export async function requireCode(
  ctx: Ctx<User>,
  given: { code?: string | undefined; password?: string | undefined },
): Promise<void> {
  const { id, address } = ctx.actor
  if ((await methodsOf(ctx, id)).length === 0) return requirePassword(ctx, given.password ?? '')
  const { code } = given
  if (code === undefined)
    throw new Problem('second_factor_required', 'Send code: the account has a second factor')
  await judged(ctx, id, (ctx) => attempt(ctx, id, () => acceptAnyCode(ctx, id, code, address)))
}

/** Requires a passkey of the account. Failures count like those of a sign-in. */
export const requirePasskey = (
  ctx: Ctx<User>,
  response: AuthenticationResponseJSON,
  http: Exchange,
): Promise<void> =>
  judged(ctx, ctx.actor.id, (ctx) =>
    attempt(ctx, ctx.actor.id, () => acceptProof(ctx, response, http)),
  )

/** Opens dangerous endpoints to this session for a while, after the person has passed step-up. */
export async function prove(ctx: Ctx<User>): Promise<Proof> {
  return ctx.transaction(async (ctx) => {
    await ctx.emit('account.proved', { userId: ctx.actor.id })
    const provedAt = await proveSession(ctx.db, ctx.actor.sessionId)
    return { provedUntil: new Date(provedAt.getTime() + PROOF_MINUTES * 60_000).toISOString() }
  })
}

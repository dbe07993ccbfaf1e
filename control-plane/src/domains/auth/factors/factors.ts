import type { SecondFactors } from '@lodge/shared/accounts.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { notFound, Problem } from '../../../problem.ts'
import { lockOwner, type UserRow } from '../../customers/index.ts'
import { endAccess } from '../end-access.ts'
import type { FactorChange } from '../events.ts'
import { methodsOf } from './challenges.ts'
import * as store from './factor-store.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'

export async function secondFactorsOf(ctx: Ctx, id: string): Promise<SecondFactors> {
  return {
    totp: Boolean((await store.findTotp(ctx.db, id))?.confirmedAt),
    passkeys: (await store.listPasskeys(ctx.db, id)).length,
    recoveryCodes: await store.countRecoveryCodes(ctx.db, id),
  }
}

/**
 * Administrators keep at least one factor; without any factor, recovery codes are useless and
 * deleted.
 */
async function afterRemoval(ctx: Ctx<User>, change: FactorChange): Promise<void> {
  const { id: userId, email } = ctx.actor
  await ctx.emit('account.second_factor_changed', { userId, email, change })
  await endAccess(ctx, userId, ctx.actor.sessionId)
  const left = await methodsOf(ctx, ctx.actor.id)
  if (left.length > 0) return
  // Throwing rolls the removal back with everything above.
  if (ctx.actor.role === 'admin') {
    throw new Problem(
      'conflict',
      'Administrators need a second factor: set up another before you remove this one',
    )
  }
  await store.deleteRecoveryCodes(ctx.db, ctx.actor.id)
}

export async function removeTotp(ctx: Ctx<User>): Promise<void> {
  await ctx.transaction(async (ctx) => {
    await lockOwner(ctx.db, ctx.actor.id)
    if (!(await store.deleteTotp(ctx.db, ctx.actor.id))) throw notFound('authenticator')
    await afterRemoval(ctx, 'totpRemoved')
  })
}

export async function removePasskey(ctx: Ctx<User>, id: string): Promise<void> {
  await ctx.transaction(async (ctx) => {
    await lockOwner(ctx.db, ctx.actor.id)
    if (!(await store.deletePasskey(ctx.db, ctx.actor.id, id))) throw notFound('passkey')
    await afterRemoval(ctx, 'passkeyRemoved')
  })
}

/** Removes every factor of a customer who lost them all; whoever is signed in to the account must sign in again. */
export async function removeFactorsOf(ctx: Ctx, customer: UserRow): Promise<void> {
  await ctx.transaction(async (ctx) => {
    if (!(await removeEvery(ctx, customer, 'removedByHost')))
      throw new Problem('invalid_state', 'This customer has no second factor')
  })
}

/** The same within the caller's transaction, also of an administrator; false if there was no factor. */
export async function removeEvery(
  ctx: Ctx,
  { id: userId, email }: UserRow,
  change: FactorChange,
): Promise<boolean> {
  await lockOwner(ctx.db, userId)
  if (!(await store.deleteFactors(ctx.db, userId))) return false
  await ctx.emit('account.second_factor_changed', { userId, email, change })
  await endAccess(ctx, userId)
  return true
}

export async function renewRecoveryCodes(ctx: Ctx<User>): Promise<{ recoveryCodes: string[] }> {
  return ctx.transaction(async (ctx) => {
    await lockOwner(ctx.db, ctx.actor.id)
    if ((await methodsOf(ctx, ctx.actor.id)).length === 0) {
      throw new Problem('invalid_state', 'Set up an authenticator or a passkey first')
    }
    return { recoveryCodes: await makeRecoveryCodes(ctx, ctx.actor.id) }
  })
}

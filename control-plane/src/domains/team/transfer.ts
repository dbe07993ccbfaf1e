import { ADMIN_PRESETS } from '@lodge/shared/permissions.ts'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { notFound, Problem } from '../../problem.ts'
import {
  deleteTransfers,
  invalidLink,
  issueAccountToken,
  methodsOf,
  peekAccountToken,
  redeemAccountToken,
  refreshRights,
  requireIdentity,
} from '../auth/index.ts'
import * as store from './store.ts'

interface Identity {
  password: string
  code: string
}

/** The super administrator confirms their identity again. */
export async function judgeRequest(ctx: Ctx<User>, given: Identity): Promise<void> {
  await requireIdentity(ctx, given)
  if (!ctx.actor.superAdmin)
    throw new Problem('forbidden', 'Only the super administrator can transfer the role')
}

/** First half: the super administrator names a successor. */
export async function requestTransfer(
  ctx: Ctx<User>,
  targetId: string,
): Promise<{ expiresAt: string }> {
  return ctx.transaction(async (ctx) => {
    const target = await store.findAdministrator(ctx.db, targetId)
    if (!target) throw notFound('administrator')
    if (target.id === ctx.actor.id)
      throw new Problem('conflict', 'You are already the super administrator')
    if ((await methodsOf(ctx, target.id)).length === 0)
      throw new Problem(
        'invalid_state',
        'The other administrator has to set up a second factor first',
      )
    await deleteTransfers(ctx.db)
    const issued = await issueAccountToken(ctx, target.id, 'team_transfer', { from: ctx.actor.id })
    const { id: userId, email } = target
    await ctx.emit('team.transfer_requested', {
      userId,
      email,
      inviter: ctx.actor.email,
      ...issued,
    })
    return { expiresAt: issued.expiresAt.toISOString() }
  })
}

/** The successor confirms their identity. */
export async function judgeConfirmation(
  ctx: Ctx<User>,
  given: Identity & { token: string },
): Promise<void> {
  const asked = await peekAccountToken(ctx, given.token, 'team_transfer')
  // Another person's link is not used up.
  if (asked?.userId !== ctx.actor.id) throw invalidLink()
  await requireIdentity(ctx, given)
}

/** Second half: the successor takes the role, and the previous holder becomes an administrator. */
export async function confirmTransfer(ctx: Ctx<User>, token: string): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const asked = await peekAccountToken(ctx, token, 'team_transfer')
    if (asked?.userId !== ctx.actor.id) throw invalidLink()
    const rows = await store.lockAdministrators(ctx.db, [asked.data.from ?? '', ctx.actor.id])
    const { data } = await redeemAccountToken(ctx, token, 'team_transfer')
    const from = rows.find((row) => row.id === data.from)
    const to = rows.find((row) => row.id === ctx.actor.id)
    // The sender may have lost the role since, and there must be exactly one super administrator.
    if (!from?.superAdmin || !to) throw invalidLink()
    const permissions = ADMIN_PRESETS.administrator ?? []
    await store.setRights(ctx.db, from.id, { superAdmin: false, permissions })
    await store.setRights(ctx.db, to.id, { superAdmin: true, permissions: [] })
    await refreshRights(ctx, from.id)
    await refreshRights(ctx, to.id)
  })
}

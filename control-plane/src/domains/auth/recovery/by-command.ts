import { panelPath } from '@lodge/shared/panel-paths.ts'
import { record } from '../../../audit/record.ts'
import type { Ctx } from '../../../context.ts'
import { findUserByEmail, type UserRow } from '../../customers/index.ts'
import { removeEvery } from '../factors/factors.ts'
import { issueAccountToken } from '../links/account-tokens.ts'

/** Why a command changed nothing. */
export class AccountRefused extends Error {}

/**
 * Removes every second factor of an account whose owner has lost them, for the operator of the
 * machine: nobody in the panel can do so for the super administrator.
 */
export async function removeLostFactors(ctx: Ctx, address: string): Promise<UserRow> {
  return ctx.transaction(async (ctx) => {
    const user = await requireAccount(ctx, address)
    if (!(await removeEvery(ctx, user, 'removedByCommand')))
      throw new AccountRefused(
        `${user.email} has no second factor: the password alone signs in. Nothing was changed.`,
      )
    await note(ctx, 'second factors removed by command', user)
    return user
  })
}

/** A link with which the owner of an account chooses a password, where no mail can bring one. */
export async function makePasswordLink(
  ctx: Ctx,
  address: string,
): Promise<{ email: string; url: string; expiresAt: Date }> {
  return ctx.transaction(async (ctx) => {
    const user = await requireAccount(ctx, address)
    if (user.state === 'unverified' || user.state === 'pending')
      throw new AccountRefused(
        `${user.email} is not open yet: confirm its address or approve it in the panel. Nothing was changed.`,
      )
    const { token, expiresAt } = await issueAccountToken(ctx, user.id, 'reset')
    await note(ctx, 'password link made by command', user)
    const url = `${ctx.panelUrl}${panelPath('accept')}#token=${token}`
    return { email: user.email, url, expiresAt }
  })
}

async function requireAccount({ db }: Ctx, address: string): Promise<UserRow> {
  const user = await findUserByEmail(db, address)
  if (user) return user
  throw new AccountRefused(
    `No account has the address ${address}: the panel shows them under Customers and Team. Nothing was changed.`,
  )
}

const note = (ctx: Ctx, action: string, { id, email }: UserRow): Promise<void> =>
  record(ctx, { action, targetId: id, detail: { target: email } })

import type { Anyone, User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { isDuplicate } from '../../../db/database.ts'
import { Problem } from '../../../problem.ts'
import { findUserByEmail, isReserved, updateUser } from '../../customers/index.ts'
import { invalidLink, issueAccountToken, redeemAccountToken } from '../links/account-tokens.ts'
import { deleteAccountTokens, deleteTokensFor } from '../links/store.ts'
import { keepFormerAddress } from './email-undo.ts'

/**
 * Mails a link to the new address; the old one stays until it is used. A taken address gets the
 * same response, so it reveals no accounts.
 */
export async function requestEmailChange(ctx: Ctx<User>, newEmail: string): Promise<void> {
  const { id: userId, email } = ctx.actor
  if (newEmail === email) return
  await ctx.transaction(async (ctx) => {
    await deleteAccountTokens(ctx.db, userId, ['email_change'])
    if (await findUserByEmail(ctx.db, newEmail)) return
    if (await isReserved(ctx.db, newEmail, userId)) return
    const issued = await issueAccountToken(ctx, userId, 'email_change', { email: newEmail })
    await ctx.emit('account.email_change', { userId, email, newEmail, ...issued })
  })
}

/** Changes the account's address. Earlier links end, and the old address can undo the change. */
export async function confirmEmailChange(ctx: Ctx<Anyone | User>, token: string): Promise<void> {
  try {
    await ctx.transaction(async (ctx) => {
      const { user, data } = await redeemAccountToken(ctx, token, 'email_change')
      const { id: userId, email } = user
      const newEmail = data.email
      if (newEmail === undefined) throw invalidLink()
      await updateUser(ctx.db, userId, { email: newEmail })
      await deleteTokensFor(ctx.db, userId)
      const undo = await keepFormerAddress(ctx, userId, email)
      await ctx.emit('account.email_changed', { userId, email, newEmail, undo })
    })
  } catch (error) {
    if (!isDuplicate(error, 'users_email')) throw error
    throw new Problem('duplicate', 'Another account uses this address by now')
  }
}

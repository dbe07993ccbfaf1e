import type { Anyone, Ctx, User } from '../../../context.ts'
import { isDuplicate } from '../../../db/database.ts'
import { Problem } from '../../../problem.ts'
import { findUser, findUserByEmail, passwordMatches, updateUser } from '../../customers/index.ts'
import { invalidLink, issueAccountToken, redeemAccountToken } from './account-tokens.ts'
import { deleteAccountTokens } from './store.ts'

/** Mails a link to the new address; the old one stays until it is used. A taken address looks the same. */
export async function requestEmailChange(
  ctx: Ctx<User>,
  given: { email: string; password: string },
): Promise<void> {
  const user = await findUser(ctx.db, ctx.actor.id)
  if (!user || !(await passwordMatches(user.passwordHash, given.password)))
    throw new Problem('invalid_credentials', 'The password is wrong')
  if (given.email === user.email) return
  await ctx.transaction(async (ctx) => {
    await deleteAccountTokens(ctx.db, user.id, ['email_change'])
    if (await findUserByEmail(ctx.db, given.email)) return
    const issued = await issueAccountToken(ctx, user.id, 'email_change', { email: given.email })
    const { id: userId, email } = user
    await ctx.emit('account.email_change', { userId, email, newEmail: given.email, ...issued })
  })
}

/** Makes the address the account's; links that were mailed to the old one end. */
export async function confirmEmailChange(ctx: Ctx<Anyone | User>, token: string): Promise<void> {
  try {
    await ctx.transaction(async (ctx) => {
      const { userId, data } = await redeemAccountToken(ctx, token, 'email_change')
      const user = await findUser(ctx.db, userId)
      const newEmail = data.email
      if (!user || newEmail === undefined) throw invalidLink()
      await updateUser(ctx.db, userId, { email: newEmail })
      await deleteAccountTokens(ctx.db, userId, ['reset', 'invitation', 'verify'])
      await ctx.emit('account.email_changed', { userId, email: user.email, newEmail })
    })
  } catch (error) {
    if (!isDuplicate(error, 'users_email')) throw error
    throw new Problem('duplicate', 'Another account uses this address by now')
  }
}

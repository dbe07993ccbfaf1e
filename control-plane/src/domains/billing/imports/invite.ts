import type { Ctx } from '../../../context.ts'
import { findUser } from '../../customers/index.ts'
import { mailIsConfigured } from '../../email/index.ts'
import { takeInvitations } from './store.ts'

const AT_ONCE = 20

/**
 * Sends imported customers a link to choose a password, if the import asked for it and they have
 * none. The links expire, so this waits until mail can be sent.
 */
export async function inviteImported(ctx: Ctx): Promise<number> {
  if (!(await mailIsConfigured(ctx.db))) return 0
  return ctx.transaction(async (ctx) => {
    const ids = await takeInvitations(ctx.db, AT_ONCE)
    for (const userId of ids) {
      const user = await findUser(ctx.db, userId)
      if (user?.role !== 'customer' || user.passwordHash !== null || user.state !== 'active')
        continue
      await ctx.emit('customer.invited', { userId, email: user.email, inviter: null })
    }
    return ids.length
  })
}

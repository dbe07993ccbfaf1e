import type { EventHandlers } from '../../events/events.ts'
import { endAccess } from './end-access.ts'
import { issueAccountToken } from './recovery/account-tokens.ts'

export const authListeners: EventHandlers = {
  // Whoever had the account until an administrator gave it another address has it no longer.
  'account.email_changed': async (ctx, { userId, undo }) => {
    if (undo === null) await endAccess(ctx, userId)
  },
  'customer.deleted': async (ctx, { userId }) => {
    await endAccess(ctx, userId)
  },
  'customer.invited': async (ctx, { userId, email, inviter }) => {
    const issued = await issueAccountToken(ctx, userId, 'invitation')
    await ctx.emit('account.invitation', { userId, email, inviter, ...issued })
  },
}

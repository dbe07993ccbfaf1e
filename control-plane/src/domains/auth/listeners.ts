import type { EventHandlers } from '../../events/events.ts'
import { endAccess } from './end-access.ts'
import { issueAccountToken } from './links/account-tokens.ts'
import { endViewingsOf } from './viewing/viewing.ts'

export const authListeners: EventHandlers = {
  // When an administrator changes the address, whoever held the account before loses access.
  'account.email_changed': async (ctx, { userId, undo }) => {
    if (undo === null) await endAccess(ctx, userId)
  },
  'customer.deleted': async (ctx, { userId }) => {
    await endViewingsOf(ctx, userId)
    await endAccess(ctx, userId)
  },
  'customer.invited': async (ctx, { userId, email, inviter }) => {
    const issued = await issueAccountToken(ctx, userId, 'invitation')
    await ctx.emit('account.invitation', { userId, email, inviter, ...issued })
  },
}

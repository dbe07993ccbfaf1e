import type { EventHandlers } from '../../events/events.ts'
import { issueAccountToken } from './recovery/account-tokens.ts'

export const authListeners: EventHandlers = {
  'customer.invited': async (ctx, { userId, email, inviter }) => {
    const issued = await issueAccountToken(ctx, userId, 'invitation')
    await ctx.emit('account.invitation', { userId, email, inviter, ...issued })
  },
}

import type { EventHandlers } from '../../events/events.ts'
import { findUser } from '../customers/index.ts'
import { queueMail } from './outbox.ts'

/** Sends mail about events of the domains below. */
export const emailListeners: EventHandlers = {
  'account.invitation': async (ctx, { userId, email: to, inviter, ...issued }) => {
    const variables = { inviter: inviter ?? '' }
    await queueMail(ctx, 'invitation', { to, userId, issued, variables })
  },
  'account.reset_requested': async (ctx, { userId, email: to, ...issued }) => {
    await queueMail(ctx, 'password_reset', { to, userId, issued, variables: {} })
  },
  'account.password_changed': async (ctx, { userId, email, address, device }) => {
    await queueMail(ctx, 'password_changed', { to: email, userId, variables: { address, device } })
  },
  'account.second_factor_changed': async (ctx, { userId, email, change }) => {
    await queueMail(ctx, 'second_factor_changed', { to: email, userId, variables: { change } })
  },
  'account.recovery_code_used': async (ctx, { userId, email, left, address }) => {
    const variables = { left: String(left), address }
    await queueMail(ctx, 'recovery_code_used', { to: email, userId, variables })
  },
  'account.new_device': async (ctx, { userId, email, address, device }) => {
    await queueMail(ctx, 'new_device', { to: email, userId, variables: { address, device } })
  },
  'account.email_change': async (ctx, { userId, newEmail: to, ...issued }) => {
    await queueMail(ctx, 'email_change', { to, userId, issued, variables: {} })
  },
  'account.email_changed': async (ctx, { userId, email: to, newEmail, undo }) => {
    const issued = undo ?? undefined
    await queueMail(ctx, 'email_changed', { to, userId, issued, variables: { newEmail } })
  },
  'team.invited': async (ctx, { userId, email: to, inviter, ...issued }) => {
    const variables = { inviter }
    await queueMail(ctx, 'team_invite', { to, userId, issued, variables })
  },
  'team.transfer_requested': async (ctx, { userId, email: to, inviter, ...issued }) => {
    const variables = { inviter }
    await queueMail(ctx, 'team_transfer', { to, userId, issued, variables })
  },
  'server.invited': async (ctx, { userId, email: to, inviter, serverName, ...given }) => {
    await queueMail(ctx, 'collaborator_invite', {
      to,
      userId,
      issued: given,
      variables: {
        inviter,
        server: serverName,
        permissions: given.permissions.join(', '),
      },
    })
  },
  'server.gave_up': async (ctx, { serverId, serverName: server, people, reason }) => {
    for (const { userId, email: to } of people)
      await queueMail(ctx, 'server_gave_up', {
        to,
        userId,
        variables: { server, serverId, reason },
      })
  },
  'limit.warned': async (ctx, { userId, kind, used, value }) => {
    const to = await addressOf(ctx, userId)
    const variables = { limit: kind, used: String(used), value: String(value) }
    if (to) await queueMail(ctx, 'limit_warning', { to, userId, variables })
  },
  'limit.exceeded': async (ctx, { userId, email: to, kind, message, byMail }) => {
    if (byMail)
      await queueMail(ctx, 'limit_exceeded', { to, userId, variables: { limit: kind, message } })
  },
}

const addressOf = async (ctx: Parameters<typeof queueMail>[0], userId: string) =>
  (await findUser(ctx.db, userId))?.email

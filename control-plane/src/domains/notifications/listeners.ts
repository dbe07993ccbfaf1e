import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { EventHandlers } from '../../events/events.ts'
import { notify, notifyStaff } from './notify.ts'

const SECURITY = panelPath('accountSecurity')
const LIMITS = panelPath('accountLimits')

/** Inbox entries about accounts and limits. Those about safety cannot be switched off. */
export const notificationListeners: EventHandlers = {
  'account.new_device': async (ctx, { userId, address, device }) => {
    await notify(ctx, [userId], {
      type: 'account.login_new_device',
      severity: 'warn',
      title: 'Sign-in from a new device',
      body: `${device} at ${address}. If this was not you, change your password.`,
      link: SECURITY,
    })
  },
  'account.password_changed': async (ctx, { userId, address, device }) => {
    await notify(ctx, [userId], {
      type: 'account.password_changed',
      severity: 'warn',
      title: 'Your password was changed',
      body: `From ${device} at ${address}. Every other device was signed out.`,
      link: SECURITY,
    })
  },
  'account.second_factor_changed': async (ctx, { userId, change }) => {
    await notify(ctx, [userId], {
      type: 'account.second_factor_changed',
      severity: 'warn',
      title: 'Your second factors were changed',
      body: `${change}.`,
      link: SECURITY,
    })
  },
  'account.recovery_code_used': async (ctx, { userId, left, address }) => {
    await notify(ctx, [userId], {
      type: 'account.second_factor_changed',
      severity: 'warn',
      title: 'A recovery code was used',
      body: `From ${address}. ${left} are left.`,
      link: SECURITY,
    })
  },
  'account.email_changed': async (ctx, { userId, newEmail }) => {
    await notify(ctx, [userId], {
      type: 'account.email_changed',
      severity: 'warn',
      title: 'Your e-mail address was changed',
      body: `You now sign in with ${newEmail}.`,
      link: panelPath('account'),
    })
  },
  'account.token_created': async (ctx, { userId, name }) => {
    await notify(ctx, [userId], {
      type: 'account.token_created',
      severity: 'info',
      title: 'An API token was created',
      body: `It is named ${name} and acts for you.`,
      link: panelPath('tokens'),
    })
  },
  'server.invited': async (ctx, { userId, inviter, serverName }) => {
    if (userId === null) return
    await notify(ctx, [userId], {
      type: 'server.invited',
      severity: 'info',
      title: `${inviter} shares ${serverName} with you`,
      body: 'Accept or decline it above your servers.',
      link: panelPath('servers'),
    })
  },
  'server.shared': async (ctx, { serverId, serverName, ownerId, email }) => {
    await notify(ctx, [ownerId], {
      type: 'server.shared',
      severity: 'info',
      title: 'An invitation was accepted',
      body: `${email} may now use ${serverName}.`,
      link: panelPath('serverSharing', { id: serverId }),
    })
  },
  'limit.warned': async (ctx, { userId, limit, kind, used, value }) => {
    await notify(ctx, [userId], {
      type: 'limit.warning',
      severity: 'info',
      title:
        used > value
          ? 'You are above a limit'
          : used === value
            ? 'You have reached a limit'
            : 'You are close to a limit',
      body: `You use ${used} of ${value} ${kind}.`,
      link: LIMITS,
      groupKey: `limit:${limit}`,
    })
  },
  'limit.over': async (ctx, { userId, email, limit, kind, used, value }) => {
    await notifyStaff(ctx, 'customers.quota', {
      type: 'customer.over_limit',
      severity: 'info',
      title: `${email} is above a limit`,
      body: `They use ${used} of ${value} ${kind}. What they have stays; nothing new fits.`,
      link: panelPath('customerLimits', { id: userId }),
      groupKey: `limit:${limit}:${userId}`,
    })
  },
  'limit.exceeded': async (ctx, { userId, email, limit, message, tellCustomer }) => {
    const notice = { type: 'limit.exceeded', severity: 'warn', groupKey: `limit:${limit}` } as const
    if (tellCustomer)
      await notify(ctx, [userId], {
        ...notice,
        title: 'You are above a limit',
        body: `${message}.`,
        link: LIMITS,
      })
    await notifyStaff(ctx, 'customers.quota', {
      ...notice,
      title: `${email} is above a limit`,
      body: `${message}.`,
      link: panelPath('customer', { id: userId }),
      groupKey: `limit:${limit}:${userId}`,
    })
  },
}

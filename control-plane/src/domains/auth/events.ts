import { panelPath } from '@lodge/shared/panel-paths.ts'
import { type Notices, type NoticeTypes, whose } from '../../events/notices.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    'account.invitation': {
      userId: string
      email: string
      token: string
      expiresAt: Date
      inviter: string | null
    }
    'account.reset_requested': { userId: string; email: string; token: string; expiresAt: Date }
    'account.password_changed': { userId: string; email: string; address: string; device: string }
    'account.second_factor_changed': { userId: string; email: string; change: string }
    'account.recovery_code_used': { userId: string; email: string; left: number; address: string }
    'account.new_device': { userId: string; email: string; address: string; device: string }
    'account.email_change': {
      userId: string
      email: string
      newEmail: string
      token: string
      expiresAt: Date
    }
    'account.email_restored': {
      userId: string
      email: string
      restoredEmail: string
      address: string
    }
    'account.signed_in': { userId: string; email: string; address: string; device: string }
    /** A signed-in user passed step-up. */
    'account.proved': { userId: string }
    /** An administrator stopped viewing as a customer. `address` is null unless they ended it themselves. */
    'account.viewing_ended': {
      viewer: { id: string; email: string }
      address: string | null
      userId: string
      name: string
      why: string
    }
    /** Everything that opens the account was revoked, or everything but its sessions. */
    'account.access_ended': { userId: string }
    'account.signed_out_elsewhere': { userId: string }
    'account.token_created': { userId: string; email: string; name: string }
  }
}

const SECURITY = panelPath('accountSecurity')

export const accountNoticeTypes: NoticeTypes = {
  'account.password_changed': {
    title: 'The password was changed',
    severity: 'warn',
    group: 'account',
  },
  'account.second_factor_changed': {
    title: 'Second factors were changed',
    severity: 'warn',
    group: 'account',
  },
  'account.login_new_device': {
    title: 'A new device signed in',
    severity: 'warn',
    group: 'account',
  },
  'account.token_created': {
    title: 'An API token was created',
    severity: 'info',
    group: 'account',
  },
}

/**
 * Which events become notifications, with recipients and wording. Security notices cannot be turned
 * off.
 */
export const accountNotices: Notices = {
  'account.password_changed': [
    {
      type: 'account.password_changed',
      to: whose,
      notice: ({ address, device }) => ({
        title: 'Your password was changed',
        body: `From ${device} at ${address}. All other devices were signed out.`,
        link: SECURITY,
      }),
    },
  ],
  'account.second_factor_changed': [
    {
      type: 'account.second_factor_changed',
      to: whose,
      notice: ({ change }) => ({
        title: 'Your second factors were changed',
        body: `${change}.`,
        link: SECURITY,
      }),
    },
  ],
  'account.recovery_code_used': [
    {
      type: 'account.second_factor_changed',
      to: whose,
      notice: ({ address, left }) => ({
        title: 'A recovery code was used',
        body: `From ${address}. Codes left: ${left}.`,
        link: SECURITY,
      }),
    },
  ],
  'account.new_device': [
    {
      type: 'account.login_new_device',
      to: whose,
      notice: ({ address, device }) => ({
        title: 'Sign-in from a new device',
        body: `${device} at ${address}. If this was not you, change your password.`,
        link: SECURITY,
      }),
    },
  ],
  'account.token_created': [
    {
      type: 'account.token_created',
      to: whose,
      notice: ({ name }) => ({
        title: 'An API token was created',
        body: `Its name is ${name}. It acts in your name.`,
        link: panelPath('tokens'),
      }),
    },
  ],
}

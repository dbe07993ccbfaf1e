import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import { type Notices, type NoticeTypes, whose } from '../../events/notices.ts'
import { saidIn, wordsFor } from '../../said-in.ts'
import { t } from './words.ts'

/** What became of a second factor. */
export type FactorChange =
  | 'totpAdded'
  | 'totpRemoved'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'removedByHost'
  | 'removedByCommand'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    'account.invitation': {
      userId: string
      email: string
      token: string
      expiresAt: Date
      inviter: string | null
    }
    /** A customer's account may be used: they confirmed their address or accepted their invitation. */
    'account.opened': { userId: string; email: string }
    'account.reset_requested': {
      userId: string
      email: string
      /** The language of a request of theirs. */
      asked?: Language | undefined
      token: string
      expiresAt: Date
    }
    'account.password_changed': { userId: string; email: string; address: string; device: string }
    'account.second_factor_changed': { userId: string; email: string; change: FactorChange }
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
    /** Sessions were ended, none of which has lapsed. `elsewhere`: not in the browser itself. */
    'account.sessions_ended': { userId: string; sessionIds: readonly string[]; elsewhere: boolean }
    /** Somebody signed in again in the browser of a session of theirs. */
    'account.session_followed': { userId: string; former: string; sessionId: string }
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
      notice: ({ address, device }, reader) => ({
        title: wordsFor(t, reader).passwordChanged,
        body: wordsFor(t, reader).passwordChangedFrom({
          device: saidIn(device, reader),
          address,
        }),
        link: SECURITY,
      }),
    },
  ],
  'account.second_factor_changed': [
    {
      type: 'account.second_factor_changed',
      to: whose,
      notice: ({ change }, reader) => ({
        title: wordsFor(t, reader).factorsChanged,
        body: `${wordsFor(t, reader).factorChange({ change })}.`,
        link: SECURITY,
      }),
    },
  ],
  'account.recovery_code_used': [
    {
      type: 'account.second_factor_changed',
      to: whose,
      notice: ({ address, left }, reader) => ({
        title: wordsFor(t, reader).codeUsed,
        body: wordsFor(t, reader).codeUsedFrom({ address, left }),
        link: SECURITY,
      }),
    },
  ],
  'account.new_device': [
    {
      type: 'account.login_new_device',
      to: whose,
      notice: ({ address, device }, reader) => ({
        title: wordsFor(t, reader).newDevice,
        body: wordsFor(t, reader).newDeviceAt({ device: saidIn(device, reader), address }),
        link: SECURITY,
      }),
    },
  ],
  'account.token_created': [
    {
      type: 'account.token_created',
      to: whose,
      notice: ({ name }, reader) => ({
        title: wordsFor(t, reader).tokenCreated,
        body: wordsFor(t, reader).tokenName({ name }),
        link: panelPath('tokens'),
      }),
    },
  ],
}

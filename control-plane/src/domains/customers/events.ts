import { panelPath } from '@lodge/shared/panel-paths.ts'
import { type Notices, type NoticeTypes, whose } from '../../events/notices.ts'
import { wordsFor } from '../../said-in.ts'
import { t } from './words.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** A customer was created without a password and must choose one. */
    'customer.invited': { userId: string; email: string; inviter: string | null }
    /** A customer is about to be removed permanently. */
    'customer.deleted': { userId: string }
    /** `undo`: the old address's right to take it back; null if an administrator changed it. */
    'account.email_changed': {
      userId: string
      email: string
      newEmail: string
      undo: { token: string; expiresAt: Date } | null
    }
  }
}

export const customerNoticeTypes: NoticeTypes = {
  'account.email_changed': {
    title: 'The e-mail address was changed',
    severity: 'warn',
    group: 'account',
  },
}

/** Which events become notifications, with recipients and wording. */
export const customerNotices: Notices = {
  'account.email_changed': [
    {
      type: 'account.email_changed',
      to: whose,
      notice: ({ newEmail }, reader) => ({
        title: wordsFor(t, reader).emailChanged,
        body: wordsFor(t, reader).signInWith({ email: newEmail }),
        link: panelPath('account'),
      }),
    },
  ],
}

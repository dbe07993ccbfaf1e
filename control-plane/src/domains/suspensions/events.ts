import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { SuspensionOptions } from '@lodge/shared/suspensions.ts'
import { type Notices, type NoticeTypes, whose } from '../../events/notices.ts'
import { momentText } from '../../moment-text.ts'
import { wordsFor } from '../../said-in.ts'
import { t } from './words.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** `options.pauseBilling` and `.allowTickets` are for the domains of subscriptions and tickets. */
    'account.suspended': {
      userId: string
      email: string
      /** Null if it is not disclosed. */
      reason: string | null
      endsAt: Date | null
      deleteServersAt: Date | null
      mayAppeal: boolean
      options: SuspensionOptions
    }
    /** The options of a suspension in force were changed. */
    'account.suspension_changed': { userId: string; options: SuspensionOptions }
    'account.unsuspended': { userId: string; email: string; notify: boolean }
    /** A suspension ended because its time was over. */
    'account.suspension_over': { userId: string }
    /** A customer opened an appeal, or replied in it. */
    'appeal.opened': { userId: string; email: string; again: boolean }
    'appeal.answered': {
      userId: string
      email: string
      message: string
      decision: 'granted' | 'rejected' | null
    }
    /** A scanner refused a file of an appeal. */
    'appeal.file_infected': { userId: string; email: string; name: string; why: string }
  }
}

export const suspensionNoticeTypes: NoticeTypes = {
  'account.suspended': {
    title: 'The account was suspended',
    severity: 'error',
    group: 'account',
  },
  'account.unsuspended': {
    title: 'The suspension of the account ended',
    severity: 'info',
    group: 'account',
  },
  'appeal.answered': { title: 'An appeal was answered', severity: 'info', group: 'account' },
  'appeal.opened': {
    title: 'A customer appeals a suspension',
    severity: 'info',
    group: 'host',
    staff: 'suspension.manage',
  },
  'appeal.file_infected': {
    title: 'A scanner refused a file of an appeal',
    severity: 'warn',
    group: 'host',
    staff: 'suspension.manage',
  },
}

export const suspensionNotices: Notices = {
  'account.suspended': [
    {
      type: 'account.suspended',
      to: ({ userId, options }) => ({ users: options.notifyCustomer ? [userId] : [] }),
      notice: ({ reason, endsAt }, reader) => ({
        title: wordsFor(t, reader).suspended,
        body: [
          reason,
          endsAt && wordsFor(t, reader).suspendedUntil({ at: momentText(endsAt, reader) }),
        ]
          .filter(Boolean)
          .join(' '),
        link: panelPath('home'),
      }),
    },
  ],
  'account.unsuspended': [
    {
      type: 'account.unsuspended',
      to: ({ userId, notify }) => ({ users: notify ? [userId] : [] }),
      notice: (_told, reader) => ({
        title: wordsFor(t, reader).over,
        body: wordsFor(t, reader).overBody,
        link: panelPath('home'),
      }),
    },
  ],
  'appeal.opened': [
    {
      type: 'appeal.opened',
      to: () => ({ staff: 'suspension.manage' }),
      notice: ({ userId: id, email, again }, reader) => ({
        title: again
          ? wordsFor(t, reader).appealsAgain({ email })
          : wordsFor(t, reader).appeals({ email }),
        body: wordsFor(t, reader).appealWaits,
        link: panelPath('customerSuspension', { id }),
        groupKey: `appeal.opened:${id}`,
      }),
    },
  ],
  'appeal.file_infected': [
    {
      type: 'appeal.file_infected',
      to: () => ({ staff: 'suspension.manage' }),
      notice: ({ userId: id, email, name, why }, reader) => ({
        title: wordsFor(t, reader).fileInfected({ email }),
        body: `${name}: ${why}`,
        link: panelPath('customerSuspension', { id }),
        groupKey: `appeal.file_infected:${id}`,
      }),
    },
  ],
  'appeal.answered': [
    {
      type: 'appeal.answered',
      to: whose,
      notice: ({ decision }, reader) => ({
        title: wordsFor(t, reader).answered({ decision: decision ?? 'other' }),
        body: wordsFor(t, reader).readAnswer,
        link: panelPath('home'),
      }),
    },
  ],
}

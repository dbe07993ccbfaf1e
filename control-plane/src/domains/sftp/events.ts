import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { EventHandlers } from '../../events/events.ts'
import { type Notices, type NoticeTypes, whose } from '../../events/notices.ts'
import { wordsFor } from '../../said-in.ts'
import { deleteCredentialsOf, endConnectionsOf } from './store.ts'
import { t } from './words.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    'account.ssh_key_added': { userId: string; email: string; name: string; fingerprint: string }
  }
}

export const sftpNoticeTypes: NoticeTypes = {
  'account.ssh_key_added': {
    title: 'An SSH key was added',
    severity: 'warn',
    group: 'account',
  },
}

export const sftpNotices: Notices = {
  'account.ssh_key_added': [
    {
      type: 'account.ssh_key_added',
      to: whose,
      notice: ({ name, fingerprint }, reader) => ({
        title: wordsFor(t, reader).keyAdded,
        body: wordsFor(t, reader).keyAddedBody({ name, fingerprint }),
        link: panelPath('accountKeys'),
      }),
    },
  ],
}

export const sftpListeners: EventHandlers = {
  // An intruder may have added them.
  'account.access_ended': async (ctx, { userId }) => {
    await deleteCredentialsOf(ctx.db, userId)
    await ctx.live.announce(ctx.db, { kind: 'sftp-connections', id: userId })
  },
  'account.signed_out_elsewhere': async (ctx, { userId }) => {
    await endConnectionsOf(ctx.db, userId)
    await ctx.live.announce(ctx.db, { kind: 'sftp-connections', id: userId })
  },
}
